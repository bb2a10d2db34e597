#include <algorithm>
#include <stdexcept>

#include "talus/lagrange/systems/linkage.hpp"

namespace talus::lagrange {

Linkage slider_crank(const SliderCrankParameters& p) {
    const double least =
        std::min({p.crank_mass, p.rod_mass, p.slider_mass, p.crank_inertia, p.rod_inertia, p.slider_inertia,
                  p.crank_length, p.rod_length, p.slider_length, p.slider_height, p.clearance});
    if (!(least > 0.0) || !(p.gravity >= 0.0)) {
        throw std::invalid_argument(
            "slider-crank: masses, inertias, lengths and clearance > 0 and gravity >= 0 are needed");
    }
    const double l1 = p.crank_length, l2 = p.rod_length;
    const double carried =
        0.5 * p.rod_mass + p.slider_mass;  // by the crank's pin, of what crosses with the rod
    LinkageParameters linkage;
    linkage.inertia = Matrix::Zero(3, 3);
    linkage.inertia(0, 0) = p.crank_inertia + (0.25 * p.crank_mass + p.rod_mass + p.slider_mass) * l1 * l1;
    linkage.inertia(1, 1) = p.rod_inertia + (0.25 * p.rod_mass + p.slider_mass) * l2 * l2;
    linkage.inertia(0, 1) = linkage.inertia(1, 0) = carried * l1 * l2;
    linkage.inertia(2, 2) = p.slider_inertia;
    linkage.weights =
        p.gravity * Vec3((0.5 * p.crank_mass + p.rod_mass + p.slider_mass) * l1, carried * l2, 0);

    const double a = 0.5 * p.slider_length, b = 0.5 * p.slider_height;
    const Vec3 up(0, 0, b), centre(l1, l2, 0), ahead(0, 0, a);  // factors of cosines and sines of the angles
    linkage.along_y = Matrix(4, 3);
    linkage.along_y << (centre - ahead).transpose(), (centre + ahead).transpose(),
        (-centre + ahead).transpose(), (-centre - ahead).transpose();
    linkage.along_x = (-up).transpose().replicate(4, 1);
    linkage.offsets = Vector::Constant(4, b + p.clearance);
    linkage.lengths = Vec3(l1, l2, a);
    const double side = b + p.clearance, end = l1 + l2 + a, start = std::max(0.0, l2 - l1 - a);
    linkage.lines = {{Vec3(start, -side, 0), Vec3(end, -side, 0)},
                     {Vec3(start, side, 0), Vec3(end, side, 0)}};
    linkage.links = {{"crank", "rad"}, {"rod", "rad"}, {"slider", "rad"}};
    linkage.contacts = {{"lower_rear", "m"}, {"lower_front", "m"}, {"upper_rear", "m"}, {"upper_front", "m"}};
    return Linkage(std::move(linkage));
}

}  // namespace talus::lagrange
