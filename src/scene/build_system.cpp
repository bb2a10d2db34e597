#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "capacity.hpp"
#include "talus/core/error.hpp"
#include "talus/core/text.hpp"
#include "talus/io/read_packing.hpp"
#include "talus/scene/scene_file.hpp"

namespace talus {

namespace {

/// Adds particles to a system, ids from 0 in the order of the file.
class Builder {
public:
    Builder(const Scene& scene, System& system, std::vector<std::string>* remarks)
        : scene_(scene), system_(system), remarks_(remarks) {}

    void operator()(const ListedParticle& particle) {
        add({.id = 0,
             .position = particle.position,
             .velocity = particle.velocity,
             .radius = particle.radius,
             .mass = particle.mass,
             .group = particle.group,
             .angular_velocity = particle.angular_velocity});
    }

    void operator()(const ParticleFile& file) {
        located(file.entry, [&] {
            const Packing packing = read_packing(file.path);
            if (remarks_ != nullptr && !packing.ignored.empty()) {
                remarks_->push_back(
                    fmt::format("{}: columns not read: {}", file.path, fmt::join(packing.ignored, ", ")));
            }
            system_.particles.reserve(system_.particles.id.size() + packing.position.size());
            for (std::size_t i = 0; i < packing.position.size(); ++i) add_from(file, packing, i);
        });
    }

    void operator()(const ParticleSource& source) {
        located(source.entry, [&] { generate(source, scene_.step.solver, system_); });
        // The next source looks for places between the particles as they are at t = 0.
        set_radii(system_.particles, system_.groups, system_.dimension, system_.time);
    }

private:
    /// Adds a particle but for its id and whether it is frozen, which are filled in.
    void add(Particle particle) {
        if (system_.particles.id.size() >= static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
            throw InputError(SourcePlace{scene_.path, 0}, "particles", "more than 2^31 - 1 particles");
        }
        particle.id = system_.particles.next_id();
        particle.frozen = system_.groups[static_cast<std::size_t>(particle.group)].frozen;
        system_.particles.add(particle);
    }

    void add_from(const ParticleFile& file, const Packing& packing, std::size_t i) {
        const Vec3 position = file.scale * packing.position[i];
        const double radius = file.scale * packing.radius[i];
        if (system_.dimension == 2 && position[2] != 0.0) {
            fail(file, i,
                 fmt::format("z = {} in a scene with dimension = 2; expected z = 0 or no z", position[2]));
        }
        const Vec3 velocity =
            packing.velocity.empty() ? Vec3::Zero().eval() : Vec3(file.scale * packing.velocity[i]);
        if (system_.dimension == 2 && velocity[2] != 0.0) {
            fail(file, i, fmt::format("vz = {} in a scene with dimension = 2", velocity[2]));
        }
        if (std::max(position.cwiseAbs().maxCoeff(), velocity.cwiseAbs().maxCoeff()) > kLargestNumber) {
            fail(file, i,
                 fmt::format("position {} m and velocity {} m/s; expected at most {:g}",
                             position.cwiseAbs().maxCoeff(), velocity.cwiseAbs().maxCoeff(), kLargestNumber));
        }
        if (!packing.mass.empty() && file.density > 0.0) {
            fail(file, i,
                 "the file has masses, and the [[particles]] entry a density; leave out one of them");
        }
        if (packing.mass.empty() && file.density == 0.0) {
            fail(file, i, "the file has no mass; add 'density' to the [[particles]] entry that names it");
        }
        const double mass =
            packing.mass.empty() ? particle_mass(file.density, radius, system_.dimension) : packing.mass[i];
        const auto valid = [](double x) { return x >= kSmallestNumber && x <= kLargestNumber; };
        if (!valid(radius) || !valid(mass)) {
            fail(file, i,
                 fmt::format("radius {} m and mass {} kg; expected numbers from {:g} to {:g}", radius, mass,
                             kSmallestNumber, kLargestNumber));
        }
        Particle particle{.id = 0,
                          .position = position,
                          .velocity = velocity,
                          .radius = radius,
                          .mass = mass,
                          .group = group_of(file, packing, i)};
        add_rotation(file, packing, i, particle);
        add(particle);
    }

    void add_rotation(const ParticleFile& file, const Packing& packing, std::size_t i,
                      Particle& particle) const {
        if (!packing.orientation.empty()) particle.orientation = packing.orientation[i];
        if (!packing.angular_velocity.empty()) particle.angular_velocity = packing.angular_velocity[i];
        const Quaternion& q = particle.orientation;
        const Vec3& spin = particle.angular_velocity;
        if (system_.dimension == 2 && (q.x() != 0.0 || q.y() != 0.0 || spin.x() != 0.0 || spin.y() != 0.0)) {
            fail(file, i,
                 "turned or spinning out of the plane in a scene with dimension = 2; expected an orientation "
                 "and "
                 "an angular velocity about z");
        }
        if (spin.cwiseAbs().maxCoeff() > kLargestNumber) {
            fail(file, i,
                 fmt::format("angular velocity {} rad/s; expected at most {:g}", spin.cwiseAbs().maxCoeff(),
                             kLargestNumber));
        }
        const Group& group = system_.groups[static_cast<std::size_t>(particle.group)];
        if (spin != Vec3::Zero() && (group.frozen || !group.rotates)) {
            fail(file, i,
                 fmt::format(
                     "it spins, but its group '{}' is {}; remove the angular velocities or change the group",
                     group.name, group.frozen ? "frozen" : "locked (rotation = \"locked\")"));
        }
    }

    std::int32_t group_of(const ParticleFile& file, const Packing& packing, std::size_t i) const {
        if (file.group != ParticleFile::group_of_file) return file.group;
        if (packing.group.empty()) return 0;
        const std::int32_t group = packing.group[i];
        if (group < 0 || static_cast<std::size_t>(group) >= system_.groups.size()) {
            fail(file, i,
                 fmt::format(
                     "group number {}, but the scene has {}; declare them in the order of the run that "
                     "wrote the file, or give 'group' in the [[particles]] entry",
                     group, counted(static_cast<std::int64_t>(system_.groups.size()), "group")));
        }
        return group;
    }

    [[noreturn]] static void fail(const ParticleFile& file, std::size_t i, const std::string& message) {
        throw InputError(SourcePlace{file.path, 0}, fmt::format("particle {}", i), message);
    }

    const Scene& scene_;
    System& system_;
    std::vector<std::string>* remarks_;
};

}  // namespace

System build_system(const Scene& scene, std::vector<std::string>* remarks) {
    System system;
    system.dimension = scene.dimension;
    system.groups = scene.groups;
    system.walls = scene.walls;
    system.law = scene.law;
    system.gravity = scene.gravity;
    Builder builder(scene, system, remarks);
    for (const ParticleInput& input : scene.particles) std::visit(builder, input);
    for (const Inlet& inlet : scene.inlets) {
        located(inlet.entry, [&] { check_capacity(inlet, scene.end, system); });
    }
    set_radii(system.particles, system.groups, system.dimension, system.time);
    return system;
}

}  // namespace talus
