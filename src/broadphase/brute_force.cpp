#include "kinds.hpp"
#include "size_overlap.hpp"

namespace talus {

namespace {

/// Every pair is tested: plainly right, and the oracle of the other kinds.
class BruteForce final : public BroadPhase {
public:
    void find(std::span<const Vec3> centre, std::span<const double> size, std::vector<Pair>& pairs) override {
        require_valid_input(centre, size);
        pairs.clear();
        for (std::size_t i = 0; i < centre.size(); ++i) {
            for (std::size_t j = i + 1; j < centre.size(); ++j) {
                if (size_balls_overlap(centre[i], centre[j], size[i] + size[j]))
                    pairs.push_back({static_cast<Index>(i), static_cast<Index>(j)});
            }
        }
    }
};

}  // namespace

std::unique_ptr<BroadPhase> make_brute_force() {
    return std::make_unique<BruteForce>();
}

}  // namespace talus
