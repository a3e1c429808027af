// ls: the command that lists the runs of a log directory, or the series of a run.
#pragma once

#include "cli/program.h"

namespace tensortap::cli {

void add_ls(Program& program);

}  // namespace tensortap::cli
