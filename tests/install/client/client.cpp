// A ball falls onto a floor: the whole of a program that uses talus as a library.
#include <cstdio>
#include <talus/core/version.hpp>
#include <talus/geometry/shapes.hpp>
#include <talus/step/contact_step.hpp>

int main() {
    talus::System system;
    system.groups.push_back({.name = "default"});
    system.gravity[2] = talus::Schedule::constant(-9.81);
    system.particles.add({0, {0.0, 0.0, 0.5}, {0.0, 0.0, 0.0}, 0.1, 1.0});
    talus::Wall floor;
    floor.name = "floor";
    floor.shape = talus::make_half_space({0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
    system.walls.push_back(floor);

    talus::ContactStepper stepper({.time_step = 1e-3});
    while (system.step < 1000) stepper.step(system);
    const double height = system.particles.position[0].z();
    std::printf("talus %s: the ball of radius 0.1 m rests at %.6f m\n", talus::kVersion, height);
    return height > 0.1 - 1e-5 && height < 0.1 + 1e-5 ? 0 : 1;
}
