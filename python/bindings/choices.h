// Choices: the words Python uses for the recorder's enums.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "errors.h"
#include "tensortap/media.h"
#include "tensortap/run_options.h"

namespace tensortap::python {

// The value of a word in a small table; ValueError lists the words.
template <typename Value, std::size_t size>
Value choice(std::string_view word, std::string_view what,
             const std::array<std::pair<const char*, Value>, size>& table) {
  std::string words;
  for (const auto& [name, value] : table) {
    if (word == name) return value;
    words += (words.empty() ? "" : ", ") + std::string(name);
  }
  raise(PyExc_ValueError, std::string(what) + " is one of " + words + "; not '" + std::string(word) + "'");
}

constexpr std::array<std::pair<const char*, RunMode>, 4> kModes{{{"new", RunMode::kNew},
                                                                 {"resume", RunMode::kResume},
                                                                 {"join", RunMode::kJoin},
                                                                 {"overwrite", RunMode::kOverwrite}}};
constexpr std::array<std::pair<const char*, WhenFull>, 3> kWhenFull{
    {{"drop", WhenFull::kDrop}, {"wait", WhenFull::kWait}, {"strict", WhenFull::kStrict}}};
constexpr std::array<std::pair<const char*, TensorBoardHistograms>, 3> kHistograms{
    {{"none", TensorBoardHistograms::kNone},
     {"thinned", TensorBoardHistograms::kThinned},
     {"all", TensorBoardHistograms::kAll}}};
constexpr std::array<std::pair<const char*, ImageScale>, 4> kScales{{{"auto", ImageScale::kAuto},
                                                                     {"unit", ImageScale::kUnit},
                                                                     {"minmax", ImageScale::kMinMax},
                                                                     {"symmetric", ImageScale::kSymmetric}}};
constexpr std::array<std::pair<const char*, Phase>, 4> kPhases{
    {{"", Phase::kNone}, {"train", Phase::kTrain}, {"val", Phase::kVal}, {"predict", Phase::kPredict}}};

}  // namespace tensortap::python
