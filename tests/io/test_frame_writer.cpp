#include "talus/io/frame_writer.hpp"

#include <doctest/doctest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkXMLPolyDataReader.h>

#include <numbers>

#include "io/support.hpp"
#include "talus/bodies/memory_order.hpp"
#include "talus/contact/arrange_contacts.hpp"
#include "talus/core/error.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kStep = 0.5;  // [s]

vtkSmartPointer<vtkPolyData> read(const std::string& path) {
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    REQUIRE(reader->GetErrorCode() == 0);
    return reader->GetOutput();
}

/// "name:type:components" of every array, in order.
std::string layout(vtkFieldData* data) {
    std::string text;
    for (int a = 0; a < data->GetNumberOfArrays(); ++a) {
        vtkDataArray* array = data->GetArray(a);
        text += std::string(array->GetName()) + ":" + std::to_string(8 * array->GetDataTypeSize()) +
                (array->GetDataType() == VTK_DOUBLE ? "f" : "i") + ":" +
                std::to_string(array->GetNumberOfComponents()) + " ";
    }
    return text;
}

double value(vtkFieldData* data, const char* name, vtkIdType tuple, int component = 0) {
    return data->GetArray(name)->GetComponent(tuple, component);
}

/// Writes one frame of `system` into a new directory. @return that of `part`.
vtkSmartPointer<vtkPolyData> written(const System& system, const ContactList& contacts, const char* part,
                                     bool rotation = false) {
    const TemporaryDirectory directory;
    FrameWriter(directory.path(), {.rotation = rotation}).write(system, contacts, kStep);
    return read(directory.file(std::string(part) + "_000000.vtp"));
}

System first_of_three(int count) {
    System system = three_spheres();
    std::vector<std::uint8_t> remove(3, 0);
    for (int i = count; i < 3; ++i) remove[static_cast<std::size_t>(i)] = 1;
    system.particles.remove(remove);
    return system;
}

constexpr const char* kPointArrays =
    "id:64i:1 radius:64f:1 diameter:64f:1 mass:64f:1 velocity:64f:3 force:64f:3 coordination:32i:1 "
    "pressure:64f:1 group:32i:1 ";

}  // namespace

TEST_CASE("the particles of a frame read back with the same bits") {
    const System system = three_spheres();
    const auto data = written(system, three_contacts(), "particles");
    REQUIRE(data->GetNumberOfPoints() == 3);
    CHECK(data->GetPoints()->GetDataType() == VTK_DOUBLE);
    vtkPointData* arrays = data->GetPointData();
    const Vec3 impulses[] = {{-2, -2, -3}, {-6, -10, -12}, {5, 6, 9}};  // summed over the contacts by hand
    for (int i = 0; i < 3; ++i) {
        const auto n = static_cast<std::size_t>(i);
        for (int k = 0; k < 3; ++k) {
            CHECK(data->GetPoint(i)[k] == system.particles.position[n](k));
            CHECK(value(arrays, "velocity", i, k) == system.particles.velocity[n](k));
            CHECK(value(arrays, "force", i, k) == doctest::Approx(impulses[n](k) / kStep));
        }
        CHECK(value(arrays, "id", i) == static_cast<double>(system.particles.id[n]));
        CHECK(value(arrays, "radius", i) == system.particles.radius[n]);
        CHECK(value(arrays, "diameter", i) == 2.0 * system.particles.radius[n]);
        CHECK(value(arrays, "mass", i) == system.particles.mass[n]);
        CHECK(value(arrays, "group", i) == system.particles.group[n]);
    }
    CHECK(value(data->GetFieldData(), "TimeValue", 0) == 0.025);
}

TEST_CASE("orientation (w x y z) and angular velocity of a frame read back with the same bits") {
    System system = three_spheres();
    set_spinning(system);
    const auto data = written(system, three_contacts(), "particles", true);
    vtkPointData* arrays = data->GetPointData();
    for (int i = 0; i < 3; ++i) {
        const Quaternion& q = system.particles.orientation[static_cast<std::size_t>(i)];
        const double expected[] = {q.w(), q.x(), q.y(), q.z()};
        for (int k = 0; k < 4; ++k) CHECK(value(arrays, "orientation", i, k) == expected[k]);
        for (int k = 0; k < 3; ++k) {
            CHECK(value(arrays, "angular_velocity", i, k) ==
                  system.particles.angular_velocity[static_cast<std::size_t>(i)](k));
        }
    }
}

TEST_CASE("a contact shows the tangential force on its second body and whether it slides") {
    const auto data = written(three_spheres(), three_contacts(), "contacts", true);
    vtkCellData* arrays = data->GetCellData();
    const int contacts[] = {0, 2, 3};  // those that press
    for (int line = 0; line < 3; ++line) {
        const int c = contacts[line];
        for (int k = 0; k < 3; ++k) CHECK(value(arrays, "force_tangential", line, k) == c * (k + 1) / kStep);
        CHECK(value(arrays, "sliding", line) == (c == 3 ? 1 : 0));
    }
}

