// IndexCache: entries written beside, checked, and renamed into place.
#include "store/index_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/try.h"
#include "store/index_codec.h"
#include "tensortap/version.h"
#include "wire/crc32c.h"

namespace tensortap::store {
namespace {

namespace fs = std::filesystem;

// Raise with every change of IndexCodec or of what decoders put into contents.
constexpr std::uint32_t kIndexVersion = 2;
constexpr std::uint64_t kLeastBytes = 256 << 10;

// What an entry starts with; the path of the file follows, then its contents.
struct Head {
  std::array<char, 8> magic{'t', 'a', 'p', 'i', 'n', 'd', 'e', 'x'};
  std::uint32_t version = kIndexVersion;
  std::uint32_t crc = 0;  // of all behind the head
  std::array<char, 16> program{TENSORTAP_VERSION};
  std::uint64_t body_bytes = 0;
  std::uint64_t path_bytes = 0;
  FileIdentity identity;
  Anchors anchors;
};

// Whether a file may be the one that was read, grown or not. Written to without growing, it was changed in place.
bool may_be_the_same(const FileIdentity& then, const FileIdentity& now) {
  if (!then.same_file(now)) return false;
  return now.size_bytes != then.size_bytes || now.modified_nanos == then.modified_nanos;
}

// FNV-1a: the same on every machine and in every version.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return hash;
}

std::string absolute_path(const RunFile& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file.path(), error);
  return error ? file.path() : absolute.lexically_normal().string();
}

Status io_error(const std::string& what, const std::string& path) {
  return Status(StatusCode::kIo, "cannot " + what + " " + path + ": " + std::strerror(errno));
}

Status write_file(const std::string& path, std::span<const Bytes> pieces) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return io_error("create", path);
  Status status;
  for (Bytes left : pieces) {
    while (!left.empty() && status.ok()) {
      const ssize_t done = ::write(descriptor, left.data(), left.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) status = io_error("write", path);
      if (done > 0) left = left.subspan(static_cast<std::size_t>(done));
    }
  }
  if (::close(descriptor) != 0 && status.ok()) status = io_error("close", path);
  return status;
}

}  // namespace

IndexCache::IndexCache(std::string directory, std::uint64_t limit_bytes)
    : directory_(std::move(directory) + "/index"), limit_bytes_(limit_bytes) {}

std::string IndexCache::usual_directory() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  auto variable = [](const char* name) { return std::getenv(name); };
  if (const char* chosen = variable("TENSORTAP_CACHE_DIR")) return chosen;
  if (const char* caches = variable("XDG_CACHE_HOME"); caches != nullptr && *caches == '/') {
    return std::string(caches) + "/tensortap";
  }
  const char* home = variable("HOME");
  return home == nullptr || *home != '/' ? "" : std::string(home) + "/.cache/tensortap";
}

bool IndexCache::is_worth_saving(std::uint64_t saved_bytes, std::uint64_t read_bytes) const {
  return read_bytes >= kLeastBytes && read_bytes > saved_bytes + saved_bytes / 8;
}

std::string IndexCache::entry_path(const RunFile& file) const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::uint64_t hash = hash_of(absolute_path(file));
  std::string name(16, '0');
  for (auto digit = name.rbegin(); digit != name.rend(); ++digit, hash >>= 4) *digit = kDigits[hash & 15];
  return directory_ + "/" + name + ".idx";
}

std::optional<IndexCache::Saved> IndexCache::load(const RunFile& file, const ReadFile& opened) const {
  auto entry = ReadFile::open(directory_, fs::path(entry_path(file)).filename().string(), Links::kInside);
  if (!entry.ok()) return std::nullopt;
  const std::uint64_t size = entry->identity().size_bytes;
  Head head;
  if (size < sizeof head) return std::nullopt;
  auto got = entry->read(0, std::as_writable_bytes(std::span(&head, 1)));
  const Head expected;
  if (!got.ok() || *got != sizeof head || head.magic != expected.magic || head.version != expected.version ||
      head.program != expected.program || head.body_bytes != size - sizeof head || head.path_bytes > head.body_bytes ||
      !may_be_the_same(head.identity, opened.identity()) || head.anchors.offset > opened.identity().size_bytes) {
    return std::nullopt;
  }
  auto anchors = anchors_of(opened, head.anchors.offset);
  if (!anchors.ok() || !(*anchors == head.anchors)) return std::nullopt;

  // Entries are only ever replaced as a whole, so that they can be mapped.
  auto mapped = entry->map();
  if (!mapped.ok()) return std::nullopt;
  const Bytes body(mapped->get() + sizeof head, head.body_bytes);
  if (wire::crc32c(body) != head.crc) return std::nullopt;
  const std::string_view path(reinterpret_cast<const char*>(body.data()), head.path_bytes);
  if (path != absolute_path(file)) return std::nullopt;
  auto contents = decode_contents(std::move(*mapped), size, sizeof head + head.path_bytes);
  if (contents == nullptr) return std::nullopt;
  return Saved{head.anchors, std::move(contents)};
}

Status IndexCache::save(const RunFile& file, const FileIdentity& identity, const Anchors& anchors,
                        const FileContents& contents) const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) return Status(StatusCode::kIo, "cannot create " + directory_ + ": " + error.message());
  // Other users' files may be named in there.
  fs::permissions(directory_, fs::perms::owner_all, error);

  const std::string path = absolute_path(file);
  const std::string body = encode_contents(contents);
  Head head;
  head.identity = identity;
  head.anchors = anchors;
  head.path_bytes = path.size();
  head.body_bytes = path.size() + body.size();
  head.crc = wire::extend_crc32c(wire::crc32c(bytes_of(path)), bytes_of(body));
  const std::string entry = entry_path(file);
  const std::string beside = entry + "." + std::to_string(::getpid());
  const std::array<Bytes, 3> pieces{std::as_bytes(std::span(&head, 1)), bytes_of(path), bytes_of(body)};
  ::unlink(beside.c_str());
  Status status = write_file(beside, pieces);
  if (status.ok() && ::rename(beside.c_str(), entry.c_str()) != 0) status = io_error("rename", beside);
  if (!status.ok()) ::unlink(beside.c_str());
  return status;
}

void IndexCache::trim() const {
  struct Found {
    fs::file_time_type written;
    std::uint64_t size_bytes;
    fs::path path;
  };
  std::vector<Found> entries;
  std::uint64_t total_bytes = 0;
  std::error_code error;
  for (fs::directory_iterator it(directory_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const std::uint64_t size = it->file_size(gone);
    const fs::file_time_type written = it->last_write_time(gone);
    if (gone) continue;
    entries.push_back({written, size, it->path()});
    total_bytes += size;
  }
  std::sort(entries.begin(), entries.end(), [](const Found& a, const Found& b) { return a.written < b.written; });
  for (const Found& each : entries) {
    if (total_bytes <= limit_bytes_) break;
    if (fs::remove(each.path, error)) total_bytes -= each.size_bytes;
  }
}

}  // namespace tensortap::store
