// Frames for tests: a record in its frame, and the records of a file's bytes.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "wire/frame.h"

namespace tensortap::wire {

inline std::string frame_of(std::string_view data) {
  Bytes piece = bytes_of(data);
  auto header = encode_header(data.size());
  auto footer = encode_footer({&piece, 1});
  std::string frame(reinterpret_cast<const char*>(header.data()), header.size());
  frame += data;
  return frame.append(reinterpret_cast<const char*>(footer.data()), footer.size());
}

// Fails the test when anything but whole records stands there.
inline std::vector<std::string> records_in(const std::string& contents) {
  std::vector<std::string> records;
  Bytes rest = bytes_of(contents);
  while (!rest.empty()) {
    auto record = decode_frame(rest);
    if (!record.ok()) {
      ADD_FAILURE() << record.status().to_string() << " at " << contents.size() - rest.size();
      break;
    }
    records.emplace_back(reinterpret_cast<const char*>(record->data()), record->size());
    rest = rest.subspan(record->size() + kHeaderBytes + kFooterBytes);
  }
  return records;
}

}  // namespace tensortap::wire