TEST_CASE("with rolling friction a contact shows the moment on its second body, and without it does not") {
    System system = three_spheres();
    ContactList contacts = three_contacts();
    for (std::size_t c = 0; c < contacts.size(); ++c) contacts[c].moment = Vec3(1.0, 2.0, 3.0 * c);
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.5;
    CHECK_FALSE(written(system, contacts, "contacts", true)->GetCellData()->HasArray("rolling_moment"));
    system.law.rolling_friction = 0.1;
    const auto data = written(system, contacts, "contacts", true);
    const int pressing[] = {0, 2, 3};
    for (int line = 0; line < 3; ++line) {
        CHECK(value(data->GetCellData(), "rolling_moment", line, 0) == 1.0 / kStep);
        CHECK(value(data->GetCellData(), "rolling_moment", line, 2) == 3.0 * pressing[line] / kStep);
    }
    CHECK(written(system, {}, "contacts", true)->GetCellData()->HasArray("rolling_moment"));
}

TEST_CASE("files are the same, byte for byte, whatever the order of the particles in memory") {
    System system = three_spheres();
    set_spinning(system);
    system.law = {.kind = FrictionLaw::coulomb, .friction = 0.5, .rolling_friction = 0.1};
    ContactList contacts = three_contacts();
    for (std::size_t c = 0; c < contacts.size(); ++c) contacts[c].moment = Vec3(1.0, -2.0, 3.0 * c);
    const TemporaryDirectory plain, arranged;
    FrameWriter(plain.path(), {.rotation = true}).write(system, contacts, kStep);
    const std::vector<Index> order = {2, 0, 1};
    system.particles.arrange(order);
    arrange_contacts(places_of(order), contacts);
    FrameWriter(arranged.path(), {.rotation = true}).write(system, contacts, kStep);
    for (const std::string& name : plain.names()) {
        CHECK(text_of(plain.file(name)) == text_of(arranged.file(name)));
    }
}

TEST_CASE("a frame that is taken again without rotation holds nothing of it") {
    System system = three_spheres();
    set_spinning(system);
    Frame frame;
    frame.take(system, three_contacts(), kStep, true);
    CHECK(frame.sliding.size() == 3);
    frame.take(system, three_contacts(), kStep, false);
    CHECK(frame.orientation.empty());
    CHECK(frame.angular_velocity.empty());
    CHECK(frame.tangential_force.empty());
    CHECK(frame.sliding.empty());
}

TEST_CASE("a run has rotation with a law of friction, or a particle that spins or is turned at its start") {
    System system = three_spheres();
    CHECK_FALSE(has_rotation(system));
    CHECK_FALSE(has_rotation(System{}));
    system.particles.angular_velocity[2].z() = 1e-9;
    CHECK(has_rotation(system));
    system = three_spheres();
    system.particles.orientation[1] = Quaternion(0.6, 0.0, 0.0, 0.8);
    CHECK(has_rotation(system));
    system = three_spheres();
    system.law.kind = FrictionLaw::coulomb;
    CHECK(has_rotation(system));
}

TEST_CASE("every particle has a vertex of its own, so that points show without a filter") {
    const auto data = written(three_spheres(), {}, "particles");
    REQUIRE(data->GetNumberOfVerts() == 3);
    REQUIRE(data->GetNumberOfCells() == 3);
    for (vtkIdType c = 0; c < 3; ++c) {
        vtkNew<vtkIdList> points;
        data->GetCellPoints(c, points);
        REQUIRE(points->GetNumberOfIds() == 1);
        CHECK(points->GetId(0) == c);
    }
}

TEST_CASE("coordination counts the contacts that carry an impulse, pressure is their mean normal stress") {
    System system = three_spheres();
    for (const int dimension : {2, 3}) {
        system.dimension = dimension;
        const auto data = written(system, three_contacts(), "particles");
        vtkPointData* arrays = data->GetPointData();
        const double r = 0.6, force = (1.0 + 2.0 + 3.0) / kStep;
        const double volume =
            dimension == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
        CHECK(value(arrays, "coordination", 0) == 1);
        CHECK(value(arrays, "coordination", 1) == 3);
        CHECK(value(arrays, "coordination", 2) == 1);
        // three roundings a contact
        CHECK(value(arrays, "pressure", 1) ==
              doctest::Approx(r * force / (dimension * volume)).epsilon(1e-14));
    }
    const auto free = written(system, {}, "particles");
    CHECK(value(free->GetPointData(), "pressure", 1) == 0.0);
    CHECK(value(free->GetPointData(), "coordination", 1) == 0);
}

