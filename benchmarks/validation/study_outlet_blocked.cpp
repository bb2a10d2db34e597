#include <fmt/format.h>

#include <string>
#include <vector>

#include "report.hpp"
#include "talus/measure/mechanics.hpp"

namespace talus::validation {

namespace {

struct Outlet {
    int dimension;
    double orifice;  // over the largest diameter [-]; the smallest discs have 0.8 of it
};

struct Blockage {
    double passed = 0.0, left = 0.0;  // grains
    bool jammed = false;              // the run was ended by [stop] jammed
    RunRecord record;
};

/// Wide enough for a grain.
bool is_open(const Outlet& outlet) {
    return outlet.orifice >= 1.0;
}

Blockage run_outlet(const Options& options, const Outlet& outlet) {
    const double flow = options.quick ? 0.3 : 3.0;  // [s]
    const std::string size = outlet.dimension == 2 ? "parameters.width=20" : "parameters.width=10";
    std::vector<std::string> settings = {fmt::format("parameters.orifice={}", outlet.orifice), size,
                                         fmt::format("parameters.fill={}", outlet.dimension == 2 ? 30 : 12),
                                         fmt::format("parameters.flow={}", flow)};
    if (is_open(outlet)) {  // a closed one has to hold to the end
        settings.push_back(
            fmt::format("stop.jammed={{ counter = \"orifice\", time = {}, from = \"settle\" }}",
                        options.quick ? 0.1 : 0.4));
    }
    SceneRun run(options, validation_scene(fmt::format("discharge_{}d.toml", outlet.dimension)), settings);
    run.to_end(0.1, [](const Simulation&) {});
    return {static_cast<double>(run.simulation().counted().front()),
            static_cast<double>(mobile_count(run.system())), !run.simulation().stop_reason().empty(),
            run.record()};
}

void judge_outlet(Report& report, const Outlet& outlet, const std::vector<Blockage>& blockages) {
    double passed = 0.0, jammed = 0.0;
    for (const Blockage& b : blockages) {
        passed += b.passed;
        jammed += b.jammed ? 1.0 / static_cast<double>(blockages.size()) : 0.0;
    }
    const std::string at = fmt::format(", {}-D, D = {:g} d", outlet.dimension, outlet.orifice);
    if (!is_open(outlet)) {
        report.judge(within("grains let out" + at, passed, 0.0, 0.0, "geometry"));
    } else {
        report.judge(within("share of jams recognised" + at, jammed, 1.0, 1e-12,
                            "Zuriguel 2005: arches below about 5 d"));
    }
}

}  // namespace

void study_outlet_blocked(const Options& options) {
    Report report(options, "outlet_blocked", {"dimension", "orifice", "seed", "passed", "left", "jammed"});
    for (const double orifice : values_of(options, {0.7, 2.0, 2.5, 3.0}, {0.7, 2.0})) {
        for (const int dimension : {2, 3}) {
            const Outlet outlet{dimension, orifice};
            std::vector<Blockage> blockages;
            for_each_seed(options, [&](const Options& seeded, double seed) {
                blockages.push_back(run_outlet(seeded, outlet));
                const Blockage& b = blockages.back();
                report.point(
                    {static_cast<double>(dimension), orifice, seed, b.passed, b.left, b.jammed ? 1.0 : 0.0},
                    b.record);
            });
            judge_outlet(report, outlet, blockages);
        }
    }
    report.finish();
}

}  // namespace talus::validation
