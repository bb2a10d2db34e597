#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "talus/core/error.hpp"
#include "talus/scene/scene_file.hpp"

/// Scenes of the tests, given as text.
namespace scene_text {

/// A folder of this process that is removed when the object goes.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("talus_scene_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        const std::string file = (path_ / name).string();
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

inline talus::Scene read(const std::string& text, const std::vector<std::string>& settings = {}) {
    const Folder folder;
    return talus::read_scene(folder.write("scene.toml", text), settings);
}

/// The message for a scene that must be refused, with the folder of the file cut off; "" when it is accepted.
/// @param use what is done with the scene after reading. @param files other files of the folder.
template <class Use>
std::string refusal(const std::string& text, const std::vector<std::string>& settings, const Use& use,
                    const std::map<std::string, std::string>& files = {}) {
    const Folder folder;
    for (const auto& [name, content] : files) folder.write(name, content);
    const std::string file = folder.write("scene.toml", text);
    try {
        use(talus::read_scene(file, settings));
    } catch (const talus::InputError& error) {
        std::string message = error.what();
        const std::string prefix = folder.path() + "/";
        for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
            message.erase(at, prefix.size());
        }
        return message;
    }
    return {};
}

/// ... when it is read.
inline std::string refusal(const std::string& text, const std::vector<std::string>& settings = {}) {
    return refusal(text, settings, [](const talus::Scene&) {});
}

/// ... when it is read or built.
inline std::string build_refusal(const std::string& text,
                                 const std::map<std::string, std::string>& files = {}) {
    return refusal(
        text, {}, [](const talus::Scene& scene) { talus::build_system(scene); }, files);
}

/// True if `text` holds every one of `parts`.
inline bool holds(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        if (text.find(part) == std::string::npos) return false;
    }
    return true;
}

/// One line, so that what a test adds begins on line 2.
inline const std::string time_section = "time = { step = 1e-3, end = 1.0 }\n";

}  // namespace scene_text
