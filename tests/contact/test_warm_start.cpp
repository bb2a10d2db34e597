#include <doctest/doctest.h>

#include "support/keep_threads.hpp"
#include "talus/contact/warm_start.hpp"

using namespace talus;

namespace {

Contact pair(Index i, Index j, double impulse) {
    return {.i = i,
            .j = j,
            .wall = -1,
            .feature = 0,
            .law = 0,
            .normal = Vec3::UnitX(),
            .gap = 0.0,
            .gap_before = 0.0,
            .impulse = impulse,
            .sustained = impulse};
}
Contact wall(Index i, std::int32_t w, std::int32_t feature, double impulse) {
    Contact contact = pair(i, -1, impulse);
    contact.wall = w;
    contact.feature = feature;
    return contact;
}

}  // namespace

TEST_CASE("impulses follow the ids when particles between them are removed and others are new") {
    WarmStart warm;
    warm.remember({pair(0, 1, 1.0), pair(1, 2, 2.0), pair(2, 3, 3.0), wall(0, 0, 0, 4.0), wall(3, 1, 7, 5.0)},
                  {10, 20, 30, 40});
    // 20 is gone, 50 is new.
    ContactList now = {pair(0, 1, -1),    pair(1, 2, -1),    pair(2, 3, -1),   wall(0, 0, 0, -1),
                       wall(2, 1, 6, -1), wall(2, 1, 7, -1), wall(3, 1, 7, -1)};
    warm.recall({10, 30, 40, 50}, now);
    const std::vector<double> expected = {0.0, 3.0, 0.0, 4.0, 0.0, 5.0, 0.0};
    for (std::size_t k = 0; k < now.size(); ++k) CHECK(now[k].sustained == expected[k]);
}

TEST_CASE(
    "impulses follow the ids into another order in memory, tangential ones and moments with their sign") {
    std::vector<Contact> before = {pair(0, 1, 1.0), pair(0, 2, 2.0), pair(1, 3, 3.0), wall(1, 0, 0, 4.0)};
    for (std::size_t k = 0; k < before.size(); ++k) {
        before[k].tangential = Vec3(0.0, 1.0 + static_cast<double>(k), 0.0);
        before[k].moment = Vec3(0.0, 0.0, 1.0 + static_cast<double>(k));
    }
    WarmStart warm;
    warm.remember(before, {10, 20, 30, 40});
    // 30 is gone, 50 is new, 10 has come behind 20 and 40.
    const std::vector<ParticleId> id = {40, 20, 10, 50};
    ContactList now = {pair(0, 1, -1), pair(0, 2, -1), pair(1, 2, -1), wall(1, 0, 0, -1)};
    for (int round = 0; round < 2; ++round) {
        warm.recall(id, now);
        const std::vector<double> sustained = {3.0, 0.0, 1.0, 4.0};
        const std::vector<double> resistance = {-3.0, 0.0, -1.0, 4.0};  // on the second, which was the first
        for (std::size_t k = 0; k < now.size(); ++k) {
            CHECK(now[k].sustained == sustained[k]);
            CHECK(now[k].tangential == Vec3(0.0, resistance[k], 0.0));
            CHECK(now[k].moment == Vec3(0.0, 0.0, resistance[k]));
        }
        warm.remember(now, id);
    }
}

TEST_CASE("what friction answered of an impact is no part of the next guess") {
    Contact contact = pair(0, 1, 1.0);
    contact.impulse = 4.0;  // 3 of an impact
    contact.tangential = Vec3(0.0, 2.0, 0.0);
    contact.moment = Vec3(0.0, 0.0, 0.4);
    WarmStart warm;
    warm.remember({contact}, {10, 20});
    ContactList now = {pair(0, 1, -1)};
    warm.recall({10, 20}, now);
    CHECK(now[0].sustained == 1.0);
    CHECK(now[0].tangential == Vec3(0.0, 0.5, 0.0));
    CHECK(now[0].moment == Vec3(0.0, 0.0, 0.1));
}

