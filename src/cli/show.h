// show: the command that shows one series in the terminal.
#pragma once

#include "cli/program.h"

namespace tensortap::cli {

void add_show(Program& program);

}  // namespace tensortap::cli
