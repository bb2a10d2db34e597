#include "log_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace talus::app {

namespace {

constexpr double kWidth = 720.0, kHeight = 540.0, kLeft = 90.0, kRight = 200.0, kTop = 40.0, kBottom = 60.0;
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#56b4e9", "#000000"};
constexpr std::array<const char*, 6> kMarks = {"●", "■", "▲", "◆", "○", "□"};

/// Whole decades that hold values, and where they are on paper.
struct Axis {
    int low = 0, high = 1;  ///< exponents of 10
    double begin = 0.0, end = 1.0;

    double at(double value) const { return begin + (end - begin) * (std::log10(value) - low) / (high - low); }
};

Axis axis_of(const std::vector<Curve>& curves, std::vector<double> Curve::*member, double begin, double end) {
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (const Curve& curve : curves) {
        for (const double value : curve.*member) {
            if (!(value > 0.0) || !std::isfinite(value)) continue;
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    if (most == 0.0) return {0, 1, begin, end};
    const int low = static_cast<int>(std::floor(std::log10(least)));
    return {low, std::max(low + 1, static_cast<int>(std::ceil(std::log10(most)))), begin, end};
}

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    return safe;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                       escaped(text));
}

std::string line(double x1, double y1, double x2, double y2) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#cccccc\"/>\n",
                       x1, y1, x2, y2);
}

std::string grid(const Axis& x, const Axis& y) {
    std::string svg;
    for (int k = x.low; k <= x.high; ++k) {
        const double at = x.at(std::pow(10.0, k));
        svg += line(at, y.begin, at, y.end) + text_at(at, y.begin + 20.0, "middle", fmt::format("1e{}", k));
    }
    for (int k = y.low; k <= y.high; ++k) {
        const double at = y.at(std::pow(10.0, k));
        svg += line(x.begin, at, x.end, at) + text_at(x.begin - 8.0, at + 4.0, "end", fmt::format("1e{}", k));
    }
    return svg;
}

std::string draw(const Curve& curve, std::size_t number, const Axis& x, const Axis& y) {
    const char* colour = kColours[number % kColours.size()];
    const std::string fill = fmt::format(" fill=\"{}\"", colour);
    std::string points, marks;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        if (!(curve.x[k] > 0.0 && curve.y[k] > 0.0)) continue;
        const double px = x.at(curve.x[k]), py = y.at(curve.y[k]);
        points += fmt::format("{:.1f},{:.1f} ", px, py);
        marks += text_at(px, py + 5.0, "middle", kMarks[number % kMarks.size()], fill.c_str());
    }
    const double row = y.end + 20.0 + 20.0 * static_cast<double>(number);
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", points, colour) + marks +
           text_at(x.end + 12.0, row, "start",
                   fmt::format("{} {}", kMarks[number % kMarks.size()], curve.name), fill.c_str());
}

}  // namespace

std::string log_plot(const std::string& title, const std::string& x_label, const std::string& y_label,
                     const std::vector<Curve>& curves) {
    const Axis x = axis_of(curves, &Curve::x, kLeft, kWidth - kRight);
    const Axis y = axis_of(curves, &Curve::y, kHeight - kBottom, kTop);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        kWidth, kHeight);
    svg += text_at(0.5 * (x.begin + x.end), 24.0, "middle", title) + grid(x, y);
    svg += text_at(0.5 * (x.begin + x.end), kHeight - 14.0, "middle", x_label);
    const std::string turned = fmt::format(" transform=\"rotate(-90 20 {0:.1f})\"", 0.5 * kHeight);
    svg += text_at(20.0, 0.5 * kHeight, "middle", y_label, turned.c_str());
    for (std::size_t k = 0; k < curves.size(); ++k) svg += draw(curves[k], k, x, y);
    return svg + "</svg>\n";
}

}  // namespace talus::app
