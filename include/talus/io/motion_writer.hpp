#pragma once

#include <string>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Writes points and polylines at instants of a motion, for ParaView: motion_000123.vtp and motion.pvd. A
/// file is listed when it is complete.
class MotionWriter {
public:
    /// @param directory exists (see prepare_output_directory).
    explicit MotionWriter(std::string directory);
    /// Writes the next frame; coordinates in [m], time in [s]. @throws OutputError naming the file.
    void write(double time, const std::vector<Vec3>& points, const std::vector<std::vector<Vec3>>& lines);
    int frames() const { return static_cast<int>(times_.size()); }  ///< written so far

private:
    std::string directory_;
    std::vector<double> times_;
};

}  // namespace talus
