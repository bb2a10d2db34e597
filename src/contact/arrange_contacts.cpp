#include "talus/contact/arrange_contacts.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace talus {

namespace {

void turn_round(Contact& contact) {
    std::swap(contact.i, contact.j);
    contact.normal = -contact.normal;
    contact.tangential = -contact.tangential;
    contact.moment = -contact.moment;
}

bool before(const Contact& a, const Contact& b) {
    return std::make_tuple(a.j < 0, a.i, a.j, a.wall, a.feature) <
           std::make_tuple(b.j < 0, b.i, b.j, b.wall, b.feature);
}

}  // namespace

void arrange_contacts(const std::vector<Index>& place, ContactList& contacts) {
    for (Contact& contact : contacts) {
        contact.i = place[contact.i];
        if (contact.j < 0) continue;
        contact.j = place[contact.j];
        if (contact.i > contact.j) turn_round(contact);
    }
    std::stable_sort(contacts.begin(), contacts.end(), before);
}

}  // namespace talus
