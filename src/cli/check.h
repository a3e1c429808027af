// check: the command that says whether the files of a log directory are whole.
#pragma once

#include "cli/program.h"

namespace tensortap::cli {

void add_check(Program& program);

}  // namespace tensortap::cli
