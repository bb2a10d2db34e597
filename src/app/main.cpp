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
#include "usage.hpp"

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
    LagrangeArguments lagrange;
    ConvergeArguments converge;
    std::string info_path;
};

std::string version_text() {
    std::string text = fmt::format("talus {} ({})\ncompiler {}, {}, {} instruction set", kVersion, kGitHash,
                                   kCompiler, kBuildType, kInstructionSet);
    if (*kSanitizers != '\0') text += fmt::format(", sanitizers {}", kSanitizers);
    return text + fmt::format("\nEigen {}, VTK {}, OpenMP {}", kEigenVersion, kVtkVersion, _OPENMP);
}

CLI::Option* add_value(CLI::App& command, const std::string& name, std::string& value,
                       const std::string& type, const std::string& meaning) {
    return command.add_option(name, value, meaning)->type_name(type)->check(not_empty(type));
}

void add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& meaning) {
    command.add_flag(name, value, meaning)->disable_flag_override();
}

// One value an option: a list would swallow the scene that follows it.
void add_settings(CLI::App& command, std::vector<std::string>& settings) {
    command
        .add_option("--set", settings,
                    "Replace a value of the scene; once for each, such as --set time.step=1e-4")
        ->type_name("KEY=VALUE")
        ->check(not_empty("KEY=VALUE"))
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::App* add_run(CLI::App& app, RunArguments& run) {
    CLI::App* command = app.add_subcommand("run", "Simulate a scene and write frames for ParaView");
    add_value(*command, "scene", run.scene, "SCENE", "Scene file (TOML)")->required();
    add_value(*command, "--out", run.out, "DIR",
              "Directory of the results; results/<name of the scene> if not given");
    add_value(*command, "--threads", run.threads, "N",
              fmt::format("Threads; all up to {} if not given. The result has the same bits for any number",
                          kDefaultThreads));
    add_settings(*command, run.settings);
    add_value(*command, "--until", run.until, "T", "End the run at this time [s]");
    add_switch(*command, "--quiet", run.quiet, "Print warnings and errors only");
    add_switch(*command, "--strict", run.strict, "Stop at the first step whose solver did not converge");
    add_switch(*command, "--profile", run.profile, "Show at the end what each stage of the steps took");
    add_switch(*command, "--force", run.force, "Replace the results of an earlier run in the same directory");
    return command;
}

CLI::App* add_check(CLI::App& app, CheckArguments& check) {
    CLI::App* command =
        app.add_subcommand("check", "Show a scene as talus understands it, with advice; runs nothing");
    add_value(*command, "scene", check.scene, "SCENE", "Scene file (TOML)")->required();
    add_settings(*command, check.settings);
    return command;
}

CLI::App* add_render(CLI::App& app, RenderArguments& render) {
    CLI::App* command = app.add_subcommand("render", "Draw results as PNG pictures");
    add_value(*command, "directory", render.directory, "DIR", "Directory of the results")->required();
    add_value(*command, "--out", render.out, "FILE",
              "Picture to write; picture.png in the directory if not given");
    add_switch(*command, "--all", render.all, "Draw every frame, not the last one alone");
    add_value(*command, "--size", render.size, "WxH", "Width and height in pixels, such as 1280x960");
    add_value(*command, "--color", render.color, "NAME",
              "Colour by speed, or by an array of the frames (see talus info)");
    return command;
}

CLI::App* add_lagrange(CLI::App& app, LagrangeArguments& lagrange) {
    CLI::App* command = app.add_subcommand("lagrange", "Simulate a scene in generalized coordinates");
    add_value(*command, "scene", lagrange.scene, "SCENE", "Scene file (TOML) with a section [system]")
        ->required();
    add_value(*command, "--out", lagrange.out, "DIR",
              "Directory of the results; results/<name of the scene> if not given");
    add_settings(*command, lagrange.settings);
    add_switch(*command, "--force", lagrange.force,
               "Replace the results of an earlier run in the same directory");
    return command;
}

CLI::App* add_converge(CLI::App& app, ConvergeArguments& converge) {
    CLI::App* command = app.add_subcommand(
        "converge", "Compare schemes: errors over the step, for a scene in generalized coordinates");
    add_value(*command, "scene", converge.scene, "SCENE", "Scene file (TOML) with a section [system]")
        ->required();
    add_value(*command, "--steps", converge.steps, "H,H,...", "Time steps [s], such as 1e-2,1e-3")
        ->required();
    add_value(*command, "--schemes", converge.schemes, "NAME,NAME,...", "Schemes; all if not given");
    add_value(*command, "--out", converge.out, "DIR",
              "Directory of the results; results/<name of the scene>_convergence if not given");
    add_settings(*command, converge.settings);
    add_switch(*command, "--force", converge.force,
               "Replace the results of an earlier run in the same directory");
    return command;
}

/// Prints what is wrong with the command line in one line, and where help is.
int report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    fmt::print(stderr, "talus: {}\nSee {} --help\n", explain_usage(app, error, argc, argv),
               used_command(app));
    return kBadInput;
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
    add_value(*info_command, "path", arguments.info_path, "PATH",
              "Directory of results, or a .vtp, .pvd, .csv or .stl file")
        ->required();
    info_command->callback([&] { chosen = [&] { return info(arguments.info_path); }; });
    app.add_subcommand("list", "List solvers, broad phases and what a scene can be made of")->callback([&] {
        chosen = [] { return list(); };
    });
    add_lagrange(app, arguments.lagrange)->callback([&] {
        chosen = [&] { return run_lagrange(arguments.lagrange); };
    });
    add_converge(app, arguments.converge)->callback([&] {
        chosen = [&] { return converge(arguments.converge); };
    });
    add_render(app, arguments.render)->callback([&] { chosen = [&] { return render(arguments.render); }; });
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return report_usage(app, error, argc, argv);
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
    talus::app::keep_vtk_serial();
    return talus::app::guarded(argc, argv);
}
