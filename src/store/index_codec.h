// IndexCodec: the contents of a file to bytes and back, for the index cache.
//
// Columns stand in the bytes as they stand in memory, so that reading them back is one read and no copies.
// The layout may change with every version: an entry of another version is not read at all.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "store/file_contents.h"

namespace tensortap::store {

std::string encode_contents(const FileContents& contents);

// Null when `bytes` are not what encode_contents() made. The contents keep `bytes`, which their columns point into.
std::unique_ptr<FileContents> decode_contents(ByteBlock bytes, std::size_t size_bytes, std::size_t from);

}  // namespace tensortap::store
