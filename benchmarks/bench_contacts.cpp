#include "boxes.hpp"
#include "stages.hpp"
#include "talus/broadphase/neighbour_list.hpp"
#include "talus/contact/find_contacts.hpp"
#include "talus/core/parallel.hpp"
#include "talus/step/contact_law.hpp"
#include "talus/step/reach.hpp"

namespace talus::bench {

void bench_contacts(const Options& options, int count) {
    const System system = box_of(options, count).system;
    const Particles& particles = system.particles;
    const StepOptions defaults;
    std::vector<double> reach;
    initial_reach(particles, particles.velocity, kBoxStep, defaults.margin, reach);
    NeighbourList list(defaults.broad_phase, defaults.skin);
    list.update(particles, reach);
    const LawTable law = law_table(system);
    const std::vector<PlacedWall> walls = place_walls(system.walls, 0.0, kBoxStep);
    const std::vector<Vec3> still(particles.position.size(), Vec3::Zero());
    for (const int threads : options.threads) {
        set_thread_count(threads);
        ContactFinder finder;
        ContactList contacts;
        const ContactInput input{particles, particles.radius, reach, law};
        Row row;
        row.stage = "contacts";
        row.variant = "pairs and walls";
        row.bodies = particles.size();
        row.threads = threads;
        row.time = repeat(
            options.repeats, [] {},
            [&] {
                finder.pairs(input, list.pairs(), contacts);
                finder.walls(input, walls, still, contacts);
            });
        row.items = static_cast<std::int64_t>(contacts.size());
        print(options, row);
    }
}

}  // namespace talus::bench
