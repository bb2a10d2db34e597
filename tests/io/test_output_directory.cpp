#include "talus/io/output_directory.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "io/support.hpp"
#include "talus/core/error.hpp"

using namespace talus;
using namespace talus::test;

namespace fs = std::filesystem;

TEST_CASE("a directory is made with its parents") {
    const TemporaryDirectory directory;
    prepare_output_directory(directory.file("a/b/c"), false);
    CHECK(fs::is_directory(directory.file("a/b/c")));
    CHECK(fs::is_empty(directory.file("a/b/c")));
}

TEST_CASE("an existing directory with files of others is fine and keeps them") {
    const TemporaryDirectory directory;
    directory.write("notes.txt", "mine");
    prepare_output_directory(directory.path(), false);
    CHECK(directory.names() == std::vector<std::string>{"notes.txt"});
}

TEST_CASE("a file in place of the directory is refused with its name") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("out", "a file");
    for (const std::string& wanted : {path, path + "/below"}) {
        const std::string message = message_of<OutputError>([&] { prepare_output_directory(wanted, true); });
        CHECK(message.find(wanted) != std::string::npos);
        CHECK(message.find("--out") != std::string::npos);
    }
    CHECK(text_of(path) == "a file");
}

TEST_CASE("places where nothing can be written are refused") {
    CHECK_THROWS_AS(prepare_output_directory("/proc/talus", false), OutputError);
    CHECK_THROWS_AS(prepare_output_directory("/proc", false), OutputError);
    CHECK_THROWS_AS(prepare_output_directory("", false), InputError);
}

TEST_CASE("earlier results are refused without force, with a way out") {
    for (const char* name : {"particles_000000.vtp", "particles.pvd", "series.csv", "picture_000012.png"}) {
        const TemporaryDirectory directory;
        directory.write(name, "old");
        const std::string message =
            message_of<InputError>([&] { prepare_output_directory(directory.path(), false); });
        CHECK(message.find(name) != std::string::npos);
        CHECK(message.find("--force") != std::string::npos);
        CHECK(message.find("--out") != std::string::npos);
        CHECK(text_of(directory.file(name)) == "old");
    }
}

TEST_CASE("force removes exactly the files that talus makes") {
    const TemporaryDirectory directory;
    for (const char* name :
         {"particles_000000.vtp", "particles_1234567.vtp", "contacts_000000.vtp", "walls_000000.vtp",
          "particles.pvd", "contacts.pvd", "walls.pvd", "series.csv", "summary.txt", "scene.toml",
          "picture.png", "picture_000001.png", "particles_000003.vtp.partial", "particles.pvd.partial"}) {
        directory.write(name, "old");
    }
    const std::vector<std::string> foreign = {"Particles_000001.vtp",  "my_particles_000000.vtp",
                                              "particles_.vtp",        "particles_00a.vtp",
                                              "particles_000001.vtp~", "particles_final.vtp",
                                              "picture_of_my_cat.png", "series.csv.bak",
                                              "walls_000001.vtu",      "x.partial",
                                              "particles_000001 .vtp"};
    for (const std::string& name : foreign) directory.write(name, "mine");
    fs::create_directory(directory.file("walls_000007.vtp"));
    prepare_output_directory(directory.path(), true);
    for (const std::string& name : foreign) CHECK(text_of(directory.file(name)) == "mine");
    CHECK(fs::is_directory(directory.file("walls_000007.vtp")));
    CHECK(directory.names().size() == foreign.size() + 1);
}

TEST_CASE("a file is replaced as a whole and no temporary file stays") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("a.txt", "old");
    write_file_atomically(path, "new text\n");
    CHECK(text_of(path) == "new text\n");
    write_file_atomically(path, "");
    CHECK(text_of(path).empty());
    CHECK(directory.names() == std::vector<std::string>{"a.txt"});
}

TEST_CASE("a file that can not be written is named and the old one stays") {
    const TemporaryDirectory directory;
    const std::string lost = directory.file("no/such/a.txt");
    CHECK(message_of<OutputError>([&] { write_file_atomically(lost, "x"); }).find(lost + ": ") == 0);
    CHECK_THROWS_AS(write_file_atomically("/dev/full", "x"), OutputError);
    CHECK(fs::is_character_file("/dev/full"));
    CHECK_THROWS_AS(write_file_atomically(directory.path(), "x"), OutputError);

    const SmallDisc disc(directory.path(), 16);
    if (!disc.mounted()) {
        MESSAGE("full disc not tried: this user may not mount a small file system");
        return;
    }
    const std::string path = directory.write("a.txt", "old");
    CHECK(message_of<OutputError>([&] {
              write_file_atomically(path, std::string(100'000, 'x'));
          }).find(path) == 0);
    CHECK(text_of(path) == "old");
    CHECK(directory.names() == std::vector<std::string>{"a.txt"});
}
