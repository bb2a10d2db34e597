#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"

using command::contains;
using command::last_value;
using command::occurrences;
using command::Result;
using command::Workplace;

namespace {

std::string scene(const std::string& name) {
    return command::shipped_scene("lagrange/" + name);
}

}  // namespace

TEST_CASE("talus lagrange writes the motion, its impacts and frames that talus info reads back") {
    const Workplace here;
    const Result result = here.talus("lagrange " + scene("ball") + " --out here --set output.every=0.1");
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(contains(result.out, "2000 steps"));
    const std::string motion = here.read("here/motion.csv");
    CHECK(occurrences(motion, "\n") == 2002);
    CHECK(
        motion.starts_with("time,height,height_dot,kinetic_energy,potential_energy,total_energy,gap_floor"));
    CHECK(std::abs(last_value(motion, "height")) < 1e-12);
    // The first impact: fall from 1 m, Newton's law with 0.5, momentum.
    std::istringstream impacts(here.read("here/impacts.csv"));
    std::string head, first;
    std::getline(impacts, head);
    std::getline(impacts, first);
    const std::string one = head + "\n" + first;
    const double fall = std::sqrt(2.0 / 9.81), speed = 9.81 * fall;
    CHECK(last_value(one, "time") == doctest::Approx(fall).epsilon(5e-3));
    CHECK(last_value(one, "rate_before") == doctest::Approx(-speed).epsilon(5e-3));
    CHECK(last_value(one, "rate_after") == doctest::Approx(0.5 * speed).epsilon(5e-3));
    CHECK(last_value(one, "impulse") == doctest::Approx(1.5 * speed).epsilon(5e-3));
    CHECK(occurrences(here.read("here/motion.pvd"), "<DataSet") == 21);
    const Result facts = here.talus("info here");
    CHECK(facts.code == 0);
    CHECK(contains(facts.out, "21 frames, t = 0 s to 2 s"));
    CHECK(contains(facts.out, "3 points, 1 line"));  // the ball and both ends of the floor
}

TEST_CASE("the event-driven integrator gives impacts to its tolerance") {
    const Workplace here;
    const Result result = here.talus("lagrange " + scene("ball") +
                                     " --out here --set scheme.kind=event_driven --set time.end=0.9");
    CHECK(result.code == 0);
    const std::string impacts = here.read("here/impacts.csv");
    CHECK(occurrences(impacts, "\n") == 2);
    CHECK(last_value(impacts, "time") == doctest::Approx(std::sqrt(2.0 / 9.81)).epsilon(1e-10));
    CHECK(last_value(impacts, "rate_after") == doctest::Approx(0.5 * std::sqrt(2.0 * 9.81)).epsilon(1e-10));
}

TEST_CASE("results of an earlier run are kept unless --force is given") {
    const Workplace here;
    const std::string run = "lagrange " + scene("ball") + " --out here --set time.end=0.01";
    CHECK(here.talus(run).code == 0);
    const Result again = here.talus(run);
    CHECK(again.code == 1);
    CHECK(contains(again.err, "--force"));
    CHECK(here.talus(run + " --force").code == 0);
}

TEST_CASE("a scheme that does not apply is refused with the hypothesis that it breaks") {
    const Workplace here;
    const Result refused = here.talus("lagrange " + scene("ball") + " --out here --set scheme.kind=paoli");
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "inelastic"));
    CHECK_FALSE(here.has("here"));
    const Result checked = here.talus("check " + scene("ball") + " --set scheme.kind=paoli");
    CHECK(checked.code == 1);
    CHECK(contains(checked.out,
                   "applicable   bernicot_lefebvre, paoli_schatzman, moreau_jean, event_driven\n"));
    CHECK(here.talus("check " + scene("ball")).code == 0);
}

TEST_CASE("scenes of one kind are refused by the commands of the other, with the right command") {
    const Workplace here;
    const Result run = here.talus("run " + scene("ball"));
    CHECK(run.code == 1);
    CHECK(contains(run.err, "use talus lagrange"));
    const Result lagrange = here.talus("lagrange " + command::shipped_scene("two_spheres"));
    CHECK(lagrange.code == 1);
    CHECK(contains(lagrange.err, "talus run"));
}

