#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expressions.hpp"
#include "talus/lagrange/mechanical_system.hpp"

namespace talus::reading {

/// A mechanical system given by formulas of the time t, the coordinates by their names, their velocities as
/// NAME_dot (forces alone) and the parameters of the scene.
struct ExpressionSpec {
    std::vector<lagrange::Quantity> coordinates;  ///< n names that can stand in a formula
    std::vector<const Node*> mass;                ///< n formulas of the diagonal, or n * n row by row
    const Node* potential = nullptr;              ///< f; either this or `force`, or none: no force
    std::vector<const Node*> force;               ///< n, or none
    double damping = 0.0;                         ///< gamma; with a potential
    std::vector<lagrange::Quantity> constraint_names;
    std::vector<const Node*> constraints;  ///< g(t, q), as many as names
    std::vector<const Node*> point;        ///< 2 or 3 formulas of a point to draw, or none
};

/// Derivatives are central differences, extrapolated once (Richardson): those of first order, of formulas
/// with numbers of size one, are right to about 1e-11, those of second order to about 1e-9; inertial forces
/// of a varying mass to 1e-9.
/// @throws InputError for what is no formula; std::invalid_argument for a coordinate's name that is taken or
/// can not stand in one.
std::unique_ptr<lagrange::MechanicalSystem> make_expression_system(const ExpressionSpec& spec,
                                                                   const Parameters& parameters);

}  // namespace talus::reading
