// A system of one's own in generalized coordinates: a bead on a wire y = cosh(x), whose end is a stop at x
// = 1. The mass matrix depends on the coordinate. Shows the error of a scheme against the event-driven
// reference.
#include <cmath>
#include <cstdio>
#include <talus/lagrange/convergence.hpp>
#include <talus/lagrange/potential_system.hpp>

using namespace talus::lagrange;

class BeadOnWire final : public PotentialSystem {
public:
    int coordinate_count() const override { return 1; }
    int constraint_count() const override { return 1; }
    // Kinetic energy 1/2 m (1 + y'^2) x'^2, and 1 + sinh^2 = cosh^2.
    Matrix mass(const Vector& q) const override {
        return Matrix::Constant(1, 1, kMass * std::pow(std::cosh(q[0]), 2));
    }
    Vector gaps(double /*t*/, const Vector& q) const override { return Vector::Constant(1, 1.0 - q[0]); }
    std::optional<double> potential(const Vector& q) const override { return kMass * 9.81 * std::cosh(q[0]); }

private:
    static constexpr double kMass = 0.5;  // [kg]
};

int main() {
    const BeadOnWire bead;
    const State start{0.0, Vector::Constant(1, -1.2), Vector::Zero(1)};
    // Derivatives that are not written are differences; what is written is checked against them.
    if (check_derivatives(bead, start).worst() > 1e-6) return 1;

    const SchemeOptions options{.restitution = {0.5}};
    std::vector<double> steps = {4e-3, 2e-3, 1e-3, 5e-4}, errors;
    for (const double h : steps) {
        const Reference reference = make_reference(bead, start, 2.0, h, options);
        const Comparison run = compare(SchemeKind::moreau_jean, bead, start, h, options, reference);
        errors.push_back(run.position_max);
        std::printf("h = %g s: error %.2e, violation %.2e\n", h, run.position_max, run.violation);
    }
    return errors.back() < 0.01 ? 0 : 1;
}
