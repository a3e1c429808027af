// The plug-in contents of the three hparams tags, decoded: the inverse of hparams_*_content() in plugins.h.
//
// Each takes the whole content (an HParamsPluginData). kCorrupt when it is damaged or holds another of the three.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/media.h"
#include "tensortap/result.h"

namespace tensortap::event {

struct HParamsStart {
  HParams hparams;  // lists and structs as their JSON text, null as "null"
  std::string group_name;
  std::string model_uri;
  double start_secs = 0;
};

// How a session ended; TensorBoard's numbers.
enum class HParamsStatus : std::uint8_t { kUnknown = 0, kSuccess = 1, kFailure = 2, kRunning = 3 };

struct HParamsEnd {
  HParamsStatus status = HParamsStatus::kUnknown;
  double end_secs = 0;
};

// TensorBoard's numbers.
enum class HParamType : std::uint8_t { kUnset = 0, kString = 1, kBool = 2, kNumber = 3 };

struct HParamInfo {
  std::string name;
  std::string display_name;
  HParamType type = HParamType::kUnset;
};

// A scalar tag that the hparams view shows as a metric.
struct HParamsMetric {
  std::string tag;
  std::string group;  // the sub-run that holds the tag; empty for the run itself
  std::string display_name;
};

struct HParamsExperiment {
  std::vector<HParamInfo> hparams;
  std::vector<HParamsMetric> metrics;
  double created_secs = 0;
};

Result<HParamsStart> decode_hparams_start(std::string_view untrusted);
Result<HParamsEnd> decode_hparams_end(std::string_view untrusted);
Result<HParamsExperiment> decode_hparams_experiment(std::string_view untrusted);

}  // namespace tensortap::event
