// LayerKinds: what the layers of a Keras model are, by the JSON that Keras makes of it.
//
// Private to query.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "query/runs.h"

namespace tensortap::query {

// By path, as tags have it: "block/conv" -> "Conv2D".
using LayerKinds = std::unordered_map<std::string, std::string>;

// Of the newest Keras model that the run recorded; empty when there is none, or it cannot be read.
LayerKinds layer_kinds(const Run& run);

// Of a model's JSON. Nothing in it is run or looked up: names and words are all that is taken.
LayerKinds kinds_in_keras_model(std::string_view untrusted_json);

}  // namespace tensortap::query
