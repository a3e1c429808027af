// Sinks: where else captures go, besides the run's directory.
//
//   options.sinks = {tensortap::sinks::csv("out/a"), tensortap::sinks::sqlite("out/a.db")};
//   tensortap::Run run = tensortap::Run::open("runs/a", options).value();
#pragma once

#include <map>
#include <string>
#include <utility>

namespace tensortap {

// One sink, as it was asked for. docs/sinks.md lists the options of each kind.
struct SinkSpec {
  std::string kind;
  std::string target;  // a directory, a file, or a URL; empty for "print"
  std::map<std::string, std::string> options = {};
};

namespace sinks {

using Options = std::map<std::string, std::string>;

// Tables of metrics, statistics, predictions and weights.
inline SinkSpec csv(std::string directory, Options options = {}) {
  return {"csv", std::move(directory), std::move(options)};
}
// One file for each tensor, and for each set of predictions.
inline SinkSpec npy(std::string directory, Options options = {}) {
  return {"npy", std::move(directory), std::move(options)};
}
// One file for each image, and for each prediction that is a map.
inline SinkSpec png(std::string directory, Options options = {}) {
  return {"png", std::move(directory), std::move(options)};
}
// Lines for people, on the standard output.
inline SinkSpec print(Options options = {}) { return {"print", "", std::move(options)}; }
inline SinkSpec sqlite(std::string path, Options options = {}) {
  return {"sqlite", std::move(path), std::move(options)};
}
// postgresql://user@host/database
inline SinkSpec postgresql(std::string url, Options options = {}) {
  return {"postgresql", std::move(url), std::move(options)};
}

}  // namespace sinks
}  // namespace tensortap
