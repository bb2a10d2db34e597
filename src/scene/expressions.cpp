#include "expressions.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus::reading {

namespace {

mu::Parser parser_with(const std::map<std::string, double>& values, const Node& node) {
    mu::Parser parser;
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    for (const auto& [name, value] : values) parser.DefineConst(name, value);
    parser.SetExpr(node.text);
    return parser;
}

std::string known_names(const std::map<std::string, double>& values) {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : values) names.push_back(name);
    return names.empty() ? "the file has no [parameters]" : "parameters: " + join(names);
}

/// Names in a formula that stand for no value yet. @throws mu::ParserError when it is no formula.
std::vector<std::string> missing_names(mu::Parser& parser) {
    std::vector<std::string> names;
    for (const auto& [name, address] : parser.GetUsedVar()) names.push_back(name);
    return names;
}

}  // namespace

Parameters::Parameters(const Node& table) {
    if (table.kind != Node::Kind::table) {
        fail(table, fmt::format("expected a table of numbers, found {}", table.describe()));
    }
    for (const auto& [name, member] : table.members) {
        mu::Parser parser;
        bool usable = parser.GetFunDef().count(name) == 0;
        try {
            parser.DefineConst(name, 0.0);
        } catch (const mu::ParserError&) {
            usable = false;
        }
        if (!usable) {
            fail(member,
                 "a parameter's name has letters, digits and _ only, begins with a letter, and is not "
                 "that of a function");
        }
        if (name == "pi") fail(member, "pi is defined already; choose another name");
    }
    std::vector<std::string> open;
    for (const auto& [name, member] : table.members) resolve(name, table, open);
}

double Parameters::resolve(const std::string& name, const Node& table, std::vector<std::string>& open) {
    if (const auto known = values_.find(name); known != values_.end()) return known->second;
    const Node& node = *table.find(name);
    if (std::find(open.begin(), open.end(), name) != open.end()) {
        fail(node, "this parameter is defined by way of itself");
    }
    double value = 0.0;
    if (node.kind == Node::Kind::integer) {
        value = static_cast<double>(node.integer);
    } else if (node.kind == Node::Kind::number) {
        value = node.number;
    } else if (node.kind == Node::Kind::text) {
        open.push_back(name);
        resolve_names_of(node, table, open);
        open.pop_back();
        value = evaluate(node);
    } else {
        fail(node, fmt::format("expected a number or a formula, found {}", node.describe()));
    }
    if (!std::isfinite(value)) fail(node, fmt::format("expected a finite number, found {}", value));
    values_[name] = value;
    return value;
}

/// The parameters that a formula uses.
void Parameters::resolve_names_of(const Node& formula, const Node& table, std::vector<std::string>& open) {
    try {
        mu::Parser parser = parser_with(values_, formula);
        for (const std::string& other : missing_names(parser)) {
            if (table.find(other) != nullptr) resolve(other, table, open);
        }
    } catch (const mu::ParserError& error) {
        fail(formula, fmt::format("\"{}\" is no formula: {}", formula.text, error.GetMsg()));
    }
}

double Parameters::evaluate(const Node& node) const {
    double value = 0.0;
    int results = 0;
    try {
        mu::Parser parser = parser_with(values_, node);
        const std::vector<std::string> missing = missing_names(parser);
        if (!missing.empty()) {
            fail(node,
                 fmt::format("expected a number or a formula of the parameters, found \"{}\" where '{}' is "
                             "unknown ({})",
                             node.text, missing.front(), known_names(values_)));
        }
        const double* last = parser.Eval(results);
        value = results > 0 ? last[results - 1] : 0.0;
    } catch (const mu::ParserError& error) {
        fail(node,
             fmt::format("expected a number or a formula, found \"{}\": {}", node.text, error.GetMsg()));
    }
    if (results != 1) {
        fail(node, fmt::format("\"{}\" has {} values; numbers are written with a decimal point: 0.5, not 0,5",
                               node.text, results));
    }
    if (!std::isfinite(value))
        fail(node, fmt::format("the formula \"{}\" gives {}", node.text,
                               std::isnan(value) ? "no number" : "infinity"));
    return value;
}

}  // namespace talus::reading
