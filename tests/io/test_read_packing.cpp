#include "talus/io/read_packing.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "io/support.hpp"
#include "talus/core/error.hpp"
#include "talus/io/frame_writer.hpp"

using namespace talus;
using namespace talus::test;

namespace {

Packing csv(const std::string& text) {
    const TemporaryDirectory directory;
    return read_packing(directory.write("p.csv", text));
}

/// What is said of a CSV file of this text; empty if it is read.
std::string complaint(const std::string& text) {
    return message_of<InputError>([&] { csv(text); });
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A binary STL file of one triangle.
std::string binary_stl() {
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    std::string text(80 + 4 + 50, '\0');
    text[80] = 1;
    std::memcpy(text.data() + 84 + 12, corners, sizeof corners);
    return text;
}

std::string vtp(const std::string& radii) {
    return R"(<VTKFile type="PolyData" version="1.0"><PolyData><Piece NumberOfPoints="2">
<PointData><DataArray type="Float64" Name="radius" format="ascii">)" +
           radii + R"(</DataArray></PointData>
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0.25 1e-3 1 2 3</DataArray></Points>
</Piece></PolyData></VTKFile>)";
}

}  // namespace

TEST_CASE("a packed table reads as the plain one; a damaged one is refused") {
    const std::string text = "x,y,z,radius\n1,2,3,0.5\n4,5,6,0.25\n";
    const TemporaryDirectory directory;
    const std::string path = directory.write("p.csv.gz", "");
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    const Packing packed = read_packing(path), plain = csv(text);
    CHECK(packed.position == plain.position);
    CHECK(packed.radius == plain.radius);

    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto said_of = [&](const std::string& damaged) {
        const std::string name = directory.write("q.csv.gz", damaged);
        return message_of<InputError>([&] { read_packing(name); });
    };
    CHECK(has(said_of(bytes.substr(0, bytes.size() / 2)), "ends within its packed data"));
    std::string flipped = bytes;
    flipped[flipped.size() / 2] = static_cast<char>(~flipped[flipped.size() / 2]);
    CHECK(has(said_of(flipped), "no sound gzip file"));
}

TEST_CASE("a table gives positions, velocities, radii, masses and groups, and tells extra columns") {
    const Packing p = csv("id,x,y,z,radius,vx,vy,vz,mass,colour,group\n5,1,2,3,0.5,4,5,6,7,red,2\n");
    REQUIRE(p.position.size() == 1);
    CHECK(p.position[0] == Vec3(1, 2, 3));
    CHECK(p.velocity.at(0) == Vec3(4, 5, 6));
    CHECK(p.radius.at(0) == 0.5);
    CHECK(p.mass.at(0) == 7.0);
    CHECK(p.group.at(0) == 2);
    CHECK(p.ignored == std::vector<std::string>{"colour"});
    CHECK(csv("x,y,rad,radius,vel_x\n1,2,3,4,5\n").ignored == std::vector<std::string>{"rad", "vel_x"});
}

TEST_CASE("what frames hold beside the particles is ignored without a word, as ParaView saves it too") {
    CHECK(
        csv("Points:0,Points:1,Points:2,Points_Magnitude,radius,diameter,force:0,force:1,force:2,id,pressure,"
            "coordination,velocity:0,velocity:1,velocity:2\n1,2,0,2,0.33333,0.66667,0,0,0,7,0,0,1,2,3\n")
            .ignored.empty());
}

TEST_CASE("a radius and a diameter must agree, as far as few digits can tell") {
    CHECK(csv("x,y,radius,diameter\n1,2,0.33333,0.66667\n").radius.at(0) == 0.33333);
    CHECK(has(complaint("x,y,radius,diameter\n1,2,0.5,1\n1,2,0.5,0.5\n"),
              "p.csv:3: column 'diameter': 0.5 is not twice the radius 0.5"));
}

TEST_CASE("names of groups in a table are refused with what to give instead") {
    const std::string message = complaint("x,y,radius,group\n1,2,3,growing\n");
    CHECK(has(message, "p.csv:2: column 'group': 'growing' is no number; groups are numbered 0, 1, ..."));
    CHECK(has(complaint("x,y,radius,group\n1,2,3,\n"), "the cell is empty"));
}

