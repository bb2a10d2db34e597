#pragma once

#include <stdexcept>
#include <string>

namespace talus {

/// Where in the user's input something stands.
struct SourcePlace {
    std::string file;
    int line = 0;  ///< 0: no line is known (a key given on the command line)
};

/// An entry of the user's input, for what turns out to be wrong with it after it was read.
struct SourceEntry {
    SourcePlace place;
    std::string key;
};

/// The user's input is wrong: one message with file, line, key, what was expected and what to do.
class InputError : public std::runtime_error {
public:
    explicit InputError(const std::string& message) : std::runtime_error(message) {}
    /// what() reads "file:line: key: message".
    InputError(const SourcePlace& place, const std::string& key, const std::string& message);
};

/// Runs `work` and gives the place of `entry` to the message of what it refuses.
template <class Work>
auto located(const SourceEntry& entry, const Work& work) {
    try {
        return work();
    } catch (const std::invalid_argument& error) {
        throw InputError(entry.place, entry.key, error.what());
    } catch (const InputError& error) {
        throw InputError(entry.place, entry.key, error.what());
    }
}

/// The run can not go on from the state it is in (jammed growth, a position that is not finite).
class StateError : public std::runtime_error {
public:
    explicit StateError(const std::string& message) : std::runtime_error(message) {}
};

/// A file can not be written (missing permission, full disc); what() names it.
class OutputError : public std::runtime_error {
public:
    explicit OutputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace talus
