// PythonChannel: what tap.Run is bound to.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "recorder/channel.h"

namespace tensortap::python {

// A tag's bytes. Python strings may hold lone surrogates, which no file may.
std::string_view text_of(nanobind::handle text, const char* what);

// The run's own handle closes it when Python forgets it; those of sub-runs only share its life.
class PyChannel {
 public:
  PyChannel(std::shared_ptr<recorder::Channel> channel, bool is_root)
      : channel_(std::move(channel)), is_root_(is_root) {}
  PyChannel(PyChannel&&) = default;
  ~PyChannel() {
    if (channel_ && is_root_) (void)channel_->close(true);
  }
  recorder::Channel& operator*() const { return *channel_; }
  recorder::Channel* operator->() const { return channel_.get(); }
  const std::shared_ptr<recorder::Channel>& shared() const { return channel_; }

  // The step of a call; None stands for the one that was published.
  std::int64_t step_of(nanobind::handle step) const;
  static std::int64_t to_step(nanobind::handle step);

 private:
  std::shared_ptr<recorder::Channel> channel_;
  bool is_root_;
};

}  // namespace tensortap::python
