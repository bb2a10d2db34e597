#include "step_record.hpp"

#include <algorithm>
#include <numeric>

#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

void StepRecord::add(const StepReport& report, double seconds) {
    seconds_.push_back(seconds);
    for (std::size_t s = 0; s < stage_seconds_.size(); ++s)
        stage_seconds_[s].push_back(report.times.stages[s].seconds);
    iterations_.push_back(report.solver.iterations);
    residual_ = std::max(residual_, report.solver.residual);
    contacts_ = report.contacts;
}

Row StepRecord::whole(const std::string& stage, const std::string& variant, Index bodies) const {
    std::vector<int> iterations = iterations_;
    const auto middle = iterations.begin() + std::ssize(iterations) / 2;
    std::nth_element(iterations.begin(), middle, iterations.end());
    Row row;
    row.stage = stage;
    row.variant = variant;
    row.bodies = bodies;
    row.items = contacts_;
    row.threads = thread_count();
    row.time = timing_of(seconds_);
    row.iterations = *middle;
    row.residual = residual_;
    return row;
}

Row StepRecord::part(Stage part, const Row& whole) const {
    const auto s = static_cast<std::size_t>(part);
    Row row = whole;
    row.variant += std::string(" ") + kStageNames[s];
    row.time = timing_of(stage_seconds_[s]);
    if (part != Stage::solve) {
        row.iterations = 0;
        row.residual = 0.0;
    }
    row.per_simulated = 0.0;
    return row;
}

double StepRecord::seconds() const {
    return sum_of(seconds_);
}

double StepRecord::seconds(Stage part) const {
    return sum_of(stage_seconds_[static_cast<std::size_t>(part)]);
}

}  // namespace talus::bench
