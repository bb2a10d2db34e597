#pragma once

#include <limits>
#include <vector>

namespace talus {

/// A number as a function of time: a radius scale [-], a gravity component [m/s^2], a wall's displacement [m]
/// or angle [rad]. Plain data; the kind says which members count.
struct Schedule {
    enum class Kind { constant, ramp, exponential, sine, table };

    Kind kind = Kind::constant;
    double value = 0.0;  ///< constant value; value before `begin` (ramp, exponential); mean value (sine)
    double rate = 0.0;   ///< slope of a ramp [1/s]; growth rate of an exponential [1/s]
    double begin = 0.0;  ///< time at which a ramp or exponential starts [s]
    double end = std::numeric_limits<double>::infinity();  ///< time at which it stops and stays [s], > begin
    double amplitude = 0.0;  ///< of a sine: value + amplitude sin(2 pi frequency (t - begin) + phase)
    double frequency = 0.0;  ///< [Hz]
    double phase = 0.0;      ///< [rad]
    std::vector<double> times, values;  ///< table: increasing times [s], linear between, constant outside

    static Schedule constant(double value);
    static Schedule ramp(double value, double rate, double begin = 0.0,
                         double end = std::numeric_limits<double>::infinity());
    static Schedule exponential(double value, double rate, double begin = 0.0,
                                double end = std::numeric_limits<double>::infinity());
    static Schedule sine(double value, double amplitude, double frequency, double phase = 0.0,
                         double begin = 0.0);
    static Schedule table(std::vector<double> times, std::vector<double> values);

    double at(double t) const;
    /// (1/(t1 - t0)) times the integral over [t0, t1], in closed form; t1 > t0.
    double mean(double t0, double t1) const;
    /// Smallest and largest value on [t0, t1], exact for every kind.
    double minimum(double t0, double t1) const;
    double maximum(double t0, double t1) const;
    bool is_constant() const;
};

}  // namespace talus
