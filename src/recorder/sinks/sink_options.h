// SinkOptions: what a sink was asked for, checked.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "tensortap/result.h"
#include "tensortap/sinks.h"

namespace tensortap::recorder {

// What to do with files that are there already.
enum class SinkMode {
  kNew,        // take a numbered sibling of the directory
  kAppend,     // go on in them
  kOverwrite,  // delete them first
};

// kInvalidArgument: no directory, or an option that is none of `known`.
Status check_directory_sink(const SinkSpec& spec, std::initializer_list<std::string_view> known);
Status check_options(const SinkSpec& spec, std::initializer_list<std::string_view> known);

// Empty when it was not given.
std::string option_of(const SinkSpec& spec, const std::string& name);
Result<SinkMode> sink_mode(const SinkSpec& spec);

}  // namespace tensortap::recorder
