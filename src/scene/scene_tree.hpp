#pragma once

#include <string>
#include <vector>

#include "node.hpp"

namespace talus::reading {

/// A scene file with its settings applied; which sections it has is not checked.
struct SceneTree {
    Node root;
    std::string text;  ///< to keep beside the results: the file, or with settings the tree, without comments
};

/// @throws InputError for a file that can not be read or is empty, TOML errors, settings that lead nowhere.
SceneTree read_tree(const std::string& path, const std::vector<std::string>& settings);

}  // namespace talus::reading
