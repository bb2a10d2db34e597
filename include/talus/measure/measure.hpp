#pragma once

#include <string>
#include <variant>
#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/geometry/region.hpp"
#include "talus/measure/heap.hpp"
#include "talus/step/system.hpp"

/// What a user asks to be measured, as columns of a table.
namespace talus {

struct Measure {
    std::string name;
    std::variant<Region, Front, HeapHeight, Repose> what;
};

/// A name of the scene as part of a column: what is no letter or digit, such as a comma or a space, would
/// confuse readers of the table and becomes "_".
std::string column_name(const std::string& prefix, std::string name);

/// Columns of a measure, each with its name in it.
std::vector<std::string> measure_columns(const Measure& measure, int dimension);

/// Values of all columns of all measures, in their order; not a number where there is nothing to measure.
/// @param contacts of one step between particles of the system. @param time_step h [s].
std::vector<double> measure_all(const std::vector<Measure>& measures, const System& system,
                                const ContactList& contacts, double time_step);

}  // namespace talus
