#include "talus/core/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace talus {

namespace {

void require_finite(std::initializer_list<double> numbers) {
    for (const double number : numbers) {
        if (!std::isfinite(number)) throw std::invalid_argument("a schedule needs finite numbers");
    }
}

void require_order(double begin, double end) {
    if (!(begin < end)) throw std::invalid_argument("a schedule must end after it begins");
}

/// sin(2 pi cycles): whole turns are taken off first, which is exact and keeps late times accurate.
double sine_of_cycles(double cycles) {
    return std::sin(2.0 * std::numbers::pi * std::remainder(cycles, 1.0));
}

/// sin(pi x) / (pi x).
double sine_ratio(double x) {
    return x == 0.0 ? 1.0 : sine_of_cycles(0.5 * x) / (std::numbers::pi * x);
}

/// (exp(x) - 1) / x.
double growth_ratio(double x) {
    return x == 0.0 ? 1.0 : std::expm1(x) / x;
}

/// Turns made by a sine since its argument was 0.
double cycles_at(const Schedule& s, double t) {
    return s.frequency * (t - s.begin) + s.phase / (2.0 * std::numbers::pi);
}

double table_at(const Schedule& s, double t) {
    const auto after = std::upper_bound(s.times.begin(), s.times.end(), t);
    if (after == s.times.begin()) return s.values.front();
    const auto k = static_cast<std::size_t>(after - s.times.begin());
    if (after == s.times.end()) return s.values.back();
    const double part = (t - s.times[k - 1]) / (s.times[k] - s.times[k - 1]);
    return s.values[k - 1] + (s.values[k] - s.values[k - 1]) * part;
}

/// Mean over [a, b] that holds no begin, end or knot in its inside.
double mean_of_piece(const Schedule& s, double a, double b) {
    const double middle = a + 0.5 * (b - a);
    switch (s.kind) {
        case Schedule::Kind::exponential: {
            const bool grows = a >= s.begin && b <= s.end;
            return s.at(a) * (grows ? growth_ratio(s.rate * (b - a)) : 1.0);
        }
        case Schedule::Kind::sine:
            return s.value +
                   s.amplitude * sine_of_cycles(cycles_at(s, middle)) * sine_ratio(s.frequency * (b - a));
        default:
            return s.at(middle);  // linear
    }
}

/// Calls visit(time) for every time strictly inside (t0, t1) at which the formula changes, in order.
template <class Visit>
void for_each_knot(const Schedule& s, double t0, double t1, Visit&& visit) {
    if (s.kind == Schedule::Kind::table) {
        for (auto t = std::upper_bound(s.times.begin(), s.times.end(), t0); t != s.times.end() && *t < t1;
             ++t)
            visit(*t);
    } else if (s.kind == Schedule::Kind::ramp || s.kind == Schedule::Kind::exponential) {
        if (t0 < s.begin && s.begin < t1) visit(s.begin);
        if (t0 < s.end && s.end < t1) visit(s.end);
    }
}

/// Largest value of sign * schedule on [t0, t1].
double extreme(const Schedule& s, double t0, double t1, double sign) {
    if (!(t1 >= t0)) throw std::invalid_argument("an extreme of a schedule needs t1 >= t0");
    double best = std::max(sign * s.at(t0), sign * s.at(t1));
    for_each_knot(s, t0, t1, [&](double t) { best = std::max(best, sign * s.at(t)); });
    if (s.kind != Schedule::Kind::sine) return best;
    const auto [low, high] = std::minmax({cycles_at(s, t0), cycles_at(s, t1)});
    const double crest = sign * s.amplitude > 0.0 ? 0.25 : -0.25;  // turns at which the extreme is reached
    const bool reached = std::ceil(low - crest) <= std::floor(high - crest);
    return reached ? std::max(best, sign * s.value + std::abs(s.amplitude)) : best;
}

}  // namespace

Schedule Schedule::constant(double value) {
    require_finite({value});
    Schedule s;
    s.value = value;
    return s;
}

Schedule Schedule::ramp(double value, double rate, double begin, double end) {
    require_finite({value, rate, begin});
    require_order(begin, end);
    Schedule s;
    s.kind = Kind::ramp;
    s.value = value;
    s.rate = rate;
    s.begin = begin;
    s.end = end;
    return s;
}

Schedule Schedule::exponential(double value, double rate, double begin, double end) {
    Schedule s = ramp(value, rate, begin, end);
    s.kind = Kind::exponential;
    return s;
}

Schedule Schedule::sine(double value, double amplitude, double frequency, double phase, double begin) {
    require_finite({value, amplitude, frequency, phase, begin});
    Schedule s;
    s.kind = Kind::sine;
    s.value = value;
    s.amplitude = amplitude;
    s.frequency = frequency;
    s.phase = phase;
    s.begin = begin;
    return s;
}

Schedule Schedule::table(std::vector<double> times, std::vector<double> values) {
    if (times.empty() || times.size() != values.size())
        throw std::invalid_argument("a table needs as many values as times, at least one");
    for (std::size_t k = 0; k < times.size(); ++k) {
        require_finite({times[k], values[k]});
        if (k > 0) require_order(times[k - 1], times[k]);
    }
    Schedule s;
    s.kind = Kind::table;
    s.times = std::move(times);
    s.values = std::move(values);
    return s;
}

double Schedule::at(double t) const {
    switch (kind) {
        case Kind::constant:
            return value;
        case Kind::ramp:
            return value + rate * (std::clamp(t, begin, end) - begin);
        case Kind::exponential:
            return value * std::exp(rate * (std::clamp(t, begin, end) - begin));
        case Kind::sine:
            return value + amplitude * sine_of_cycles(cycles_at(*this, t));
        case Kind::table:
            return table_at(*this, t);
    }
    throw std::logic_error("unknown kind of schedule");
}

double Schedule::mean(double t0, double t1) const {
    if (!(t1 > t0)) throw std::invalid_argument("the mean of a schedule needs t1 > t0");
    // Weights instead of a difference of integrals: nothing cancels, however short the interval is.
    double sum = 0.0;
    double begin_of_piece = t0;
    const auto add_piece = [&](double t) {
        sum += (t - begin_of_piece) / (t1 - t0) * mean_of_piece(*this, begin_of_piece, t);
        begin_of_piece = t;
    };
    for_each_knot(*this, t0, t1, add_piece);
    add_piece(t1);
    return sum;
}

double Schedule::minimum(double t0, double t1) const {
    return -extreme(*this, t0, t1, -1.0);
}

double Schedule::maximum(double t0, double t1) const {
    return extreme(*this, t0, t1, 1.0);
}

bool Schedule::is_constant() const {
    switch (kind) {
        case Kind::constant:
            return true;
        case Kind::ramp:
            return rate == 0.0;
        case Kind::exponential:
            return rate == 0.0 || value == 0.0;
        case Kind::sine:
            return amplitude == 0.0 || frequency == 0.0;
        case Kind::table:
            return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
    }
    throw std::logic_error("unknown kind of schedule");
}

}  // namespace talus
