#include "expression_system.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace talus::reading {

namespace {

using lagrange::Figure;
using lagrange::Matrix;
using lagrange::Quantity;
using lagrange::Vector;

/// Steps of differences for arguments of size one, with errors of order step^4 after one extrapolation and
/// rounding over step (over its square): about equal there.
constexpr double kFirst = 1e-3, kSecond = 4e-3;

/// Derivative of f at 0.
template <class Function>
auto slope(const Function& f, double s) -> decltype(f(s)) {
    return (8.0 * (f(0.5 * s) - f(-0.5 * s)) - (f(s) - f(-s))) / (6.0 * s);
}

/// Second derivative of f at 0.
template <class Function>
auto curvature(const Function& f, double s) -> decltype(f(s)) {
    return (16.0 * (f(0.5 * s) + f(-0.5 * s)) - (f(s) + f(-s)) - 30.0 * f(0.0)) / (3.0 * s * s);
}

double reach(const Vector& q, const Vector& direction, double step) {
    const double length = direction.cwiseAbs().maxCoeff();
    return length > 0.0 ? step * (1.0 + q.cwiseAbs().maxCoeff()) / length : step;
}

/// Formulas over one set of variables, which evaluation writes into: not for two threads at once.
class Formulas {
public:
    Formulas(const std::vector<Quantity>& coordinates, const Parameters& parameters)
        : q_(coordinates.size()), v_(coordinates.size()) {
        prototype_.ClearConst();
        prototype_.DefineConst("pi", std::numbers::pi);
        for (const auto& [name, value] : parameters.values()) prototype_.DefineConst(name, value);
        prototype_.DefineVar("t", &t_);
        for (std::size_t k = 0; k < q_.size(); ++k) {
            define(coordinates[k].name, &q_[k]);
            define(coordinates[k].name + "_dot", &v_[k]);
        }
    }
    Formulas(const Formulas&) = delete;
    Formulas& operator=(const Formulas&) = delete;

    /// @param with what a formula may use beyond the coordinates.
    mu::Parser compile(const Node& node, bool with_time, bool with_velocity) const {
        mu::Parser parser = prototype_;
        try {
            parser.SetExpr(node.kind == Node::Kind::text ? node.text
                                                         : fmt::format("{:.17g}", to_number_alone(node)));
            parser.Eval();
            if (parser.GetNumResults() != 1) {
                fail(node, fmt::format("\"{}\" has {} values; numbers are written with a decimal point: 0.5, "
                                       "not 0,5",
                                       node.text, parser.GetNumResults()));
            }
            for (const auto& [name, address] : parser.GetUsedVar()) {
                const bool velocity = std::any_of(
                    v_.begin(), v_.end(), [&, wanted = address](const double& v) { return &v == wanted; });
                if (velocity && !with_velocity)
                    fail(node, fmt::format("'{}' can stand in 'force' alone", name));
                if (address == &t_ && !with_time) fail(node, "the time t can not stand here");
            }
        } catch (const mu::ParserError& error) {
            fail(node, fmt::format("expected a formula, found \"{}\": {}; it may use {}", node.text,
                                   error.GetMsg(), known_names()));
        }
        return parser;
    }

    void set(double t, const Vector& q, const Vector* v = nullptr) const {
        t_ = t;
        std::copy(q.begin(), q.end(), q_.begin());
        if (v != nullptr) std::copy(v->begin(), v->end(), v_.begin());
    }

private:
    void define(const std::string& name, double* value) {
        const bool taken = prototype_.GetVar().count(name) + prototype_.GetConst().count(name) +
                               prototype_.GetFunDef().count(name) >
                           0;
        try {
            if (!taken) prototype_.DefineVar(name, value);
        } catch (const mu::ParserError&) {
            throw std::invalid_argument(
                fmt::format("'{}' can not stand in a formula: a name has letters, digits and _ only and "
                            "begins with a letter",
                            name));
        }
        if (taken) {
            throw std::invalid_argument(fmt::format(
                "'{}' is the name of another coordinate or velocity, of a parameter, a function, t or pi",
                name));
        }
    }
    static double to_number_alone(const Node& node) {
        if (node.kind == Node::Kind::number) return node.number;
        if (node.kind == Node::Kind::integer) return static_cast<double>(node.integer);
        fail(node, fmt::format("expected a formula or a number, found {}", node.describe()));
    }
    std::string known_names() const {
        std::vector<std::string_view> names;
        const mu::varmap_type& variables = prototype_.GetVar();
        const mu::valmap_type& constants = prototype_.GetConst();
        for (const auto& [name, address] : variables) names.push_back(name);
        for (const auto& [name, value] : constants) names.push_back(name);
        return join(names);
    }

