// SafeName: a tag or an id as part of a file's name.
#pragma once

#include <string>
#include <string_view>

#include "recorder/sink.h"

namespace tensortap::recorder {

// Letters, digits and - _ . # @ + = stay, and so does text beyond ASCII; all else is _. Never empty, never hidden,
// never longer than a file system takes: what is cut off leaves a number made of the whole name.
std::string safe_name(std::string_view untrusted);

// The tag with its sub-run: "val/loss".
std::string full_tag(const CaptureInfo& info);

// "val" of "predictions/val"; with its sub-run where it has one.
std::string predictions_name(const CaptureInfo& info);

// "" for kNone.
std::string_view phase_name(Phase phase);

}  // namespace tensortap::recorder
