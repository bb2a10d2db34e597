#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "report.hpp"
#include "talus/measure/mechanics.hpp"

namespace talus::validation {

namespace {

constexpr double kDiameter = 0.01;  // mean [m]

struct Case {
    int dimension;
    double friction;
};

struct Packing {
    double solid_fraction = 0.0;  // of the interior [-]
    double contacts = 0.0;        // of a grain of the interior that is no rattler [-]
    double isostatic = 0.0;       // twice all contacts over all grains that are no rattlers [-]
    double rattlers = 0.0;        // share of all grains [-]
    double speed = 0.0;           // rms, at the end [m/s]
    RunRecord record;
};

// Contacts that carry more than a thousandth of a mean grain's weight.
ContactList carrying(const SceneRun& run) {
    constexpr double kShare = 1e-3;
    const Particles& p = run.system().particles;
    const double weight = 9.81 * std::accumulate(p.mass.begin(), p.mass.end(), 0.0) / p.size();  // [N]
    ContactList carrying;
    for (const Contact& c : run.simulation().contacts()) {
        if (c.impulse > kShare * weight * run.step()) carrying.push_back(c);
    }
    return carrying;
}

bool joins(const Contact& c, const std::vector<std::uint8_t>& held) {
    return held[c.i] && (c.j < 0 || held[c.j]);
}

std::vector<Index> count_contacts(const ContactList& contacts, const std::vector<std::uint8_t>& held) {
    std::vector<Index> count(held.size(), 0);
    for (const Contact& c : contacts) {
        if (!joins(c, held)) continue;
        ++count[c.i];
        if (c.j >= 0) ++count[c.j];
    }
    return count;
}

// Whether each grain is part of the network of forces: rattlers, with fewer contacts than hold a grain, are
// taken out with their contacts until none is left.
std::vector<std::uint8_t> network(const ContactList& contacts, Index grains, Index needed) {
    std::vector<std::uint8_t> held(grains, 1);
    for (bool changed = true; changed;) {
        changed = false;
        const std::vector<Index> count = count_contacts(contacts, held);
        for (Index i = 0; i < grains; ++i) {
            if (held[i] == 0 || count[i] >= needed) continue;
            held[i] = 0;
            changed = true;
        }
    }
    return held;
}

// Two diameters away from walls and from the free surface.
Box interior(const System& system, double width) {
    const double margin = 2.0 * kDiameter;
    const int up = system.dimension - 1;
    std::vector<double> heights;
    for (const Vec3& q : system.particles.position) heights.push_back(q[up]);
    const auto high = heights.begin() + std::ssize(heights) * 95 / 100;  // below most of an uneven surface
    std::nth_element(heights.begin(), high, heights.end());
    Box box{Vec3::Constant(margin), Vec3::Constant(width * kDiameter - margin)};
    box.high[up] = *high - margin;
    if (system.dimension == 2) box.low.z() = box.high.z() = 0.0;
    return box;
}

bool inside(const Box& box, const Vec3& q) {
    return (q.array() >= box.low.array()).all() && (q.array() <= box.high.array()).all();
}

bool covered(const Particles& p, const Vec3& point) {
    for (Index i = 0; i < p.size(); ++i) {
        if ((p.position[i] - point).squaredNorm() < p.radius[i] * p.radius[i]) return true;
    }
    return false;
}

// Share of the points of a grid that lie in a grain: 40 along each side.
double sampled_solid_fraction(const System& system, const Box& box) {
    const int side = 40;
    const int layers = system.dimension == 2 ? 1 : side;
    const Vec3 spacing = (box.high - box.low) / side;
    int hits = 0;
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
            for (int k = 0; k < layers; ++k) {
                const Vec3 place = box.low + Vec3(i + 0.5, j + 0.5, k + 0.5).cwiseProduct(spacing);
                hits += covered(system.particles, place) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(hits) / (side * side * layers);
}

double mean_contacts(const System& system, const Box& box, const std::vector<Index>& count) {
    double sum = 0.0;
    Index grains = 0;
    for (Index i = 0; i < system.particles.size(); ++i) {
        if (count[i] == 0 || !inside(box, system.particles.position[i])) continue;
        sum += count[i];
        ++grains;
    }
    return grains == 0 ? 0.0 : sum / grains;
}

double rms_speed(const System& system) {
    double square = 0.0;
    for (const Vec3& u : system.particles.velocity) square += u.squaredNorm();
    return std::sqrt(square / system.particles.size());
}

// Means of what is judged.
Packing mean_packing(const std::vector<Packing>& packings) {
    Packing mean;
    for (const Packing& p : packings) {
        const double share = 1.0 / static_cast<double>(packings.size());
        mean.solid_fraction += share * p.solid_fraction;
        mean.contacts += share * p.contacts;
        mean.isostatic += share * p.isostatic;
    }
    return mean;
}

Packing measured(const SceneRun& run, const Case& packing_case, double width) {
    const System& system = run.system();
    const ContactList contacts = carrying(run);
    const Index needed = packing_case.friction > 0.0 ? 2 : packing_case.dimension + 1;
    const auto held = network(contacts, system.particles.size(), needed);
    const double grains = std::accumulate(held.begin(), held.end(), 0.0);
    const auto links =
        std::count_if(contacts.begin(), contacts.end(), [&](const Contact& c) { return joins(c, held); });
    const Box box = interior(system, width);
    Packing packing;
    packing.solid_fraction = sampled_solid_fraction(system, box);
    packing.contacts = mean_contacts(system, box, count_contacts(contacts, held));
    packing.isostatic = 2.0 * static_cast<double>(links) / grains;
    packing.rattlers = 1.0 - grains / system.particles.size();
    packing.speed = rms_speed(system);
    packing.record = run.record();
    return packing;
}

Packing packing_of(const Options& options, const Case& packing_case) {
    const bool flat = packing_case.dimension == 2;
    const double width = (flat ? 45.0 : 11.5) * (options.quick ? 0.6 : 1.0);
    std::vector<std::string> settings = {fmt::format("parameters.width={}", width)};
    if (options.quick) settings.insert(settings.end(), {"parameters.count=400", "time.end=0.3"});
    if (!flat) settings.push_back(fmt::format("parameters.friction={}", packing_case.friction));
    SceneRun run(options, validation_scene(flat ? "packing_2d.toml" : "packing_3d.toml"), settings);
    run.to_end(HUGE_VAL, [](const Simulation&) {});
    return measured(run, packing_case, width);
}

void judge_packing(Report& report, const Case& c, const Packing& packing) {
    const std::string source = "Agnolin, Roux 2007; tolerance ours";
    const std::string at = fmt::format(", {}-D, mu = {:g}", c.dimension, c.friction);
    if (c.friction > 0.0) {
        report.judge(within("solid fraction" + at, packing.solid_fraction, 0.593, 0.02, source));
        report.judge(within("contacts" + at, packing.contacts, 4.5, 0.4, source));
        return;
    }
    if (c.dimension == 3) {
        report.judge(within("solid fraction" + at, packing.solid_fraction, 0.64, 0.02, source));
        report.judge(within("contacts, interior" + at, packing.contacts, 6.0, 0.1, source));
    }
    report.judge(within("2 contacts/grains, isostatic" + at, packing.isostatic, 2.0 * c.dimension, 0.1,
                        "count of equations; tolerance ours"));
}

}  // namespace

void study_packing(const Options& options) {
    Report report(
        options, "packing",
        {"dimension", "friction", "seed", "solid_fraction", "contacts", "isostatic", "rattlers", "speed"});
    for (const Case& c : {Case{2, 0.0}, Case{3, 0.0}, Case{3, 0.3}}) {
        std::vector<Packing> packings;
        for_each_seed(options, [&](const Options& seeded, double seed) {
            packings.push_back(packing_of(seeded, c));
            const Packing& p = packings.back();
            report.point({static_cast<double>(c.dimension), c.friction, seed, p.solid_fraction, p.contacts,
                          p.isostatic, p.rattlers, p.speed},
                         p.record);
        });
        judge_packing(report, c, mean_packing(packings));
    }
    report.finish();
}

}  // namespace talus::validation
