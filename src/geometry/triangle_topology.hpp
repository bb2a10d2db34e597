#pragma once

#include <array>
#include <span>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Triangles whose vertices are joined where they are at exactly the same place, with who shares what.
struct TriangleTopology {
    std::vector<Vec3> vertices;
    std::vector<std::array<Index, 3>> triangles;  ///< vertices; none twice, none without area
    std::vector<std::array<Index, 3>> edges;      ///< of each triangle: first to second vertex, and so on

    Index edge_count() const { return static_cast<Index>(edge_begin.size()) - 1; }
    /// Triangles that share an edge or vertex, in ascending order.
    std::span<const Index> at_edge(Index edge) const { return slice(edge_begin, edge_triangles, edge); }
    std::span<const Index> at_vertex(Index vertex) const {
        return slice(vertex_begin, vertex_triangles, vertex);
    }

    std::vector<Index> edge_begin, edge_triangles, vertex_begin, vertex_triangles;

private:
    static std::span<const Index> slice(const std::vector<Index>& begin, const std::vector<Index>& all,
                                        Index k) {
        return {all.data() + begin[k], all.data() + begin[k + 1]};
    }
};

/// @throws std::invalid_argument if a point is not finite, an index is out of range or no triangle has area.
TriangleTopology connect_triangles(const std::vector<Vec3>& points,
                                   const std::vector<std::array<Index, 3>>& triangles);

}  // namespace talus