TEST_CASE("files have the same arrays, types and order with 0, 1 and 3 particles, in 2-D and 3-D") {
    for (const int dimension : {2, 3}) {
        for (const int count : {0, 1, 3}) {
            System system = first_of_three(count);
            system.dimension = dimension;
            const auto particles =
                written(system, count == 3 ? three_contacts() : ContactList{}, "particles");
            CHECK(particles->GetNumberOfPoints() == count);
            CHECK(particles->GetNumberOfVerts() == count);
            CHECK(layout(particles->GetPointData()) == kPointArrays);
            CHECK(particles->GetPointData()->GetArray("velocity")->GetNumberOfTuples() == count);
            const auto contacts = written(system, count == 3 ? three_contacts() : ContactList{}, "contacts");
            CHECK(layout(contacts->GetCellData()) == "gap:64f:1 force:64f:1 id_first:64i:1 id_second:64i:1 ");
            CHECK(layout(written(system, {}, "walls")->GetCellData()) == "wall:32i:1 bounded:32i:1 ");
            const ContactList touching = count == 3 ? three_contacts() : ContactList{};
            CHECK(layout(written(system, touching, "particles", true)->GetPointData()) ==
                  std::string(kPointArrays) + "orientation:64f:4 angular_velocity:64f:3 ");
            CHECK(
                layout(written(system, touching, "contacts", true)->GetCellData()) ==
                "gap:64f:1 force:64f:1 id_first:64i:1 id_second:64i:1 force_tangential:64f:3 sliding:8i:1 ");
        }
    }
}

TEST_CASE("contacts are lines between centres, or from a centre to the wall, with the gap of the state") {
    const System system = three_spheres();
    const auto data = written(system, three_contacts(), "contacts");
    REQUIRE(data->GetNumberOfLines() == 3);
    vtkCellData* arrays = data->GetCellData();
    const auto& x = system.particles.position;
    CHECK(value(arrays, "gap", 0) == (x[1] - x[0]).norm() - 0.5 - 0.6);
    CHECK(value(arrays, "force", 0) == 1.0 / kStep);
    CHECK(value(arrays, "id_first", 0) == 7);
    CHECK(value(arrays, "id_second", 0) == 9);
    CHECK(value(arrays, "id_first", 1) == 9);
    CHECK(value(arrays, "id_second", 1) == 12);
    CHECK(value(arrays, "id_first", 2) == 9);
    CHECK(value(arrays, "id_second", 2) == -1);  // wall 0
    CHECK(value(arrays, "gap", 2) == 0.0);
    vtkNew<vtkIdList> ends;
    data->GetCellPoints(2, ends);
    CHECK(data->GetPoint(ends->GetId(1))[0] == x[1].x());
    CHECK(std::abs(data->GetPoint(ends->GetId(1))[2]) < 1e-15);  // on the floor, but for rounding
}

TEST_CASE("walls stand where they are at the time of the frame, present ones only") {
    System system = three_spheres();
    system.walls[1].motion.displacement = Schedule::constant(0.25);  // along x
    auto data = written(system, {}, "walls");
    REQUIRE(data->GetNumberOfLines() == 3);
    REQUIRE(data->GetNumberOfPolys() == 3);
    vtkCellData* arrays = data->GetCellData();
    CHECK(value(arrays, "wall", 0) == 1);  // lines come first in VTK, whatever the wall
    CHECK(value(arrays, "wall", 3) == 0);
    CHECK(value(arrays, "wall", 5) == 1);
    CHECK(value(arrays, "bounded", 3) == 0);
    CHECK(value(arrays, "bounded", 5) == 1);
    CHECK(data->GetCell(5)->GetBounds()[0] == -2.75);

    system.walls[1].until = system.time;
    data = written(system, {}, "walls");
    CHECK(data->GetNumberOfLines() == 0);
    CHECK(data->GetNumberOfPolys() == 2);
}

TEST_CASE("an unbounded wall is cut to the view of the first frame throughout the run") {
    const TemporaryDirectory directory;
    FrameWriter writer(directory.path(), {});
    System system = three_spheres();
    writer.write(system, {}, kStep);
    system.particles.position[0].x() = 1e7;
    writer.write(system, {}, kStep);
    CHECK(writer.frames() == 2);
    const auto first = read(directory.file("walls_000000.vtp")),
               second = read(directory.file("walls_000001.vtp"));
    for (int k = 0; k < 6; ++k) CHECK(first->GetBounds()[k] == second->GetBounds()[k]);
    CHECK(first->GetBounds()[1] > 1.0 / 3.0 + 0.7);  // reaches beyond the particles
}

