#pragma once

#include <string>
#include <vector>

namespace talus {

/// One line of a .pvd collection.
struct CollectionEntry {
    double time;       ///< of the state in the file [s]
    std::string file;  ///< relative to the collection
};

/// Text of a .pvd collection; times in the shortest form that reads back to the same bits.
std::string collection_text(const std::vector<CollectionEntry>& entries);

/// Entries of a collection that collection_text made. @throws InputError naming file and line.
std::vector<CollectionEntry> read_collection(const std::string& path);

}  // namespace talus
