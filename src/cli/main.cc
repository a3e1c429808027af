// tensortap: the program's commands and their arguments; each command is a file of its own.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/check.h"
#include "cli/exit_code.h"
#include "tensortap/version.h"

namespace tensortap::cli {
namespace {

int run(int argc, char** argv) {
  CLI::App app("Tensortap records what a neural network puts out, and shows it.", "tensortap");
  app.set_version_flag("--version", "tensortap " TENSORTAP_VERSION);
  app.require_subcommand(1);
  app.footer("Example: tensortap check runs --files");

  CheckOptions check_options;
  CLI::App* check = app.add_subcommand("check", "say whether the recorded files are whole");
  check->add_option("LOGDIR", check_options.log_directory, "directory with runs")->required();
  check->add_flag("--files", check_options.files_only, "check the files alone (the only check so far)");
  check->add_flag("--json", check_options.json, "print JSON");
  check->footer("Exit code: 0 whole, 2 wrong usage, 3 damaged.\nExample: tensortap check runs --files");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive here too, with code 0.
    return app.exit(error) == 0 ? kClean : kUsage;
  }
  return run_check(check_options);
}

}  // namespace
}  // namespace tensortap::cli

int main(int argc, char** argv) { return tensortap::cli::run(argc, argv); }
