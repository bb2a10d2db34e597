#include "usage.hpp"

#include <fmt/format.h>

#include <vector>

namespace talus::app {

namespace {

const CLI::App& used(const CLI::App& app) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

std::string names_of_commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// "talus run SCENE".
std::string form(const CLI::App& app) {
    std::string text = used_command(app);
    for (const CLI::Option* option : used(app).get_options()) {
        if (option->get_positional()) text += " " + option->get_type_name();
    }
    return text;
}

std::string explain_surplus(const CLI::App& app, const std::string& word) {
    if (!word.starts_with('-')) {
        return fmt::format("'{}' is one argument too many; expected: {}", word, form(app));
    }
    std::vector<std::string> names;
    for (const CLI::Option* option : used(app).get_options()) {
        if (option->nonpositional()) names.push_back(option->get_name());
    }
    return fmt::format("'{}' is no option of {}; expected one of: {}", word, used_command(app),
                       fmt::join(names, ", "));
}

std::string explain_missing(const CLI::App& app, const std::string& first_word) {
    if (&used(app) == &app) {
        if (first_word.starts_with('-')) return explain_surplus(app, first_word);
        const std::string found =
            first_word.empty() ? "a command is missing" : fmt::format("'{}' is no command", first_word);
        return fmt::format("{}; expected one of: {}", found, names_of_commands(app));
    }
    for (const CLI::Option* option : used(app).get_options()) {
        if (option->get_required() && option->count() == 0) {
            return fmt::format("{} is missing; expected: {}", option->get_type_name(), form(app));
        }
    }
    return fmt::format("an argument is missing; expected: {}", form(app));
}

/// CLI11 says the option only in the beginning of its sentence, of a switch without dashes.
std::string explain_values(const CLI::App& app, const std::string& sentence) {
    std::string name = sentence.substr(0, sentence.find_first_of(": "));
    if (!name.starts_with('-')) name = "--" + name;
    const CLI::Option* option = used(app).get_option_no_throw(name);
    if (option == nullptr) return sentence;
    if (option->get_items_expected_max() == 0) return name + ": stands alone; expected no value";
    const bool once = option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw;
    if (once && option->count() > 1) {
        return fmt::format("{}: is given {} times; expected once", name, option->count());
    }
    return fmt::format("{0}: the value is missing; expected: {0} {1}", name, option->get_type_name());
}

}  // namespace

std::string explain_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    const std::vector<std::string> surplus = app.remaining(true);
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        return explain_missing(app, argc > 1 ? argv[1] : "");
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !surplus.empty()) {
        return explain_surplus(app, surplus.front());
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        return explain_values(app, error.what());
    }
    return error.what();
}

std::string used_command(const CLI::App& app) {
    const CLI::App& command = used(app);
    return &command == &app ? "talus" : "talus " + command.get_name();
}

CLI::Validator not_empty(const std::string& expected) {
    const auto check = [expected](const std::string& value) {
        return value.empty() ? fmt::format("expected {}, found ''", expected) : std::string();
    };
    return CLI::Validator(check, "");
}

}  // namespace talus::app
