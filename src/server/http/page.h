// Page: the files of the viewer's page, out of the program or out of a directory.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/http/page_assets.h"

namespace tensortap::server {

// A file as it is sent.
struct PageFile {
  std::string bytes;      // plain; empty where `gzip` is
  std::string_view gzip;  // compressed, in the program's own memory
  std::string_view content_type;
  std::string etag;
  bool is_immutable = false;
};

// Threads:  const after construction.
// Failure:  find() gives nothing: not there, not a regular file, outside of the directory, of an unknown type.
// Lifetime: `assets` must outlive it.
class Page {
 public:
  // With a directory (--ui-dir) its files are read anew each time, and `assets` are not used.
  Page(std::span<const PageAsset> assets, std::string directory);

  // `path` begins with '/'; "/" is index.html. Where there is no page, "/" says how to get one.
  std::optional<PageFile> find(const std::string& path) const;

 private:
  std::optional<PageFile> find_in_directory(const std::string& relative) const;

  const std::span<const PageAsset> assets_;
  const std::string directory_;
};

// By the ending of a name; empty for those that a page has no use for.
std::string_view page_content_type(std::string_view name);

}  // namespace tensortap::server
