// ExitCode: what the program's exit says to scripts; every command uses these.
#pragma once

namespace tensortap::cli {

enum ExitCode {
  kClean = 0,
  kFindings = 1,
  kUsage = 2,    // wrong arguments, a path or name that is not there, output that cannot be written
  kDamaged = 3,  // data could not be read whole
};

}  // namespace tensortap::cli
