#pragma once

#include <functional>
#include <vector>

namespace talus::validation {

/// y = intercept + slope x by least squares.
struct Line {
    double slope = 0.0, intercept = 0.0;
    double slope_error = 0.0;  ///< standard error; 0 for two points
};

/// Whether there are values further apart than by rounding.
bool differ(const std::vector<double>& values);

/// @throws std::invalid_argument for fewer than two different x, or as many y as x are not given.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y);

/// y = prefactor x^exponent: a line through the logarithms.
struct PowerLaw {
    double exponent = 0.0, prefactor = 0.0, exponent_error = 0.0;
};

/// @throws std::invalid_argument as fit_line, and for numbers that are not > 0.
PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y);

/// Where a function with one minimum in [low, high] has it, to a part of 1e-6 of the interval.
double minimum_of(const std::function<double(double)>& function, double low, double high);

double mean_of(const std::vector<double>& values);

/// Standard error of the mean, from the scatter of the values; 0 for a single one.
double mean_error_of(const std::vector<double>& values);

}  // namespace talus::validation
