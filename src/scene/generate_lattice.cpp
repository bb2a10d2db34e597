#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "placement.hpp"
#include "talus/core/error.hpp"
#include "talus/core/random.hpp"

namespace talus {

namespace {

/// Places of a lattice, numbered row by row along x, rows along y, layers along z.
struct Lattice {
    Vec3 first;         // centre of number 0 [m]
    Vec3 step;          // between neighbours of a row, between rows, between layers [m]
    bool staggered;     // hexagonal: rows and layers lie in the hollows of those before
    std::int64_t n[3];  // places along x, y, z

    std::int64_t size() const { return n[0] * n[1] * n[2]; }

    Vec3 place(std::int64_t number) const {
        const std::int64_t i = number % n[0];
        const std::int64_t j = number / n[0] % n[1];
        const std::int64_t k = number / n[0] / n[1];
        Vec3 cell(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        if (staggered) {
            // Hexagonal close packing ABAB: odd rows are shifted by half a spacing, odd layers by half a
            // spacing and a third of the distance of rows.
            cell[0] += 0.5 * static_cast<double>((j + k) % 2);
            cell[1] += static_cast<double>(k % 2) / 3.0;
        }
        return first + cell.cwiseProduct(step);
    }
};

constexpr double kMostPlaces = std::numeric_limits<Index>::max();

Lattice make_lattice(const LatticeFill& fill, double largest, int dimension) {
    const Box bounds = fill.region.bounds();
    Lattice lattice;
    lattice.staggered = fill.kind == LatticeFill::Kind::hexagonal;
    lattice.first = bounds.low + Vec3::Constant(largest);
    lattice.step = Vec3::Constant(fill.spacing);
    if (lattice.staggered) {
        lattice.step[1] *= std::sqrt(3.0) / 2.0;
        lattice.step[2] *= std::sqrt(2.0 / 3.0);
    }
    double size = 1.0;
    for (int k = 0; k < 3; ++k) {
        // One place more than the bare quotient: the test against the region decides, not this rounding.
        const double places =
            k < dimension
                ? std::max(0.0,
                           std::floor((bounds.high[k] - largest - lattice.first[k]) / lattice.step[k]) + 2.0)
                : 1.0;
        lattice.n[k] = static_cast<std::int64_t>(std::min(places, kMostPlaces));
        size *= places;
    }
    if (dimension == 2) lattice.first[2] = 0.0;
    if (size > kMostPlaces) {
        throw InputError(fmt::format(
            "lattice: {:.3g} places are more than {:.0f} particles; use a larger spacing than {} m "
            "or a smaller region",
            size, kMostPlaces, fill.spacing));
    }
    return lattice;
}

/// A random shift that keeps the place free, or none. Neighbours may each use half of the room between them.
Vec3 shifted(const Vec3& place, double radius, double longest, const FillSite& site, Random& random) {
    constexpr int kTries =
        8;  // of eight directions one leads away from a plane nearby with probability 0.996
    for (int k = 0; k < kTries; ++k) {
        Vec3 shift(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        if (site.dimension == 2) shift[2] = 0.0;
        const double length = shift.norm();
        if (length > 1.0) shift /= length;
        Vec3 x = place + longest * shift;
        if (site.admits(x, radius)) return x;
    }
    return place;
}

void validate_lattice(const LatticeFill& fill, double largest) {
    if (!(std::isfinite(fill.spacing) && fill.spacing >= 2.0 * largest * (1.0 - FreePlaces::kTouching))) {
        throw InputError(fmt::format(
            "lattice: the spacing must be finite and at least the largest diameter, {} m, not {} m",
            2.0 * largest, fill.spacing));
    }
    if (!(fill.jitter >= 0.0 && fill.jitter <= 1.0)) {
        throw InputError(fmt::format("lattice: the jitter must be in [0, 1], not {}", fill.jitter));
    }
}

}  // namespace

double expected_on_lattice(const LatticeFill& fill, double volume, int dimension) {
    const bool cubic = fill.kind == LatticeFill::Kind::cubic;
    // A cell of the hexagonal arrangement is sqrt(3)/2 high in 2-D, and sqrt(3)/2 * sqrt(2/3) in 3-D.
    const double cell = cubic ? 1.0 : (dimension == 2 ? std::sqrt(3.0) / 2.0 : std::sqrt(0.5));
    const double places = volume / (cell * std::pow(fill.spacing, dimension));
    return fill.count >= 0 ? std::min(places, static_cast<double>(fill.count)) : places;
}

Placement place_on_lattice(const LatticeFill& fill, const ParticleSource& source, const FillSite& site,
                           double scale) {
    const double largest = scale * source.radius.largest();
    validate_lattice(fill, largest);
    const Lattice lattice = make_lattice(fill, largest, site.dimension);
    Placement result;
    std::int64_t inside = 0;
    for (std::int64_t number = 0; number < lattice.size(); ++number) {
        if (fill.count >= 0 && static_cast<std::int64_t>(result.centre.size()) >= fill.count) break;
        const auto item = static_cast<std::uint64_t>(number);
        const double drawn = source.radius.draw(source.seed, item);
        const double radius = scale * drawn;
        Vec3 x = lattice.place(number);
        if (!site.region.contains(x, radius - FreePlaces::slack(x, radius), site.dimension)) continue;
        ++inside;
        if (!site.obstacles.is_free(x, radius)) {
            ++result.refused;
            continue;
        }
        if (fill.jitter > 0.0) {
            Random random(~source.seed, item);
            x = shifted(x, radius, 0.5 * fill.jitter * (fill.spacing - 2.0 * radius), site, random);
        }
        result.centre.push_back(x);
        result.reference_radius.push_back(drawn);
    }
    if (inside == 0 && fill.count != 0) {
        throw InputError(
            fmt::format("lattice: the region is too small for one particle of radius {} m", largest));
    }
    result.asked = fill.count >= 0 ? fill.count : inside;
    return result;
}

}  // namespace talus
