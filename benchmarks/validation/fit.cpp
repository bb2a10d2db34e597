#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace talus::validation {

namespace {

std::vector<double> logarithms(const std::vector<double>& values) {
    std::vector<double> logs;
    for (const double value : values) {
        if (!(value > 0.0)) throw std::invalid_argument("a power law needs numbers greater than 0");
        logs.push_back(std::log(value));
    }
    return logs;
}

double squared_misses(const std::vector<double>& x, const std::vector<double>& y, const Line& line) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(y[i] - line.intercept - line.slope * x[i], 2);
    return sum;
}

}  // namespace

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double mean_error_of(const std::vector<double>& values) {
    if (values.size() < 2) return 0.0;
    const double mean = mean_of(values), count = static_cast<double>(values.size());
    double squares = 0.0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (count * (count - 1.0)));
}

bool differ(const std::vector<double>& values) {
    if (values.empty()) return false;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    constexpr double kRounding = 1e-12;
    return *most - *least > kRounding * std::max(std::abs(*least), std::abs(*most));
}

Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
    if (!differ(x) || x.size() != y.size()) throw std::invalid_argument("a line needs two points");
    const double x_mean = mean_of(x), y_mean = mean_of(y);
    double xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - x_mean) * (x[i] - x_mean);
        xy += (x[i] - x_mean) * (y[i] - y_mean);
    }
    Line line;
    line.slope = xy / xx;
    line.intercept = y_mean - line.slope * x_mean;
    if (x.size() > 2) {
        line.slope_error = std::sqrt(squared_misses(x, y, line) / static_cast<double>(x.size() - 2) / xx);
    }
    return line;
}

PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y) {
    const Line line = fit_line(logarithms(x), logarithms(y));
    return {line.slope, std::exp(line.intercept), line.slope_error};
}

// Golden section.
double minimum_of(const std::function<double(double)>& function, double low, double high) {
    const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
    const double goal = 1e-6 * (high - low);
    while (high - low > goal) {
        const double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (function(left) < function(right)) {
            high = right;
        } else {
            low = left;
        }
    }
    return 0.5 * (low + high);
}

}  // namespace talus::validation
