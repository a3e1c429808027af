// What recording calls take besides tensors: images, predictions, hyperparameters, meshes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "tensortap/tensor_view.h"

namespace tensortap {

// How values become brightness. NaN is drawn magenta, Inf is clipped.
enum class ImageScale {
  kAuto,       // uint8 as it is, bool black and white, uint16 reduced, other integers clipped to 0..255, floats kUnit
  kUnit,       // 0..1, as tf.summary.image
  kMinMax,     // from the least to the greatest value of each image
  kSymmetric,  // from -m to m where m is the greatest magnitude of each image; zero is mid-gray
};

// Which part of training a value belongs to.
enum class Phase : std::uint8_t { kNone = 0, kTrain = 1, kVal = 2, kPredict = 3 };  // in files: never renumber

// Outputs with what belongs to them. The first dimension of every tensor is the sample.
struct Predictions {
  KeptTensor y_pred;
  KeptTensor y_true;                     // may be left out
  std::vector<std::int64_t> number_ids;  // one kind of ids or none; without ids samples count from 0
  std::vector<std::string> text_ids;
};

using HParam = std::variant<bool, double, std::string>;
using HParams = std::map<std::string, HParam>;

// Points in space: vertices [batch,n,3]; faces [batch,m,3] of vertex indices and colors [batch,n,3] of bytes may be
// left out.
struct Mesh {
  KeptTensor vertices;
  KeptTensor faces;
  KeptTensor colors;
  std::string config_json = "{}";  // three.js settings, as tensorboard's mesh plug-in takes them
};

}  // namespace tensortap
