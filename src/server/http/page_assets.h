// PageAssets: the files of the page that were built into the program (cmake/EmbedPage.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tensortap::server {

struct PageAsset {
  std::string_view path;          // below the page's address, without a slash before it: "index.html", "assets/a-1f.js"
  std::string_view content_type;  // "text/html; charset=utf-8"
  std::string_view etag;          // with quotes; changes with the contents
  bool is_immutable;              // the name changes with the contents, so that a browser may keep it for ever
  std::string_view gzip;          // the contents, compressed
};

// By path. Empty when the program was built without web/dist: the server then says how to get the page.
// Only the program has it (src/cli): the server is handed these files, and its tests hand it others.
std::span<const PageAsset> page_assets();

}  // namespace tensortap::server