    mutable double t_ = 0.0;
    mutable std::vector<double> q_, v_;
    mu::Parser prototype_;
};

class ExpressionSystem final : public lagrange::MechanicalSystem {
public:
    ExpressionSystem(const ExpressionSpec& spec, const Parameters& parameters)
        : formulas_(spec.coordinates, parameters),
          coordinates_(spec.coordinates),
          constraints_(spec.constraint_names),
          damping_(spec.damping) {
        const auto add = [&](const std::vector<const Node*>& nodes, std::vector<mu::Parser>& list, bool time,
                             bool velocity) {
            for (const Node* node : nodes) list.push_back(formulas_.compile(*node, time, velocity));
        };
        add(spec.mass, mass_, false, false);
        add(spec.constraints, gaps_, true, false);
        add(spec.force, force_, true, true);
        add(spec.point, point_, true, false);
        if (spec.potential != nullptr) add({spec.potential}, potential_, false, false);
        constant_mass_ = std::all_of(mass_.begin(), mass_.end(),
                                     [](const mu::Parser& m) { return m.GetUsedVar().empty(); });
    }

    int coordinate_count() const override { return static_cast<int>(coordinates_.size()); }
    int constraint_count() const override { return static_cast<int>(gaps_.size()); }
    bool constant_mass() const override { return constant_mass_; }
    double damping() const override { return damping_; }
    std::vector<Quantity> coordinates() const override { return coordinates_; }
    std::vector<Quantity> constraints() const override { return constraints_; }

    Matrix mass(const Vector& q) const override {
        formulas_.set(0.0, q);
        const Vector values = evaluate(mass_);
        if (values.size() == q.size()) return values.asDiagonal();
        return Eigen::Map<const Matrix>(values.data(), q.size(), q.size());
    }
    Vector gaps(double t, const Vector& q) const override {
        formulas_.set(t, q);
        return evaluate(gaps_);
    }
    Vector force(double t, const Vector& q, const Vector& v) const override {
        Vector total = inertial_force(q, v);
        if (!potential_.empty()) total -= potential_gradient(q) + damping_ * v;
        if (!force_.empty()) {
            formulas_.set(t, q, &v);
            total += evaluate(force_);
        }
        return total;
    }
    /// A system without any force has the potential 0.
    std::optional<double> potential(const Vector& q) const override {
        if (!force_.empty()) return std::nullopt;
        formulas_.set(0.0, q);
        return potential_.empty() ? 0.0 : evaluate(potential_)[0];
    }
    Vector potential_gradient(const Vector& q) const override {
        if (potential_.empty()) return Vector::Zero(q.size());
        Vector gradient(q.size());
        for (Eigen::Index k = 0; k < q.size(); ++k) {
            const Vector along = Vector::Unit(q.size(), k);
            gradient[k] = slope([&](double s) { return *potential(q + s * along); }, reach(q, along, kFirst));
        }
        return gradient;
    }
    Matrix potential_hessian(const Vector& q) const override {
        const Eigen::Index n = q.size();
        const auto along = [&](const Vector& d) {
            return curvature([&](double s) { return *potential(q + s * d); }, reach(q, d, kSecond));
        };
        Matrix hessian(n, n);
        for (Eigen::Index j = 0; j < n; ++j) hessian(j, j) = along(Vector::Unit(n, j));
        for (Eigen::Index j = 0; j < n; ++j) {
            for (Eigen::Index k = 0; k < j; ++k) {
                const double both = along(Vector::Unit(n, j) + Vector::Unit(n, k));
                hessian(j, k) = hessian(k, j) = 0.5 * (both - hessian(j, j) - hessian(k, k));
            }
        }
        return hessian;
    }
    Matrix gap_gradients(double t, const Vector& q) const override {
        Matrix rows(constraint_count(), q.size());
        for (Eigen::Index k = 0; k < q.size(); ++k) {
            const Vector along = Vector::Unit(q.size(), k);
            rows.col(k) =
                slope([&](double s) -> Vector { return gaps(t, q + s * along); }, reach(q, along, kFirst));
        }
        return rows;
    }
    Vector gap_rates(double t, const Vector& q) const override {
        return slope([&](double s) -> Vector { return gaps(t + s, q); }, kFirst);
    }
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override {
        return curvature([&](double s) -> Vector { return gaps(t + s, q + s * v); }, reach(q, v, kSecond));
    }
    Figure figure(double t, const Vector& q) const override {
        Vec3 at = Vec3::Zero();
        formulas_.set(t, q);
        const Vector shown = point_.empty() ? q : evaluate(point_);
        for (int k = 0; k < std::min<int>(3, static_cast<int>(shown.size())); ++k) at[k] = shown[k];
        return {{at}, {}};
    }

private:
    static Vector evaluate(const std::vector<mu::Parser>& list) {
        Vector values(list.size());
        for (std::size_t k = 0; k < list.size(); ++k) values[k] = list[k].Eval();
        return values;
    }

    Formulas formulas_;
    std::vector<Quantity> coordinates_, constraints_;
    double damping_;
    std::vector<mu::Parser> mass_, gaps_, force_, point_, potential_;
    bool constant_mass_ = false;
};

}  // namespace

std::unique_ptr<lagrange::MechanicalSystem> make_expression_system(const ExpressionSpec& spec,
                                                                   const Parameters& parameters) {
    return std::make_unique<ExpressionSystem>(spec, parameters);
}

}  // namespace talus::reading