TEST_CASE("every impulse of a long list is found, by any number of threads") {
    const KeepThreads guard;
    set_small_loop(1);
    // Pairs (i, i + 1) and (i, i + 2), walls of every third: many chunks. Every fifth carries nothing, every
    // second resists.
    ContactList list;
    const Index count = 4000;
    std::vector<ParticleId> id;
    for (Index i = 0; i < count; ++i) {
        id.push_back(i);
        for (const Index j : {i + 1, i + 2}) {
            if (j < count) list.push_back(pair(i, j, 1.0 + i + 0.25 * (j - i)));
        }
    }
    for (Index i = 0; i < count; i += 3) list.push_back(wall(i, i % 2, 4, 1.0 + i));
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (k % 5 == 0) list[k].sustained = 0.0;
        if (k % 2 == 0) list[k].tangential = Vec3(0.0, static_cast<double>(k), 0.0);
    }
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        WarmStart warm;
        warm.remember(list, id);
        ContactList now = list;
        for (Contact& contact : now) contact.sustained = -1.0;
        warm.recall(id, now);
        Index wrong = 0;
        for (std::size_t k = 0; k < list.size(); ++k) {
            const bool kept = list[k].sustained > 0.0;
            wrong += now[k].sustained != list[k].sustained;
            wrong += now[k].tangential != (kept ? list[k].tangential : Vec3(Vec3::Zero()));
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("cuts at the end of a list, out of order, are found again") {
    WarmStart warm;
    warm.remember({wall(0, 0, 0, 1.0), wall(5, 2, 1, 2.0), wall(1, 3, 0, 3.0), wall(0, 1, 0, 4.0)},
                  {0, 1, 2, 3, 4, 5});
    ContactList now = {wall(0, 0, 0, 0), wall(0, 1, 0, 0), wall(1, 3, 0, 0), wall(5, 2, 1, 0)};
    warm.recall({0, 1, 2, 3, 4, 5}, now);
    const std::vector<double> expected = {1.0, 4.0, 3.0, 2.0};
    for (std::size_t k = 0; k < now.size(); ++k) CHECK(now[k].sustained == expected[k]);
}

TEST_CASE("two planes of one feature, side by side in the list, add up to the next step's one") {
    const std::vector<ParticleId> id = {0, 1};
    WarmStart warm;
    warm.remember({pair(0, 1, 1.0), wall(0, 2, 3, 2.0), wall(0, 2, 3, 4.0), wall(1, 2, 3, 5.0)}, id);
    ContactList now = {pair(0, 1, -1), wall(0, 2, 3, -1), wall(1, 2, 3, -1)};
    warm.recall(id, now);
    CHECK(now[0].sustained == 1.0);
    CHECK(now[1].sustained == 6.0);
    CHECK(now[2].sustained == 5.0);
}

TEST_CASE("tangential impulses follow too, without what is no longer across the normal") {
    Contact before = pair(0, 1, 2.0);
    before.tangential = Vec3(0.0, 3.0, 4.0);
    const std::vector<ParticleId> id = {10, 11};
    WarmStart warm;
    warm.remember({before}, id);
    ContactList contacts = {pair(0, 1, 0.0)};
    contacts[0].normal = Vec3::UnitY();
    warm.recall(id, contacts);
    CHECK(contacts[0].sustained == 2.0);
    CHECK(contacts[0].tangential == Vec3(0.0, 0.0, 4.0));
    CHECK(contacts[0].moment == Vec3::Zero());
    contacts[0].j = -1;
    contacts[0].wall = 0;
    warm.recall(id, contacts);
    CHECK(contacts[0].tangential == Vec3::Zero());
}

TEST_CASE("moments against rolling follow likewise, and those of several planes of a feature add up") {
    Contact first = wall(0, 2, 5, 2.0);
    first.moment = Vec3(0.0, 3.0, 4.0);
    Contact second = first;
    second.moment = Vec3(0.0, 1.0, 1.0);
    const std::vector<ParticleId> id = {10};
    WarmStart warm;
    warm.remember({first, second}, id);
    ContactList contacts = {wall(0, 2, 5, 0.0), wall(0, 3, 5, 0.0)};
    contacts[0].normal = Vec3::UnitY();
    contacts[1].moment = Vec3(1.0, 1.0, 1.0);
    warm.recall(id, contacts);
    CHECK(contacts[0].sustained == 4.0);
    CHECK(contacts[0].moment == Vec3(0.0, 0.0, 5.0));
    CHECK(contacts[1].moment == Vec3::Zero());
}
