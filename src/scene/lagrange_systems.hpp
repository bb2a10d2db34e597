#pragma once

#include <memory>
#include <string>

#include "table.hpp"
#include "talus/lagrange/mechanical_system.hpp"

namespace talus::reading {

/// The section [system]: its kind and the parameters of that kind. @throws InputError.
std::unique_ptr<lagrange::MechanicalSystem> read_system(const Node& node, const Context& context,
                                                        std::string& kind);

/// The kind "expressions": a system whose functions are formulas. @throws InputError.
std::unique_ptr<lagrange::MechanicalSystem> read_expressions(const Node& node, const Context& context);

}  // namespace talus::reading
