#pragma once

#include <array>
#include <string>
#include <vector>

#include "bench.hpp"

namespace talus::bench {

/// Times and certificates of several steps.
class StepRecord {
public:
    void add(const StepReport& report, double seconds);

    /// The step as a whole: time and iterations of the median step, contacts of the last, worst residual.
    Row whole(const std::string& stage, const std::string& variant, Index bodies) const;
    /// One stage of it, over the same contacts.
    Row part(Stage part, const Row& whole) const;
    /// All steps together [s].
    double seconds() const;
    double seconds(Stage part) const;

private:
    std::vector<double> seconds_;
    std::array<std::vector<double>, kStageNames.size()> stage_seconds_;
    std::vector<int> iterations_;
    double residual_ = 0.0;
    Index contacts_ = 0;
};

}  // namespace talus::bench
