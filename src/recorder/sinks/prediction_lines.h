// PredictionLines: predictions for people to read, a line a sample.
//
//     val id 17  label 3  predicted 3 (0.97)         class vectors: the greatest output, and its value
//     val id 18  label 2.5  output 2.31              up to eight numbers a sample
//     val id 19  output [28,28]: 0 .. 0.12 .. 1      maps: least, mean, greatest
//     ... and 61 more
//     val: 58 of 64 right (90.6 %)                   where labels are classes
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/prediction_rows.h"

namespace tensortap::recorder {

// "0.9712"; "NaN".
std::string short_number(double number);

// Text from outside without what would drive a terminal.
std::string printable(std::string_view untrusted);

// At most `max_samples` of them.
std::string prediction_lines(const std::string& name, const format::PredictionTensors& tensors,
                             std::uint64_t max_samples);

}  // namespace tensortap::recorder
