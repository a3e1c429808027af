// Program: the commands of the program and their arguments. CLI11 stays behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tensortap::cli {

// One command while it is being described. What the arguments say is put where the pointers point.
//
// Threads:  one.
// Failure:  none; wrong arguments are Program::run()'s affair.
// Lifetime: not beyond its Program; what it points at must live until Program::run() returns.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(app) {}

  // By their place; names in capitals.
  void argument(const char* name, std::string* to, const char* help);
  void optional_argument(const char* name, std::string* to, const char* help);

  void option(const char* name, std::string* to, const char* placeholder, const char* help, bool required = false);
  // May be given several times.
  void option(const char* name, std::vector<std::string>* to, const char* placeholder, const char* help);
  void option(const char* name, std::optional<std::int64_t>* to, const char* placeholder, const char* help);
  void option(const char* name, unsigned* to, unsigned least, unsigned most, const char* placeholder, const char* help);
  void flag(const char* name, bool* to, const char* help);

 private:
  CLI::App& app_;
};

// Threads:  one.
// Failure:  run() prints what is wrong on stderr.
// Lifetime: owns the descriptions.
class Program {
 public:
  Program();
  ~Program();

  // Describes a command; `footer` ends its help, with exit codes and an example. `action` returns the exit code.
  Command add(const char* name, const char* what, const char* footer, std::function<int()> action);

  // Runs the command that the arguments name; returns the exit code.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = 0;
};

}  // namespace tensortap::cli
