// LayerOrder: paths of layers, put in order from several sources.
//
// Private to query.
#pragma once

#include <iterator>
#include <list>
#include <string>
#include <unordered_map>

namespace tensortap::query {

// What one source adds follows what it added before; what is there already stays where it is.
//
// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: owns the paths.
class LayerOrder {
 public:
  bool has(const std::string& path) const { return places_.contains(path); }

  // `before`: what the source added last; empty: nothing.
  void add(const std::string& path, const std::string& before) {
    if (has(path)) return;
    const auto previous = places_.find(before);
    auto at = paths_.begin();
    if (previous != places_.end()) at = std::next(previous->second);
    places_.emplace(path, paths_.insert(at, path));
  }

  const std::list<std::string>& paths() const { return paths_; }

 private:
  std::list<std::string> paths_;
  std::unordered_map<std::string, std::list<std::string>::iterator> places_;
};

}  // namespace tensortap::query
