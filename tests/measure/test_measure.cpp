#include "talus/measure/measure.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/builders.hpp"
#include "talus/measure/packing.hpp"
#include "talus/measure/region_means.hpp"

using namespace talus;
using namespace talus::test;

namespace measure_tests {

namespace {

Region unit_box() {
    Region region;
    region.high = Vec3::Ones();
    return region;
}

std::vector<Measure> one_of_each_kind() {
    return {{"a b", unit_box()}, {"toe", Front{}}, {"top", HeapHeight{}}, {"slope", Repose{}}};
}

}  // namespace

TEST_CASE("each column carries the name of its measure, and a region has those of the dimension") {
    CHECK(measure_columns({"a,b", unit_box()}, 2) ==
          std::vector<std::string>{"solid_fraction_a_b", "coordination_a_b", "coordination_no_rattlers_a_b",
                                   "stress_a_b_xx", "stress_a_b_yy", "stress_a_b_xy", "velocity_a_b_x",
                                   "velocity_a_b_y", "granular_temperature_a_b"});
    CHECK(measure_columns({"c", unit_box()}, 3).size() == 13);
    CHECK(measure_columns({"toe", Front{}}, 3) == std::vector<std::string>{"front_toe"});
    CHECK(measure_columns({"top", HeapHeight{}}, 3) == std::vector<std::string>{"height_top"});
    CHECK(measure_columns({"slope", Repose{}}, 3) == std::vector<std::string>{"angle_slope"});
}

TEST_CASE("there are as many values as columns, and without particles means are not a number") {
    for (const int dimension : {2, 3}) {
        std::size_t columns = 0;
        for (const Measure& measure : one_of_each_kind()) {
            columns += measure_columns(measure, dimension).size();
        }
        const std::vector<double> values = measure_all(one_of_each_kind(), empty_system(dimension), {}, 1e-3);
        CHECK(values.size() == columns);
        // Solid fraction and stress of nothing are 0; two coordinations, velocity, temperature and the three
        // measures of the heap do not exist.
        CHECK(std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }) ==
              2 + dimension + 1 + 3);
    }
}

TEST_CASE("the values of a region are those of its functions, in the order of the columns") {
    System system = empty_system(3, Vec3(0.1, 0.2, -9.81));
    add_open_box(system, 0.3, 0.3);
    add_loose_lattice(system, 3, 3, 5, 0.03, 0.2, 5);
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.5;
    ContactStepper stepper(StepOptions{.time_step = 1e-3});
    for (int k = 0; k < 300; ++k) stepper.step(system);
    const Region region = unit_box();
    const std::vector<double> values = measure_all({{"r", region}}, system, stepper.contacts(), 1e-3);
    const Mat3 stress = contact_stress(system, stepper.contacts(), region, 1e-3);
    const std::optional<RegionMotion> motion = region_motion(system, region);
    REQUIRE(motion);
    CHECK(stress.cwiseAbs().minCoeff() > 0.0);
    const std::vector<double> expected = {solid_fraction(system, region),
                                          mean_coordination(system, stepper.contacts()),
                                          coordination_no_rattlers(system, stepper.contacts()),
                                          stress(0, 0),
                                          stress(1, 1),
                                          stress(2, 2),
                                          stress(0, 1),
                                          stress(0, 2),
                                          stress(1, 2),
                                          motion->velocity.x(),
                                          motion->velocity.y(),
                                          motion->velocity.z(),
                                          motion->temperature};
    REQUIRE(values.size() == expected.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        CAPTURE(k);
        CHECK(values[k] == expected[k]);
    }
}

}  // namespace measure_tests
