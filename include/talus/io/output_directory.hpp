#pragma once

#include <string>

namespace talus {

/// Creates `directory` (with parents) ready for a new run and proves that a file can be written there.
/// Results of an earlier run are refused unless `force`, and then exactly talus's own files are removed;
/// files that talus did not make are never touched.
/// @throws InputError (results are there already) or OutputError (path is a file, not writable), each saying
/// what to do.
void prepare_output_directory(const std::string& directory, bool force);

/// Writes `text` to `path` under a temporary name, then renames it. @throws OutputError.
void write_file_atomically(const std::string& path, const std::string& text);

}  // namespace talus
