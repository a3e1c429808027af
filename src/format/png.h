// PNG: one picture to its file bytes, and back.
//
// Both directions go through libpng; no other file sees it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "format/pixels.h"
#include "tensortap/result.h"

namespace tensortap::format {

// The whole file: 8 bits a channel, gray, gray with alpha, RGB or RGBA by pixels.channels.
// Made for speed: about a third of the time that libpng takes by default. Most files grow by a few percent at
// most; smooth gradients without noise can become several times as large.
//
// kInvalidArgument: sizes that are not positive, channels other than 1..4, another number of bytes than they
// ask for, or more than kMaxImagePixels.
Result<std::string> encode_png(const Pixels& pixels);

// Any PNG as 8 bits a channel: palettes and transparency become colours and alpha, fewer bits are spread,
// 16 bits are scaled. Text, profiles and other ancillary chunks are skipped; bytes after the end are ignored.
//
// kTruncated:   the bytes end before the picture does.
// kCorrupt:     no PNG, or damaged.
// kUnsupported: more than kMaxImagePixels.
Result<Pixels> decode_png(std::span<const std::byte> bytes);

}  // namespace tensortap::format
