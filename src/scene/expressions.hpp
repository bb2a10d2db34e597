#pragma once

#include <map>
#include <string>

#include "node.hpp"

namespace talus::reading {

/// The numbers of [parameters], which formulas in the file may use.
class Parameters {
public:
    Parameters() = default;
    /// @param table the [parameters] table: numbers, or formulas of the other parameters in any order.
    /// @throws InputError for a name that can not stand in a formula, a circle, a value that is not finite.
    explicit Parameters(const Node& table);

    /// Value of the formula in `node`. @throws InputError naming its place, for anything that is no formula
    /// of the parameters with one finite value.
    double evaluate(const Node& node) const;
    const std::map<std::string, double>& values() const { return values_; }

private:
    double resolve(const std::string& name, const Node& table, std::vector<std::string>& open);
    void resolve_names_of(const Node& formula, const Node& table, std::vector<std::string>& open);

    std::map<std::string, double> values_;
};

}  // namespace talus::reading
