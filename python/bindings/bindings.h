// What each binding file adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tensortap::python {

void bind_channel(nanobind::module_& module);
void bind_spots(nanobind::module_& module);
void bind_globs(nanobind::module_& module);
void bind_stats(nanobind::module_& module);
void bind_tap_watch(nanobind::module_& module);

}  // namespace tensortap::python
