// recover: the command that saves what is whole in a damaged file.
#pragma once

#include "cli/program.h"

namespace tensortap::cli {

void add_recover(Program& program);

}  // namespace tensortap::cli
