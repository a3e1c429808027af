// Names that somebody may have meant who asked for one that is not there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/export.h"

namespace tensortap {

// At most `most` of `candidates`, best first; none when none is near. ASCII case never counts. In this order:
//   the same name                               "Loss"       loss
//   whole parts of it, at its end, start, or    "loss"       train/loss
//   anywhere; or the other way round            "train/loss" loss
//   the start or end of it or of its last part  "acc"        val/accuracy
//   a few typing errors away from either        "vla/lsos"   val/loss
// An error is a character too many, too few, another, or two swapped; a third of the length may be wrong.
// Equally near ones stay in the order given.
std::vector<std::string> near_names(std::string_view wanted, std::span<const std::string> candidates,
                                    std::size_t most = 3);

// " Did you mean 'train/loss' or 'val/loss'?", to be put behind a sentence; empty when nothing is near.
TENSORTAP_API std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates);

}  // namespace tensortap
