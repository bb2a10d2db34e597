#pragma once

#include <string>
#include <vector>

namespace talus::app {

/// One line of a plot with its name.
struct Curve {
    std::string name;
    std::vector<double> x, y;  ///< > 0; points that are not are left out
};

/// A plot with logarithmic axes as SVG text, decades as grid lines; readable without colours, because every
/// curve has its own marks. @param labels of the axes, with units.
std::string log_plot(const std::string& title, const std::string& x_label, const std::string& y_label,
                     const std::vector<Curve>& curves);

}  // namespace talus::app