TEST_CASE("talus converge measures errors and orders, and says which schemes do not apply") {
    const Workplace here;
    const Result result = here.talus("converge " + scene("ball") + " --out here --steps 4e-3,1e-3,2.5e-4");
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(contains(result.out, "Reference: closed form"));
    CHECK(contains(result.out, "| paoli | not applicable: its impact law is inelastic"));
    const std::string csv = here.read("here/convergence.csv");
    CHECK(occurrences(csv, "\n") == 1 + 4 * 3);
    CHECK(occurrences(csv, "paoli_schatzman,") == 3);
    CHECK(last_value(csv, "position_max") < 1e-7);  // of the event-driven integrator
    CHECK(here.read("here/convergence.md").starts_with("# "));
    const std::string svg = here.read("here/convergence.svg");
    CHECK(svg.starts_with("<svg"));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(occurrences(svg, "<polyline") == 4);
}

TEST_CASE("talus converge compares with the event-driven integrator where there is no closed form") {
    const Workplace here;
    const Result result = here.talus("converge " + scene("double_pendulum") +
                                     " --out here --steps 2e-3,1e-3 --schemes moreau_jean,event_driven "
                                     "--set time.end=0.2");
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(contains(result.out, "| event_driven | not applicable: it is the reference itself |"));
    CHECK(contains(result.out, "| moreau_jean | 1."));  // M is taken at the start of a step: order one
    CHECK(last_value(here.read("here/convergence.csv"), "position_max") < 1e-6);
}

TEST_CASE("steps and schemes that are none are refused by name") {
    const Workplace here;
    const std::string converge = "converge " + scene("ball") + " --out here --steps ";
    for (const std::string steps : {"0", "a", "1e-3,,1e-4", "3"}) {
        const Result refused = here.talus(converge + steps);
        CAPTURE(refused.err);
        CHECK(refused.code == 1);
        CHECK(contains(refused.err, "--steps"));
    }
    const Result refused = here.talus(converge + "1e-3 --schemes moro");
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "--schemes: there is no scheme 'moro'; schemes: bernicot_lefebvre"));
    CHECK_FALSE(here.has("here"));
}

TEST_CASE("what cannot be run is refused with one message, and leaves nothing behind") {
    const Workplace here;
    const std::pair<std::string, std::string> cases[] = {
        {"time.step=0", "time.step: expected a number > 0, found 0"},
        {"'system.mass=[\"-1\", \"1\"]'", "the mass matrix is not symmetric positive definite"},
        {"'system.mass=[\"sqrt(x-9)\", \"1\"]'", "the mass matrix is not symmetric positive definite"},
        {"'system.potential=\"sqrt(x-9)\"'", "the force is not finite at the start"},
        {"'system.constraints={floor=\"x-9\"}'", "expected one >= 0"},
        {"'system.constraints={floor=\"sqrt(x-9)\"}'", "expected one >= 0"},
        {"scheme.kind=leapfrog", "unknown 'leapfrog'; valid: bernicot_lefebvre"},
        {"scheme.restitution=1.5", "scheme.restitution: expected a number >= 0 and <= 1, found 1.5"},
    };
    for (const auto& [setting, message] : cases) {
        CAPTURE(setting);
        const Result refused = here.talus("lagrange " + scene("formulas") + " --out here --set " + setting);
        CAPTURE(refused.err);
        CHECK(refused.code == 1);
        CHECK(contains(refused.err, message));
        CHECK(occurrences(refused.err, "\n") == 1);
        CHECK_FALSE(here.has("here"));
    }
}

TEST_CASE("a gap that stops being a number ends the run and is no open constraint") {
    const Workplace here;
    const Result ended = here.talus("lagrange " + scene("formulas") +
                                    " --out here --set 'system.constraints={floor=\"sqrt(y-0.3)\"}'");
    CAPTURE(ended.err);
    CHECK(ended.code == 2);
    CHECK(contains(ended.err, "a gap is not a number"));
}

TEST_CASE("a mass that falls to zero ends the run, with what is wrong") {
    const Workplace here;
    const std::pair<std::string, std::string> cases[] = {
        {"moreau_jean", "the mass matrix is not positive definite"},
        {"bernicot_lefebvre", "the mass matrix is not positive definite"},
        {"event_driven", "the integrator's steps have shrunk to rounding"},
    };
    for (const auto& [scheme, message] : cases) {
        const Result ended =
            here.talus("lagrange " + scene("formulas") + " --force --out here --set scheme.kind=" + scheme +
                       " --set 'system.mass=[\"m\", \"y-0.6\"]'");
        CAPTURE(ended.err);
        CHECK(ended.code == 2);
        CHECK(contains(ended.err, message));
    }
}
