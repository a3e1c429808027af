// Program on CLI11.
#include "cli/program.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/exit_code.h"
#include "tensortap/version.h"

namespace tensortap::cli {

void Command::argument(const char* name, std::string* to, const char* help) {
  app_.add_option(name, *to, help)->required()->type_name("");
}

void Command::optional_argument(const char* name, std::string* to, const char* help) {
  app_.add_option(name, *to, help)->type_name("");
}

void Command::option(const char* name, std::string* to, const char* placeholder, const char* help, bool required) {
  app_.add_option(name, *to, help)->type_name(placeholder)->required(required);
}

void Command::option(const char* name, std::vector<std::string>* to, const char* placeholder, const char* help) {
  app_.add_option(name, *to, help)->type_name(placeholder)->expected(1)->take_all();
}

void Command::option(const char* name, std::optional<std::int64_t>* to, const char* placeholder, const char* help) {
  app_.add_option_function<std::int64_t>(
          name, [to](const std::int64_t& value) { *to = value; }, help)
      ->type_name(placeholder);
}

void Command::option(const char* name, unsigned* to, unsigned least, unsigned most, const char* placeholder,
                     const char* help) {
  app_.add_option(name, *to, help)->check(CLI::Range(least, most).description(""))->type_name(placeholder);
}

void Command::flag(const char* name, bool* to, const char* help) { app_.add_flag(name, *to, help); }

Program::Program()
    : app_(std::make_unique<CLI::App>("Tensortap records what a neural network puts out, and shows it.", "tensortap")) {
  app_->set_version_flag("--version", "tensortap " TENSORTAP_VERSION);
  app_->require_subcommand(1);
  app_->footer("`tensortap COMMAND --help` says more.\nExample: tensortap ls runs");
}

Program::~Program() = default;

Command Program::add(const char* name, const char* what, const char* footer, std::function<int()> action) {
  CLI::App* command = app_->add_subcommand(name, what);
  command->footer(footer);
  command->final_callback([this, action = std::move(action)] { exit_code_ = action(); });
  return Command(*command);
}

int Program::run(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive here too, with code 0.
    return app_->exit(error) == 0 ? kClean : kUsage;
  }
  return exit_code_;
}

}  // namespace tensortap::cli
