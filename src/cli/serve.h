// serve: the command that shows a log directory in a browser.
#pragma once

#include "cli/program.h"

namespace tensortap::cli {

void add_serve(Program& program);

}  // namespace tensortap::cli
