// What each binding file adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tensortap::python {

class RunHandle;
using RunClass = nanobind::class_<RunHandle>;

void bind_directory(nanobind::module_& module);
void bind_table(nanobind::module_& module);
void bind_run(nanobind::module_& module);
// Parts of the class Run, by what they read.
void bind_run_series(RunClass& run);
void bind_run_values(RunClass& run);
void bind_run_media(RunClass& run);

}  // namespace tensortap::python