TEST_CASE("columns that are not there stay empty, and a plane table has z = 0") {
    const Packing p = csv("x,y,diameter\n1,2,0.5\n3,4,1\n");
    REQUIRE(p.position.size() == 2);
    CHECK(p.position[1] == Vec3(3, 4, 0));
    CHECK(p.radius[0] == 0.25);
    CHECK(p.velocity.empty());
    CHECK(p.mass.empty());
    CHECK(p.group.empty());
    CHECK(csv("x,y,radius\n").position.empty());
}

TEST_CASE("tables of other tools are understood: delimiters, quotes, comments, line ends, byte order mark") {
    for (const char* text :
         {"x;y;radius\n1;2;0.5\n", "x\ty\tradius\n1\t2\t0.5\n", "x y  radius\n 1  2\t0.5 \n",
          "\xEF\xBB\xBFX, Y, Radius\r\n1, 2, 0.5\r\n", "\"x\",\"y\",\"radius\"\n1,2,\"0.5\"",
          "# made by hand\nx,y,radius\n\n# one\n1,2,+5e-1\n", "# x y radius\n1 2 0.5\n",
          "Points:0,Points:1,Points:2,note,radius\n1,2,0,\"a, b\",.5\n"}) {
        CAPTURE(text);
        const Packing p = csv(text);
        REQUIRE(p.position.size() == 1);
        CHECK(p.position[0] == Vec3(1, 2, 0));
        CHECK(p.radius[0] == 0.5);
    }
}

TEST_CASE("a wrong cell is named by file, line and column") {
    const std::string message = complaint("x,y,radius\n1,2,3\n\n1,two,3\n");
    CHECK(has(message, "p.csv:4: column 'y': 'two' is no number"));
    CHECK(has(complaint("x,y,radius\n1,,3\n"), "p.csv:2: column 'y': the cell is empty"));
    CHECK(has(complaint("x,y,radius\n1,2,0\n"), "column 'radius': 0 is not positive"));
    CHECK(has(complaint("x,y,radius,mass\n1,2,1,-1\n"), "column 'mass': -1 is not positive"));
    CHECK(has(complaint("x,y,radius\nnan,2,1\n"), "column 'x': 'nan' is not finite"));
    CHECK(has(complaint("x,y,radius\n1,-inf,1\n"), "column 'y': '-inf' is not finite"));
    CHECK(has(complaint("x,y,radius\n1,1e999,1\n"), "'1e999' is beyond"));
    CHECK(has(complaint("x,y,radius\n1,2 m,1\n"), "'2 m' is no number"));
    CHECK(has(complaint("x,y,radius,group\n1,2,1,0.5\n"), "column 'group'"));
}

