#include "talus/contact/arrange_contacts.hpp"

#include <doctest/doctest.h>

using namespace talus;

TEST_CASE("contacts follow their particles to other places, seen from the smaller number") {
    const auto contact = [](Index i, Index j, std::int32_t wall, double impulse) {
        return Contact{.i = i,
                       .j = j,
                       .wall = wall,
                       .feature = 0,
                       .law = 0,
                       .normal = Vec3::UnitX(),
                       .gap = 0.1,
                       .gap_before = 0.2,
                       .impulse = impulse,
                       .tangential = impulse * Vec3::UnitY(),
                       .moment = impulse * Vec3::UnitZ()};
    };
    ContactList contacts = {contact(0, 1, -1, 1.0), contact(0, 2, -1, 2.0), contact(0, -1, 3, 3.0),
                            contact(1, -1, 1, 4.0), contact(1, -1, 0, 5.0)};
    arrange_contacts({2, 0, 1}, contacts);  // 0 to the end
    struct Expected {
        Index i, j;
        double impulse, sign;
    };
    const Expected expected[] = {
        {0, 2, 1.0, -1.0}, {1, 2, 2.0, -1.0}, {0, -1, 5.0, 1.0}, {0, -1, 4.0, 1.0}, {2, -1, 3.0, 1.0}};
    REQUIRE(contacts.size() == std::size(expected));
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Contact& c = contacts[k];
        CHECK(c.i == expected[k].i);
        CHECK(c.j == expected[k].j);
        CHECK(c.impulse == expected[k].impulse);
        CHECK(c.normal == expected[k].sign * Vec3::UnitX());
        CHECK(c.tangential == expected[k].sign * c.impulse * Vec3::UnitY());
        CHECK(c.moment == expected[k].sign * c.impulse * Vec3::UnitZ());
        CHECK(c.gap == 0.1);
    }
}
