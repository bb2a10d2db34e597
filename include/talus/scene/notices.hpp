#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace talus {

/// Messages for the user, thinned out: of each kind the 1st, 10th, 100th, ... occurrence is kept, so that a
/// run of any length with a warning at every step stays readable.
class Notices {
public:
    /// @param kind what occurrences are counted by, for example "unconverged".
    void add(const std::string& kind, const std::string& text);
    /// The texts kept since the last call, in order.
    std::vector<std::string> take();

private:
    std::map<std::string, std::int64_t> occurrences_;
    std::vector<std::string> texts_;
};

}  // namespace talus
