// Preferences: a JSON document, written beside and renamed into place.
#include "server/http/preferences.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "store/read_file.h"

namespace tensortap::server {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kMostDocumentBytes = std::size_t{1} << 20;
constexpr int kMostDepth = 8;  // notes of runs are 2 deep
constexpr const char* kFolder = "log-directories";

// Numbers with 16 digits: FNV-1a, the same on every machine and in every version.
std::string name_of(std::string_view path) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char each : path) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name(16, '0');
  for (auto digit = name.rbegin(); digit != name.rend(); ++digit, hash >>= 4) *digit = kDigits[hash & 15];
  return name + ".json";
}

std::string real_path(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

Status io_error(const std::string& what, const std::string& path) {
  return Status(StatusCode::kIo,
                "cannot " + what + " " + path + ": " + std::strerror(errno) + "; notes, colours and pins are not kept");
}

// Something that is no JSON, or so deep that it must be meant badly, is discarded.
Json parsed(std::string_view untrusted) {
  bool is_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    is_deep |= depth > kMostDepth;
    return depth <= kMostDepth;
  };
  Json json = Json::parse(untrusted.begin(), untrusted.end(), watch, false);
  return is_deep ? Json(Json::value_t::discarded) : json;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json empty_preferences() {
  return {{"notes", Json::object()}, {"colors", Json::object()}, {"pins", Json::array()}, {"muted", Json::array()}};
}

// What the document says, or what it would say if there were one.
Result<Json> load(const std::string& config_directory, const std::string& path) {
  if (path.empty()) return empty_preferences();
  const std::string relative = std::string(kFolder) + "/" + fs::path(path).filename().string();
  auto file = store::ReadFile::open(config_directory, relative, store::Links::kInside);
  if (!file.ok()) {
    if (file.status().code() == StatusCode::kNotFound) return empty_preferences();
    return file.status();
  }
  std::string text(std::min<std::uint64_t>(file->identity().size_bytes, kMostDocumentBytes * 2), '\0');
  auto got = file->read(0, std::as_writable_bytes(std::span(text)));
  if (!got.ok()) return got.status();
  text.resize(*got);
  const Json document = parsed(text);
  if (!document.is_object() || !document.contains("preferences") || !document["preferences"].is_object()) {
    return Status(StatusCode::kCorrupt, path + " is damaged; mend it, or delete it to begin anew");
  }
  Json preferences = empty_preferences();
  preferences.merge_patch(document["preferences"]);
  return preferences;
}

}  // namespace

std::string Preferences::usual_directory() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const auto variable = [](const char* name) { return std::getenv(name); };
  if (const char* chosen = variable("TENSORTAP_CONFIG_DIR")) return chosen;
  if (const char* configs = variable("XDG_CONFIG_HOME"); configs != nullptr && *configs == '/') {
    return std::string(configs) + "/tensortap";
  }
  const char* home = variable("HOME");
  return home == nullptr || *home != '/' ? "" : std::string(home) + "/.config/tensortap";
}

Preferences::Preferences(std::string config_directory, const std::string& log_directory)
    : config_directory_(std::move(config_directory)), log_directory_(real_path(log_directory)) {
  if (config_directory_.empty()) return;
  // Nothing is ever written into a log directory, not even when it is somebody's home.
  const std::string real = real_path(config_directory_);
  const bool is_inside = real == log_directory_ || log_directory_ == "/" || real.starts_with(log_directory_ + "/");
  if (!is_inside) path_ = config_directory_ + "/" + kFolder + "/" + name_of(log_directory_);
}

Result<std::string> Preferences::get() const {
  std::lock_guard lock(lock_);
  auto json = load(config_directory_, path_);
  if (!json.ok()) return json.status();
  return text_of(*json);
}

Result<std::string> Preferences::patch(std::string_view untrusted_patch) {
  const Json patch = parsed(untrusted_patch);
  if (!patch.is_object()) {
    return Status(StatusCode::kInvalidArgument, "a patch of preferences is a JSON object, not very deep (RFC 7396)");
  }
  std::lock_guard lock(lock_);
  if (path_.empty()) {
    return Status(StatusCode::kIo,
                  "there is no config directory outside of the log directory; notes, colours and pins are not kept. "
                  "Set TENSORTAP_CONFIG_DIR to one");
  }
  auto json = load(config_directory_, path_);
  if (!json.ok()) return json.status();
  json->merge_patch(patch);
  const std::string text = text_of({{"log_directory", log_directory_}, {"preferences", *json}});
  if (text.size() > kMostDocumentBytes) {
    return Status(StatusCode::kInvalidArgument, "preferences of a log directory may have 1 MiB; delete some notes");
  }
  if (Status status = save(text); !status.ok()) return status;
  return text_of(*json);
}

Status Preferences::save(const std::string& text) const {
  std::error_code error;
  const std::string folder = fs::path(path_).parent_path().string();
  const bool is_new = fs::create_directories(folder, error);
  if (error) {
    errno = error.value();
    return io_error("make", folder);
  }
  if (is_new) ::chmod(folder.c_str(), 0700);
  std::string beside = path_ + ".XXXXXX";
  const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);  // 0600
  if (descriptor < 0) return io_error("write", path_);
  Status status;
  for (std::string_view left = text; !left.empty() && status.ok();) {
    const ssize_t done = ::write(descriptor, left.data(), left.size());
    if (done < 0 && errno != EINTR) status = io_error("write", path_);
    if (done > 0) left.remove_prefix(static_cast<std::size_t>(done));
  }
  if (status.ok() && ::fsync(descriptor) != 0) status = io_error("write", path_);
  if (::close(descriptor) != 0 && status.ok()) status = io_error("write", path_);
  if (status.ok() && ::rename(beside.c_str(), path_.c_str()) != 0) status = io_error("write", path_);
  if (!status.ok()) ::unlink(beside.c_str());
  return status;
}

void add_preferences_route(Router& router, Preferences& preferences) {
  router.add("/api/v1/preferences", {Method::kGet, Method::kPatch}, [&preferences](const Request& request) {
    auto text = request.method == Method::kPatch ? preferences.patch(request.body) : preferences.get();
    if (!text.ok()) return error_response(text.status());
    Response response;
    response.body = std::move(*text);
    response.cache_control = "no-store";
    return response;
  });
}

}  // namespace tensortap::server
