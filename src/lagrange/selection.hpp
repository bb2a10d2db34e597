#pragma once

#include <vector>

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Entries of v, in the order of the list. (Eigen's own indexed views make GCC 12 warn of their copies.)
inline Vector select(const Vector& v, const std::vector<int>& list) {
    Vector chosen(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) chosen[k] = v[list[k]];
    return chosen;
}

/// Rows of m, in the order of the list.
inline Matrix select_rows(const Matrix& m, const std::vector<int>& list) {
    Matrix chosen(list.size(), m.cols());
    for (std::size_t k = 0; k < list.size(); ++k) chosen.row(k) = m.row(list[k]);
    return chosen;
}

}  // namespace talus::lagrange
