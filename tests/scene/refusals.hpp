#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scene/scene_text.hpp"

namespace scene_text {

/// A scene that must be refused, and what its one message must hold (place first).
struct Refused {
    const char* what;
    std::string text;
    std::vector<std::string> parts;
};

inline void check_all(const std::vector<Refused>& cases) {
    for (const Refused& item : cases) {
        const std::string message = refusal(item.text);
        INFO(item.what << ": " << message);
        CHECK(!message.empty());
        CHECK(holds(message, item.parts));
    }
}

inline std::string sphere(const std::string& members) {
    return time_section + "[[particles]]\nkind = \"sphere\"\n" + members;
}

inline std::string plane_scene(const std::string& members) {
    return "dimension = 2\n" + time_section + members;
}

}  // namespace scene_text
