#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>
#include <string>

#include "commands.hpp"
#include "talus/core/error.hpp"
#include "talus/core/version.hpp"
#include "threads.hpp"

namespace talus::app {

namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 bad input; 2 the run can not go on (jammed, a value not finite);\n"
    "3 not converged, with --strict; 4 a file could not be written; 130 interrupted (files are complete).\n"
    "A first run: talus run scenes/two_spheres.toml";

struct Arguments {
    RunArguments run;
    CheckArguments check;
    RenderArguments render;
    std::string info_path;
};

std::string version_text() {
    std::string text = fmt::format("talus {} ({})\ncompiler {}, {}, {} instruction set", kVersion, kGitHash,
                                   kCompiler, kBuildType, kInstructionSet);
    if (*kSanitizers != '\0') text += fmt::format(", sanitizers {}", kSanitizers);
    return text + fmt::format("\nEigen {}, VTK {}, OpenMP {}", kEigenVersion, kVtkVersion, _OPENMP);
}

// One value an option: a list would swallow the scene that follows it.
void add_settings(CLI::App& command, std::vector<std::string>& settings) {
    command
        .add_option("--set", settings,
                    "Replace a value of the scene; once for each, such as --set time.step=1e-4")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::App* add_run(CLI::App& app, RunArguments& run) {
    CLI::App* command = app.add_subcommand("run", "Simulate a scene and write frames for ParaView");
    command->add_option("scene", run.scene, "Scene file (TOML)")->required()->type_name("SCENE");
    command
        ->add_option("--out", run.out, "Directory of the results; results/<name of the scene> if not given")
        ->type_name("DIR");
    command
        ->add_option(
            "--threads", run.threads,
            fmt::format("Threads; all up to {} if not given. The result has the same bits for any number",
                        kDefaultThreads))
        ->type_name("N");
    add_settings(*command, run.settings);
    command->add_option("--until", run.until, "End the run at this time [s]")->type_name("T");
    command->add_flag("--quiet", run.quiet, "Print warnings and errors only");
    command->add_flag("--strict", run.strict, "Stop at the first step whose solver did not converge");
    command->add_flag("--force", run.force, "Replace the results of an earlier run in the same directory");
    return command;
}

CLI::App* add_check(CLI::App& app, CheckArguments& check) {
    CLI::App* command =
        app.add_subcommand("check", "Show a scene as talus understands it, with advice; runs nothing");
    command->add_option("scene", check.scene, "Scene file (TOML)")->required()->type_name("SCENE");
    add_settings(*command, check.settings);
    return command;
}

CLI::App* add_render(CLI::App& app, RenderArguments& render) {
    CLI::App* command = app.add_subcommand("render", "Draw results as PNG pictures");
    command->add_option("directory", render.directory, "Directory of the results")
        ->required()
        ->type_name("DIR");
    command->add_option("--out", render.out, "Picture to write; picture.png in the directory if not given")
        ->type_name("FILE");
    command->add_flag("--all", render.all, "Draw every frame, not the last one alone");
    command->add_option("--size", render.size, "Width and height in pixels, such as 1280x960")
        ->type_name("WxH");
    command
        ->add_option("--color", render.color,
                     "Colour by speed, or by an array of the frames (see talus info)")
        ->type_name("NAME");
    return command;
}

/// Prints what is wrong with the command line in one line, and where help is.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    std::string command = "talus";
    for (const CLI::App* used : app.get_subcommands()) command += " " + used->get_name();
    fmt::print(stderr, "talus: {}\nSee {} --help\n", error.what(), command);
    return kBadInput;
}

/// A mistyped command would be reported as a missing one.
void check_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::string names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == argv[1]) return;
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    throw CLI::ParseError(fmt::format("there is no command '{}'; commands: {}", argv[1], names),
                          CLI::ExitCodes::ExtrasError);
}

int dispatch(int argc, char** argv) {
    Arguments arguments;
    CLI::App app(
        "talus simulates rigid spheres and discs that never overlap: hoppers, collapses, growing packings.",
        "talus");
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text());
    app.footer(kFooter);
    std::function<int()> chosen;
    add_run(app, arguments.run)->callback([&] { chosen = [&] { return run(arguments.run); }; });
    add_check(app, arguments.check)->callback([&] { chosen = [&] { return check(arguments.check); }; });
    CLI::App* info_command = app.add_subcommand("info", "Say what a file or a directory of results holds");
    info_command
        ->add_option("path", arguments.info_path, "Directory of results, or a .vtp, .pvd, .csv or .stl file")
        ->required()
        ->type_name("PATH");
    info_command->callback([&] { chosen = [&] { return info(arguments.info_path); }; });
    app.add_subcommand("list", "List solvers, broad phases and what a scene can be made of")->callback([&] {
        chosen = [] { return list(); };
    });
    add_render(app, arguments.render)->callback([&] { chosen = [&] { return render(arguments.render); }; });
    try {
        check_command(app, argc, argv);
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return report_usage(app, error);
    }
    return chosen();
}

int fail(int code, const char* message) {
    fmt::print(stderr, "talus: {}\n", message);
    return code;
}

int guarded(int argc, char** argv) {
    try {
        const int code = dispatch(argc, argv);
        if (std::fflush(stdout) != 0) return fail(kOutputFailed, "the standard output can not be written");
        return code;
    } catch (const InputError& error) {
        return fail(kBadInput, error.what());
    } catch (const StateError& error) {
        return fail(kRunFailed, error.what());
    } catch (const OutputError& error) {
        return fail(kOutputFailed, error.what());
    } catch (const std::bad_alloc&) {
        return fail(kRunFailed, "out of memory; talus check shows how much a scene needs");
    } catch (const std::exception& error) {
        return fail(kRunFailed,
                    fmt::format("an error of talus itself, please report it: {}", error.what()).c_str());
    }
}

}  // namespace

}  // namespace talus::app

int main(int argc, char** argv) {
    const bool computes = argc > 1 && (std::string(argv[1]) == "run" || std::string(argv[1]) == "check");
    if (computes) talus::app::restart_with_passive_waiting(argv);
    return talus::app::guarded(argc, argv);
}
