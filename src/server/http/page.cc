// Page: names looked up in a table, or beneath a directory.
#include "server/http/page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "store/read_file.h"

namespace tensortap::server {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{64} << 20;

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".txt", "text/plain; charset=utf-8"},
}};

constexpr std::string_view kNoPage =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Tensortap</title>\n"
    "<h1>Tensortap</h1>\n"
    "<p>This program was built without its page. Type <code>make web build</code> in Tensortap's directory to build it "
    "in, or start with <code>--ui-dir DIR</code> to show a page from a directory.</p>\n"
    "<p>The data is there all the same: <a href=\"api/v1/status\">api/v1/status</a>, "
    "<a href=\"api/v1/runs\">api/v1/runs</a>.</p>\n</html>\n";

// Vite puts a hash of the contents behind the last '-'.
bool has_hash(std::string_view relative) {
  if (!relative.starts_with("assets/")) return false;
  const std::size_t dot = relative.rfind('.');
  const std::size_t dash = relative.substr(0, dot).rfind('-');
  return dot != std::string_view::npos && dash != std::string_view::npos && dot - dash > 8;
}

std::string etag_of(const store::FileIdentity& file) {
  return "\"" + std::to_string(file.inode) + "-" + std::to_string(file.size_bytes) + "-" +
         std::to_string(file.modified_nanos) + "\"";
}

}  // namespace

std::string_view page_content_type(std::string_view name) {
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return {};
}

Page::Page(std::span<const PageAsset> assets, std::string directory)
    : assets_(assets), directory_(std::move(directory)) {}

std::optional<PageFile> Page::find(const std::string& path) const {
  const std::string relative = path == "/" ? "index.html" : path.substr(1);
  std::optional<PageFile> found;
  if (!directory_.empty()) {
    found = find_in_directory(relative);
  } else {
    const auto asset =
        std::find_if(assets_.begin(), assets_.end(), [&](const PageAsset& each) { return each.path == relative; });
    if (asset != assets_.end()) {
      found = PageFile{{}, asset->gzip, asset->content_type, std::string(asset->etag), asset->is_immutable};
    }
  }
  if (!found && path == "/") found = PageFile{std::string(kNoPage), {}, "text/html; charset=utf-8", {}, false};
  return found;
}

std::optional<PageFile> Page::find_in_directory(const std::string& relative) const {
  const std::string_view type = page_content_type(relative);
  // Names that begin with a dot are nobody's page.
  if (type.empty() || relative.starts_with('.') || relative.find("/.") != std::string::npos) return std::nullopt;
  auto file = store::ReadFile::open(directory_, relative, store::Links::kInside);
  if (!file.ok() || file->identity().size_bytes > kMostFileBytes) return std::nullopt;
  PageFile found;
  found.bytes.resize(file->identity().size_bytes);
  auto got = file->read(0, std::as_writable_bytes(std::span(found.bytes)));
  if (!got.ok()) return std::nullopt;
  found.bytes.resize(*got);
  found.content_type = type;
  found.etag = etag_of(file->identity());
  found.is_immutable = has_hash(relative);
  return found;
}

}  // namespace tensortap::server
