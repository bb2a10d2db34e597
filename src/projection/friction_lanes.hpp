#pragma once

#include "talus/core/types.hpp"

/// Arithmetic on several contacts at once, one a lane: as many as the machine's widest vectors hold. The
/// types are GCC's and Clang's vector extension, which is plain arithmetic where the machine has no such
/// vectors.
namespace talus {

/// Contacts of a group. The same on every machine, so that the order of contacts, and every bit, is too.
constexpr int kGroupSize = 8;
#ifdef __AVX512F__
constexpr int kWide = 8;
#else
constexpr int kWide = 4;
#endif
/// A group is worked on in so many parts, one after the other.
constexpr int kGroupParts = kGroupSize / kWide;

using Wide = double __attribute__((vector_size(8 * kWide)));
using StoredWide = double __attribute__((vector_size(8 * kWide), may_alias));

/// One value of each contact of a group.
struct alignas(8 * kGroupSize) GroupValues {
    double value[kGroupSize];

    Wide part(int p) const { return *reinterpret_cast<const StoredWide*>(value + p * kWide); }
    void set_part(int p, Wide v) { *reinterpret_cast<StoredWide*>(value + p * kWide) = v; }
    double& operator[](int lane) { return value[lane]; }
    double operator[](int lane) const { return value[lane]; }
};

inline Wide constant(double value) {
    return value - Wide{};
}

inline Wide root(Wide square) {
    Wide values;
    for (int k = 0; k < kWide; ++k)
        values[k] = __builtin_sqrt(square[k]);  // one instruction, see CMakeLists.txt
    return values;
}

/// kWide rows of kWide values become its columns.
#ifdef __AVX512F__
[[gnu::always_inline]] inline void transpose(Wide (&m)[kWide]) {
    const auto even = [](Wide a, Wide b) { return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); };
    const auto odd = [](Wide a, Wide b) { return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15); };
    const auto even_pairs = [](Wide a, Wide b) {
        return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
    };
    const auto odd_pairs = [](Wide a, Wide b) {
        return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
    };
    const auto columns = [&](int first, Wide r01, Wide r23, Wide r45, Wide r67) {
        const Wide low_04 = even_pairs(r01, r23), high_04 = even_pairs(r45, r67);
        const Wide low_26 = odd_pairs(r01, r23), high_26 = odd_pairs(r45, r67);
        m[first] = even_pairs(low_04, high_04);
        m[first + 4] = odd_pairs(low_04, high_04);
        m[first + 2] = even_pairs(low_26, high_26);
        m[first + 6] = odd_pairs(low_26, high_26);
    };
    const Wide e01 = even(m[0], m[1]), e23 = even(m[2], m[3]), e45 = even(m[4], m[5]), e67 = even(m[6], m[7]);
    const Wide o01 = odd(m[0], m[1]), o23 = odd(m[2], m[3]), o45 = odd(m[4], m[5]), o67 = odd(m[6], m[7]);
    columns(0, e01, e23, e45, e67);
    columns(1, o01, o23, o45, o67);
}
#else
[[gnu::always_inline]] inline void transpose(Wide (&m)[kWide]) {
    const Wide xz_01 = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6);
    const Wide yw_01 = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    const Wide xz_23 = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6);
    const Wide yw_23 = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
    m[0] = __builtin_shufflevector(xz_01, xz_23, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(yw_01, yw_23, 0, 1, 4, 5);
    m[2] = __builtin_shufflevector(xz_01, xz_23, 2, 3, 6, 7);
    m[3] = __builtin_shufflevector(yw_01, yw_23, 2, 3, 6, 7);
}
#endif

/// Three components of vectors, a vector a lane.
struct Triple {
    Wide x{}, y{}, z{};

    friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Triple operator*(const Wide& s, const Triple& a) { return {s * a.x, s * a.y, s * a.z}; }
    Wide dot(const Triple& b) const { return x * b.x + y * b.y + z * b.z; }
    Triple cross(const Triple& b) const { return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x}; }
};

/// A vector of each contact of a group.
struct GroupTriple {
    GroupValues x, y, z;

    Triple part(int p) const { return {x.part(p), y.part(p), z.part(p)}; }
    void set_part(int p, const Triple& v) {
        x.set_part(p, v.x);
        y.set_part(p, v.y);
        z.set_part(p, v.z);
    }
    Vec3 operator[](int lane) const { return {x[lane], y[lane], z[lane]}; }
    void set(int lane, const Vec3& v) {
        x[lane] = v.x();
        y[lane] = v.y();
        z[lane] = v.z();
    }
};

/// Scaled impulses y or slopes g.
struct Dual {
    Triple t;  ///< tangential parts
    Wide n{};  ///< normal parts

    friend Dual operator+(const Dual& a, const Dual& b) { return {a.t + b.t, a.n + b.n}; }
    friend Dual operator-(const Dual& a, const Dual& b) { return {a.t - b.t, a.n - b.n}; }
    friend Dual operator*(const Wide& s, const Dual& a) { return {s * a.t, s * a.n}; }
    Wide dot(const Dual& b) const { return t.dot(b.t) + n * b.n; }
};

/// y or g of the contacts of a group.
struct GroupDual {
    GroupTriple t;
    GroupValues n;

    Dual part(int p) const { return {t.part(p), n.part(p)}; }
    void set_part(int p, const Dual& v) {
        t.set_part(p, v.t);
        n.set_part(p, v.n);
    }
};

inline Wide absolute(Wide v) {
    return v < 0.0 ? -v : v;
}

inline double largest_of_parts(const Wide (&parts)[kGroupParts]) {
    double largest = parts[0][0];
    for (const Wide& part : parts) {
        for (int k = 0; k < kWide; ++k) largest = part[k] > largest ? part[k] : largest;
    }
    return largest;
}

/// The value of each part of a group, summed in an order that does not depend on how wide the machine is.
inline double sum_of_parts(const Wide (&parts)[kGroupParts]) {
    double lane[kGroupSize];
    for (int k = 0; k < kGroupSize; ++k) lane[k] = parts[k / kWide][k % kWide];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace talus
