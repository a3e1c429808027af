// check: the command that says whether the files of a log directory are whole.
#pragma once

#include <string>

namespace tensortap::cli {

struct CheckOptions {
  std::string log_directory;
  bool files_only = false;
  bool json = false;
};

// Prints to stdout, errors to stderr; returns the exit code.
int run_check(const CheckOptions& options);

}  // namespace tensortap::cli