TEST_CASE("a table of the wrong shape is refused with what is missing") {
    CHECK(has(complaint(""), "is empty"));
    CHECK(has(complaint("# only a comment\n"), "is empty"));
    CHECK(has(complaint("x,y,z\n1,2,3\n"), "column 'radius' is missing"));
    CHECK(has(complaint("y,radius\n1,2\n"), "column 'x' is missing"));
    CHECK(has(complaint("x,y,radius,vy\n1,2,3,4\n"), "column 'vx' is missing"));
    CHECK(has(complaint("1,2,3\n4,5,6\n"), "column 'x' is missing"));
    CHECK(has(complaint("x,y,radius,X\n1,2,3,4\n"), "mean the same"));
    CHECK(has(complaint("x,y,radius\n1,2\n"), ":2: row: 2 cells for 3 columns"));
    CHECK(has(complaint(std::string("x\0,\0y\0", 6)), "no plain text"));
    CHECK(has(complaint("x,y,radius\x01\n"), "no plain text"));
    CHECK(complaint("x,y,radius\n1,2," + std::string(100'000, 'a') + "\n").size() < 200);
}

TEST_CASE("decimal commas are named as such") {
    CHECK(has(complaint("x;y;radius\n1;2;0,5\n"), "decimal points"));
    CHECK(has(complaint("x,y,radius\n1,2,0,5\n"), "decimal commas"));
}

TEST_CASE("files that are not there, or of another kind, are refused") {
    CHECK(has(message_of<InputError>([] { read_packing("/no/such.csv"); }), "/no/such.csv"));
    CHECK_THROWS_AS(read_packing("/tmp"), InputError);
    const TemporaryDirectory directory;
    CHECK(has(message_of<InputError>([&] { read_packing(directory.write("p.xls", "")); }), ".csv"));
    std::filesystem::create_symlink("/dev/zero", directory.file("endless.csv"));
    CHECK(
        has(message_of<InputError>([&] { read_packing(directory.file("endless.csv")); }), "no regular file"));
}

TEST_CASE("a frame reads back as a packing with the same bits, whatever the locale") {
    const TemporaryDirectory directory;
    const DecimalCommas locale;
    const System system = three_spheres();
    FrameWriter(directory.path(), {}).write(system, {}, 1.0);
    const Packing p = read_packing(directory.file("particles_000000.vtp"));
    CHECK(p.position == system.particles.position);
    CHECK(p.velocity == system.particles.velocity);
    CHECK(p.radius == system.particles.radius);
    CHECK(p.mass == system.particles.mass);
    CHECK(p.group == system.particles.group);
    CHECK(p.ignored.empty());
}

TEST_CASE("orientations and spins of a frame read back with the same bits; without them there are none") {
    const TemporaryDirectory directory;
    System system = three_spheres();
    set_spinning(system);
    FrameWriter writer(directory.path(), {.rotation = true});
    writer.write(system, {}, 1.0);
    const Packing p = read_packing(directory.file("particles_000000.vtp"));
    REQUIRE(p.orientation.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(p.orientation[i].coeffs() == system.particles.orientation[i].coeffs());
    }
    CHECK(p.angular_velocity == system.particles.angular_velocity);
    CHECK(p.ignored.empty());
    const Packing plain = read_packing(directory.write("p.vtp", vtp("0.5 1")));
    CHECK(plain.orientation.empty());
    CHECK(plain.angular_velocity.empty());
}

TEST_CASE("a table gives spins, in the plane wz alone") {
    const Packing p = csv("x,y,z,radius,wx,wy,wz\n1,2,3,0.5,4,5,6\n");
    CHECK(p.angular_velocity.at(0) == Vec3(4, 5, 6));
    CHECK(p.ignored.empty());
    CHECK(csv("x,y,radius,wz\n1,2,0.5,6\n").angular_velocity.at(0) == Vec3(0, 0, 6));
    CHECK(csv("x,y,radius,angular_velocity:0,angular_velocity:1,angular_velocity:2\n1,2,0.5,4,5,6\n")
              .angular_velocity.at(0) == Vec3(4, 5, 6));
    CHECK(csv("x,y,radius\n1,2,0.5\n").angular_velocity.empty());
    CHECK(has(complaint("x,y,radius,wz\n1,2,0.5,fast\n"), "column 'wz': 'fast' is no number"));
}

TEST_CASE("point data of other tools is read, text too, whatever the locale") {
    const TemporaryDirectory directory;
    const DecimalCommas locale;
    const Packing p = read_packing(directory.write("p.vtp", vtp("0.5 1234.5")));
    REQUIRE(p.position.size() == 2);
    CHECK(p.position[0] == Vec3(0, 0.25, 1e-3));
    CHECK(p.radius == std::vector<double>{0.5, 1234.5});
    CHECK(p.velocity.empty());
    CHECK(csv("x,y,radius\n0.25,1234.5,1\n").position[0] == Vec3(0.25, 1234.5, 0));
}

TEST_CASE("wrong point data is refused with array and point") {
    const TemporaryDirectory directory;
    const auto said = [&](const std::string& text) {
        const std::string path = directory.write("p.vtp", text);
        const std::string message = message_of<InputError>([&] { read_packing(path); });
        CHECK(message.find(path) == 0);
        return message;
    };
    CHECK(has(said(vtp("0.5 -1")), "array 'radius', point 1: -1 is not positive"));
    std::string text = vtp("0.5 1");
    CHECK(has(said(text.replace(text.find("\"radius\""), 8, "\"size\"")), "neither"));
    text = vtp("0.5 1");
    text.insert(text.find("<DataArray"),
                R"(<DataArray type="Float64" Name="diameter" format="ascii">1 1</DataArray>)");
    CHECK(has(said(text), "array 'diameter', point 1: 1 is not twice the radius 1"));
    const auto with = [](const std::string& name, int components, const std::string& values) {
        std::string with_array = vtp("0.5 1");
        return with_array.insert(with_array.find("<DataArray"),
                                 "<DataArray type=\"Float64\" Name=\"" + name + "\" NumberOfComponents=\"" +
                                     std::to_string(components) + "\" format=\"ascii\">" + values +
                                     "</DataArray>");
    };
    CHECK(has(said(with("orientation", 4, "1 0 0 0 1 0.5 0 0")),
              "array 'orientation', point 1: (1, 0.5, 0, 0) is no unit quaternion"));
    CHECK(has(said(with("orientation", 4, "1 0 0 0 nan 0 0 0")), "array 'orientation', point 1: "));
    CHECK(
        has(said(with("orientation", 3, "1 0 0 0 1 0")), "array 'orientation' has 3 components; expected 4"));
    CHECK(has(said(with("angular_velocity", 3, "1 0 0 0 inf 0")), "array 'angular_velocity', point 1: "));
    for (const char* groups : {"0 0.5", "0 -1", "0 1e300"}) {
        text = vtp("0.5 1");
        text.insert(text.find("<DataArray"), R"(<DataArray type="Float64" Name="group" format="ascii">)" +
                                                 std::string(groups) + "</DataArray>");
        CHECK(has(said(text), "array 'group', point 1"));
    }
    CHECK(has(said("not XML"), "can not be read"));
    CHECK(has(said(""), "can not be read"));
    CHECK(has(said(vtp("0.5 1").substr(0, 150)), "can not be read"));
}

TEST_CASE("a frame that was cut short is refused, or read whole where only its end mark is lost") {
    const TemporaryDirectory directory;
    FrameWriter(directory.path(), {}).write(three_spheres(), {}, 1.0);
    const std::string frame = text_of(directory.file("particles_000000.vtp"));
    int refused = 0;
    for (std::size_t size = 0; size < frame.size(); size += 97) {
        CAPTURE(size);
        const std::string path = directory.write("cut.vtp", frame.substr(0, size));
        try {
            const Packing p = read_packing(path);
            CHECK(p.position == three_spheres().particles.position);
            CHECK(p.velocity == three_spheres().particles.velocity);
            CHECK(p.radius == three_spheres().particles.radius);
            CHECK(p.group == three_spheres().particles.group);
        } catch (const InputError& error) {
            CHECK(std::string(error.what()).find(path) == 0);
            ++refused;
        }
    }
    CHECK(refused > static_cast<int>(frame.size() / 97 * 9 / 10));
}

TEST_CASE("triangles are read from text and binary STL files") {
    const TemporaryDirectory directory;
    const std::string text =
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\n"
        "endsolid a\n";
    for (const std::string& content : {text, binary_stl()}) {
        const DecimalCommas locale;
        const TriangleSoup soup = read_stl(directory.write("a.stl", content));
        REQUIRE(soup.triangles.size() == 1);
        const auto [a, b, c] = soup.triangles[0];
        CHECK(soup.points[static_cast<std::size_t>(a)] == Vec3(0, 0, 0));
        CHECK(soup.points[static_cast<std::size_t>(b)] == Vec3(1, 0, 0));
        CHECK(soup.points[static_cast<std::size_t>(c)] == Vec3(0, 1, 0));
    }
}

TEST_CASE("missing, empty, cut and meaningless STL files are refused") {
    const TemporaryDirectory directory;
    CHECK(has(message_of<InputError>([] { read_stl("/no/such.stl"); }), "/no/such.stl"));
    for (const std::string& content :
         {std::string(), std::string("garbage"), std::string("solid a\nendsolid a\n"), std::string("solid"),
          std::string(1000, '\x7f'), binary_stl().substr(0, 120), std::string(84, '\0'),
          std::string("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n")}) {
        CAPTURE(content);
        const std::string path = directory.write("a.stl", content);
        CHECK(message_of<InputError>([&] { read_stl(path); }).find(path) == 0);
    }
}
