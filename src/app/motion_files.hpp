#pragma once

#include <string>
#include <vector>

#include "talus/io/motion_writer.hpp"
#include "talus/io/series_writer.hpp"
#include "talus/scene/lagrange_scene.hpp"

namespace talus::app {

/// Impulses that one constraint carried in steps without break.
struct Contact {
    double begin = 0.0, end = 0.0;     ///< [s]; the same for an impact of the event-driven integrator
    double impulse = 0.0;              ///< sum over the steps
    double before = 0.0, after = 0.0;  ///< rate of the gap at both
};

/// Files of talus lagrange: motion.csv with a row for each step, impacts.csv with one for each contact
/// (consecutive steps in which a constraint carries an impulse; of the event-driven integrator each impact),
/// motion_*.vtp and motion.pvd.
class MotionFiles {
public:
    /// Writes the start. @throws OutputError, as every function here.
    MotionFiles(const std::string& directory, const LagrangeScene& scene);

    /// @param last step of the run: it gets a frame and ends all contacts.
    void after_step(const lagrange::Scheme& scheme, const lagrange::StepReport& report, bool last);

    int frames() const { return frames_.frames(); }
    int contacts() const { return contact_count_; }

private:
    void write_row(const lagrange::State& state);
    void write_frame(const lagrange::State& state);
    void take_impacts(const lagrange::EventDriven& scheme);
    void take_impulses(const lagrange::State& state, const lagrange::StepReport& report, bool last);
    void write_contact(int constraint, const Contact& contact);
    lagrange::Vector rates(const lagrange::State& state) const;

    const LagrangeScene& scene_;
    SeriesWriter motion_, impacts_;
    MotionWriter frames_;
    lagrange::Vector last_rates_;  ///< before the step
    std::vector<Contact> open_;    ///< by constraint; impulse 0: none
    std::size_t impacts_taken_ = 0;
    int contact_count_ = 0;
    double last_row_ = 0.0, last_frame_ = 0.0;  ///< [s]
};

}  // namespace talus::app
