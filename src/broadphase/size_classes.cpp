#include "size_classes.hpp"

#include <algorithm>

namespace talus {

void SizeClasses::assign(std::span<const double> size, std::vector<Index>& order) {
    bin_count_.assign(kBins, 0);
    for (const double s : size) ++bin_count_[bin(s)];
    make_classes();
    const auto class_of = [&](Index i) { return class_of_bin_[bin(size[static_cast<std::size_t>(i)])]; };
    if (count() > 1) {
        unsorted_ = order;
        next_ = begin_;
        for (const Index i : unsorted_) order[next_[class_of(i)]++] = i;
    }
    for (std::size_t c = 0; c < count(); ++c) {
        for (std::size_t k = begin(c); k < end(c); ++k)
            largest_[c] = std::max(largest_[c], search_size(size[static_cast<std::size_t>(order[k])]));
    }
}

void SizeClasses::make_classes() {
    class_of_bin_.resize(kBins);
    begin_.assign(1, 0);
    std::size_t lowest_of_class = kBins;
    for (std::size_t b = kBins; b-- > 0;) {
        if (bin_count_[b] == 0) continue;
        if (b < lowest_of_class) {
            begin_.push_back(begin_.back());
            lowest_of_class = b + 1 > kBinsOfClass ? b + 1 - kBinsOfClass : 0;
        }
        begin_.back() += bin_count_[b];
        class_of_bin_[b] = begin_.size() - 2;
    }
    largest_.assign(begin_.size() - 1, 0.0);
}

}  // namespace talus
