#pragma once

#include <filesystem>
#include <locale>
#include <string>
#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/step/system.hpp"

namespace talus::test {

/// An empty directory that is gone at the end of the test.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::string path() const { return path_.string(); }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    /// Writes a file of this content. @return its path.
    std::string write(const std::string& name, const std::string& content) const;
    std::vector<std::string> names() const;  ///< of everything in it, sorted

private:
    std::filesystem::path path_;
};

/// A file system of `kilobytes` on the directory, where this process may mount one.
class SmallDisc {
public:
    SmallDisc(const std::string& directory, int kilobytes);
    ~SmallDisc();
    SmallDisc(const SmallDisc&) = delete;
    SmallDisc& operator=(const SmallDisc&) = delete;

    bool mounted() const { return mounted_; }

private:
    std::string directory_;
    bool mounted_;
};

/// Makes 1.5 read and write as "1,5" and 1000 as "1.000" in C++ streams (and in C where the system has a
/// German locale) until the end of the scope.
class DecimalCommas {
public:
    DecimalCommas();
    ~DecimalCommas();
    DecimalCommas(const DecimalCommas&) = delete;
    DecimalCommas& operator=(const DecimalCommas&) = delete;

private:
    std::locale before_;
};

std::string text_of(const std::string& path);

/// Message of the Error that `call` throws; empty if it throws none.
template <class Error, class Call>
std::string message_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// Makes the spheres of `system` turned and spinning, each in its own way.
void set_spinning(System& system);

/// Three spheres (7, 9, 12) over a floor z = 0 that goes on for ever (wall 0), beside a plate (wall 1). The
/// contacts 7-9, 9-12 and 9-floor press with impulses 1, 2 and 3 [N s], the contact 7-12 does not.
/// The tangential impulse of contact c = 0, 1, 2, 3 is (c, 2 c, 3 c) [N s]; the second and the last slide.
System three_spheres();
ContactList three_contacts();

}  // namespace talus::test
