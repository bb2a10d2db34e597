#pragma once

#include <algorithm>
#include <vector>

#include "talus/core/parallel.hpp"

namespace talus {

/// A parallel loop whose items append any number of results, which end up in the order of the items. The
/// buffers are kept between calls, so that a loop allocates nothing once warm; they hold the results of some
/// chunks of items at a time, not of all.
template <class T>
class ChunkedAppend {
public:
    /// Calls body(i, out) for i in [0, count); body appends to out. The results, in order of i, replace what
    /// stands in `result` from `begin` on: written over, not built anew, which one thread would do alone.
    template <class Body>
    void run(std::ptrdiff_t count, Body&& body, std::vector<T>& result, std::size_t begin) {
        std::size_t end = begin;
        for (std::ptrdiff_t first = 0; first < count; first += kBatch) {
            const std::ptrdiff_t items = std::min(kBatch, count - first);
            const auto chunks = static_cast<std::size_t>((items + kChunk - 1) / kChunk);
            if (buffers_.size() < chunks) buffers_.resize(chunks);
            parallel_chunks(items, [&](std::ptrdiff_t chunk, std::ptrdiff_t from, std::ptrdiff_t to) {
                std::vector<T>& out = buffers_[static_cast<std::size_t>(chunk)];
                out.clear();
                for (std::ptrdiff_t i = from; i < to; ++i) body(first + i, out);
            });
            end = concatenate(chunks, items < small_loop(), result, end);
        }
        result.resize(end);
    }

private:
    static constexpr std::ptrdiff_t kBatch =
        256 * kChunk;  ///< items: chunks for as many threads as there may be

    std::size_t concatenate(std::size_t chunks, bool serial, std::vector<T>& result, std::size_t begin) {
        offsets_.resize(chunks + 1);
        offsets_[0] = begin;
        for (std::size_t c = 0; c < chunks; ++c) offsets_[c + 1] = offsets_[c] + buffers_[c].size();
        if (result.size() < offsets_[chunks]) result.resize(offsets_[chunks]);
        parallel_for(
            static_cast<std::ptrdiff_t>(chunks),
            [&](std::ptrdiff_t c) {
                const auto k = static_cast<std::size_t>(c);
                std::copy(buffers_[k].begin(), buffers_[k].end(),
                          result.begin() + static_cast<std::ptrdiff_t>(offsets_[k]));
            },
            serial ? static_cast<std::ptrdiff_t>(chunks) + 1 : 2);
        return offsets_[chunks];
    }

    std::vector<std::vector<T>> buffers_;
    std::vector<std::size_t> offsets_;
};

}  // namespace talus
