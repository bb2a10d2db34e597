#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output_schedule.hpp"
#include "talus/io/frame_queue.hpp"
#include "talus/io/series_writer.hpp"
#include "talus/measure/measure.hpp"
#include "talus/scene/simulation.hpp"

namespace talus::app {

/// The files of one run: frames, series.csv, scene.toml. Frames of the first and of the last state are
/// written once each, whatever the schedule. Frames are written in the background: an error of theirs shows
/// in the next call of any function.
class RunFiles {
public:
    /// Writes the scene, the frame and the row of t = 0. @param directory is prepared. @throws OutputError.
    RunFiles(const std::string& directory, const Scene& scene, const Simulation& simulation);

    /// To be called after every step: writes what is due. @throws OutputError.
    void after_step(const Simulation& simulation, const StepReport& report);
    /// Writes the last state unless that has been done, and waits until every frame is in its files.
    void finish(const Simulation& simulation);

    int frames() const { return frames_.frames(); }
    const StageTime& written() const { return written_; }            ///< what writing cost the steps
    double background_seconds() const { return frames_.seconds(); }  ///< what it took beside them [s]

private:
    // What a row says about the steps since the row before.
    struct Since {
        double overlap = 0.0, residual = 0.0, residual_speed = 0.0, complementarity = 0.0;
        int iterations = 0;
        Index contacts = 0, active = 0;  // of the last step
        StageTimes times;
    };

    template <class Work>
    void timed(const Work& work);
    void write_frame(const Simulation& simulation);
    void write_row(const Simulation& simulation);
    std::vector<double> rates_of_counters(const Simulation& simulation);

    double time_step_;
    bool friction_;    // between any two surfaces
    bool every_step_;  // a row of the series at every step
    std::vector<Measure> measures_;
    OutputSchedule frame_schedule_, row_schedule_;
    FrameQueue frames_;
    SeriesWriter series_;
    Since since_;
    std::vector<double> mass_counted_;  // in the last row [kg]
    StageTime written_;
    std::int64_t last_frame_ = -1, last_row_ = -1;  // steps
    double last_row_time_ = 0.0;                    // [s]
};

}  // namespace talus::app
