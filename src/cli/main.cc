// tensortap: the native program; each command is a file of its own.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "cli/check.h"
#include "cli/exit_code.h"
#include "cli/ls.h"
#include "cli/program.h"
#include "cli/recover.h"
#include "cli/serve.h"
#include "cli/show.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
  using namespace tensortap::cli;
  keep_terminal_sane();
  int exit_code = kUsage;
  try {
    Program program;
    add_ls(program);
    add_show(program);
    add_check(program);
    add_recover(program);
    add_serve(program);
    exit_code = program.run(argc, argv);
    // What stands in the buffer may still meet a full disk.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw std::runtime_error("cannot write the output; is the disk full?");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tensortap: %s\n", error.what());
    return kUsage;
  }
  return exit_code;
}
