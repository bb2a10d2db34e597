#include "talus/measure/measure.hpp"

#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <utility>

#include "talus/measure/packing.hpp"
#include "talus/measure/region_means.hpp"

namespace talus {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// An entry of a symmetric tensor that exists in so many dimensions.
struct Entry {
    const char* suffix;
    int row, column;
};

std::vector<Entry> tensor_entries(int dimension) {
    if (dimension == 2) return {{"_xx", 0, 0}, {"_yy", 1, 1}, {"_xy", 0, 1}};
    return {{"_xx", 0, 0}, {"_yy", 1, 1}, {"_zz", 2, 2}, {"_xy", 0, 1}, {"_xz", 0, 2}, {"_yz", 1, 2}};
}

/// Names of the columns of each kind of measure.
struct Columns {
    const std::string& name;
    int dimension;

    std::vector<std::string> operator()(const Region&) const {
        std::vector<std::string> columns;
        for (const char* scalar : {"solid_fraction_", "coordination_", "coordination_no_rattlers_"}) {
            columns.push_back(column_name(scalar, name));
        }
        for (const Entry& entry : tensor_entries(dimension)) {
            columns.push_back(column_name("stress_", name) + entry.suffix);
        }
        constexpr std::array axes = {"_x", "_y", "_z"};
        for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
            columns.push_back(column_name("velocity_", name) + axes[k]);
        }
        columns.push_back(column_name("granular_temperature_", name));
        return columns;
    }
    std::vector<std::string> operator()(const Front&) const { return {column_name("front_", name)}; }
    std::vector<std::string> operator()(const HeapHeight&) const { return {column_name("height_", name)}; }
    std::vector<std::string> operator()(const Repose&) const { return {column_name("angle_", name)}; }
};

/// Values of the same columns. What all regions need of the contacts is counted for the first of them.
class Values {
public:
    Values(const System& system, const ContactList& contacts, double time_step)
        : system_(system), contacts_(contacts), time_step_(time_step) {}

    void operator()(const Region& region) {
        count_contacts();
        add(solid_fraction(system_, region));
        add(mean_count(system_, region, active_));
        add(mean_count(system_, region, holding_, true));
        const Mat3 stress = contact_stress(system_, contacts_, region, time_step_);
        for (const Entry& entry : tensor_entries(system_.dimension)) add(stress(entry.row, entry.column));
        const std::optional<RegionMotion> motion = region_motion(system_, region);
        for (int k = 0; k < system_.dimension; ++k) add(motion ? motion->velocity[k] : kUndefined);
        add(motion ? motion->temperature : kUndefined);
    }
    void operator()(const Front& measure) { add(front_distance(system_, measure)); }
    void operator()(const HeapHeight& measure) { add(heap_height(system_, measure)); }
    void operator()(const Repose& measure) { add(repose_angle(system_, measure)); }

    std::vector<double> take() { return std::move(values_); }

private:
    void add(const std::optional<double>& value) { values_.push_back(value.value_or(kUndefined)); }
    void count_contacts() {
        if (!active_.empty()) return;
        active_ = coordination(system_, contacts_);
        holding_ = coordination_of_held(system_, contacts_);
    }

    const System& system_;
    const ContactList& contacts_;
    double time_step_;
    std::vector<double> values_;
    std::vector<Index> active_, holding_;
};

}  // namespace

std::string column_name(const std::string& prefix, std::string name) {
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return prefix + name;
}

std::vector<std::string> measure_columns(const Measure& measure, int dimension) {
    return std::visit(Columns{measure.name, dimension}, measure.what);
}

std::vector<double> measure_all(const std::vector<Measure>& measures, const System& system,
                                const ContactList& contacts, double time_step) {
    Values values(system, contacts, time_step);
    for (const Measure& measure : measures) std::visit(values, measure.what);
    return values.take();
}

}  // namespace talus