TEST_CASE("a scene of a single wall, without particles, has a finite drawing") {
    System system = first_of_three(0);
    system.walls.pop_back();
    const auto data = written(system, {}, "walls");
    CHECK(data->GetNumberOfPolys() == 2);
    CHECK(data->GetLength() > 0.0);
    CHECK(std::isfinite(data->GetLength()));
}

TEST_CASE("collections hold relative names and the shortest times that read back to the same bits") {
    const TemporaryDirectory directory;
    FrameWriter writer(directory.path(), {});
    System system = three_spheres();
    for (const double time : {0.0, 0.025, 0.1 + 0.2, 1e6 + 0.001}) {
        system.time = time;
        writer.write(system, {}, kStep);
    }
    const std::string text = text_of(directory.file("particles.pvd"));
    for (const char* line :
         {R"(<DataSet timestep="0" part="0" file="particles_000000.vtp"/>)",
          R"(<DataSet timestep="0.025" part="0" file="particles_000001.vtp"/>)",
          R"(<DataSet timestep="0.30000000000000004" part="0" file="particles_000002.vtp"/>)",
          R"(<DataSet timestep="1000000.001" part="0" file="particles_000003.vtp"/>)"}) {
        CHECK(text.find(line) != std::string::npos);
    }
    CHECK(text.ends_with("</VTKFile>\n"));
    CHECK(directory.names().size() == 3 * 4 + 3);  // no temporary file is left
}

TEST_CASE("contacts and walls are written only when asked for") {
    const TemporaryDirectory directory;
    FrameWriter(directory.path(), {.contacts = false, .walls = false}).write(three_spheres(), {}, kStep);
    CHECK(directory.names() == std::vector<std::string>{"particles.pvd", "particles_000000.vtp"});
}

TEST_CASE("a locale with decimal commas does not change a byte") {
    const TemporaryDirectory plain, commas;
    System system = three_spheres();
    system.time = 1234.5;
    FrameWriter(plain.path(), {}).write(system, three_contacts(), kStep);
    {
        const DecimalCommas locale;
        FrameWriter(commas.path(), {}).write(system, three_contacts(), kStep);
    }
    for (const std::string& name : plain.names())
        CHECK(text_of(plain.file(name)) == text_of(commas.file(name)));
}

TEST_CASE("contacts of particles that are not there are refused") {
    const TemporaryDirectory directory;
    FrameWriter writer(directory.path(), {});
    CHECK_THROWS_AS(writer.write(first_of_three(2), three_contacts(), kStep), std::invalid_argument);
    CHECK(directory.names().empty());
}

TEST_CASE("a frame that can not be written is named, and nothing of it stays") {
    const TemporaryDirectory directory;
    FrameWriter writer(directory.path(), {});
    writer.write(three_spheres(), {}, kStep);
    const auto names = directory.names();
    const std::string listed = text_of(directory.file("particles.pvd"));
    std::filesystem::create_directory(
        directory.file("walls_000001.vtp"));  // blocks the last file of the frame
    const std::string message = message_of<OutputError>([&] { writer.write(three_spheres(), {}, kStep); });
    CHECK(message.find(directory.file("walls_000001.vtp")) != std::string::npos);
    std::filesystem::remove(directory.file("walls_000001.vtp"));
    CHECK(directory.names() == names);
    CHECK(text_of(directory.file("particles.pvd")) == listed);
    CHECK(writer.frames() == 1);
}

TEST_CASE("on a full disc the frame is named and the collection lists whole frames only") {
    const TemporaryDirectory directory;
    const SmallDisc disc(directory.path(), 128);
    if (!disc.mounted()) {
        MESSAGE("not run: this user may not mount a small file system");
        return;
    }
    FrameWriter writer(directory.path(), {});
    std::string message;
    while (message.empty() && writer.frames() < 1000) {
        message = message_of<OutputError>([&] { writer.write(three_spheres(), three_contacts(), kStep); });
    }
    CHECK(message.find(directory.path()) != std::string::npos);
    CHECK(message.find("No space left") != std::string::npos);
    REQUIRE(writer.frames() > 0);
    for (const std::string& name : directory.names()) CHECK(name.find("partial") == std::string::npos);
    const std::string text = text_of(directory.file("contacts.pvd"));
    CHECK(text.ends_with("</VTKFile>\n"));
    for (int frame = 0; frame < writer.frames(); ++frame) {
        const std::string name = "contacts_00000" + std::to_string(frame) + ".vtp";
        if (frame < 10) CHECK(read(directory.file(name))->GetNumberOfLines() == 3);
    }
    const std::string next = "particles_" + std::string(6 - std::to_string(writer.frames()).size(), '0') +
                             std::to_string(writer.frames()) + ".vtp";
    CHECK(text.find(next) == std::string::npos);
}
