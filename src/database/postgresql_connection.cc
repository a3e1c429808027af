// PostgresqlConnection: finding the plug-in, and calling it.
#include "database/postgresql_connection.h"

#include <dlfcn.h>

#include <array>

#include "database/copy_rows.h"
#include "database/postgresql_plugin.h"

namespace tensortap::database {
namespace {

constexpr const char* kFileName = "tensortap_postgresql.so";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kBinding = RTLD_NOW | RTLD_LOCAL;  // sanitizers refuse the flag
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr int kBinding = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int kBinding = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
#else
// Its own OpenSSL, and not TensorFlow's.
constexpr int kBinding = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

// Where the library or program is that this code is in.
std::string own_directory() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&own_directory), &info) == 0 || info.dli_fname == nullptr) return "";
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

Result<const TensortapPgApi*> load_plugin() {
  void* library = ::dlopen((own_directory() + kFileName).c_str(), kBinding);
  const char* why = library == nullptr ? ::dlerror() : nullptr;
  std::string reason = why == nullptr ? "" : why;
  // Elsewhere on the library path.
  if (library == nullptr) library = ::dlopen(kFileName, kBinding);
  if (library == nullptr) {
    return Status(StatusCode::kIo, "cannot open " + std::string(kFileName) + " (" + reason +
                                       "): install libpq5, or libpq-dev before Tensortap is built");
  }
  const auto entry = reinterpret_cast<TensortapPgEntry>(::dlsym(library, TENSORTAP_POSTGRESQL_ENTRY));
  const TensortapPgApi* api = entry == nullptr ? nullptr : entry();
  if (api == nullptr || api->version != TENSORTAP_POSTGRESQL_VERSION) {
    return Status(StatusCode::kIo, std::string(kFileName) + " is of another Tensortap: install both again");
  }
  return api;
}

// Never closed: OpenSSL has things to do when the process ends.
const Result<const TensortapPgApi*>& plugin() {
  static const Result<const TensortapPgApi*> loaded = load_plugin();
  return loaded;
}

class PostgresqlConnection : public ServerConnection {
 public:
  PostgresqlConnection(const TensortapPgApi& api, void* handle) : api_(api), handle_(handle) {}
  ~PostgresqlConnection() override { api_.close(handle_); }
  PostgresqlConnection(const PostgresqlConnection&) = delete;
  PostgresqlConnection& operator=(const PostgresqlConnection&) = delete;

  Answer run(const std::string& sql) override {
    const int outcome = api_.run(handle_, sql.c_str(), {text_.data(), text_.size()});
    return answer(outcome);
  }

  Answer copy(const std::string& sql, std::string_view rows) override {
    const std::array<const char*, 3> pieces = {copy_begin().data(), rows.data(), copy_end().data()};
    const std::array<std::size_t, 3> sizes = {copy_begin().size(), rows.size(), copy_end().size()};
    return answer(
        api_.copy(handle_, sql.c_str(), pieces.data(), sizes.data(), pieces.size(), {text_.data(), text_.size()}));
  }

 private:
  Answer answer(int outcome) const {
    const AnswerKind kind = outcome == kTensortapPgDone      ? AnswerKind::kDone
                            : outcome == kTensortapPgRefused ? AnswerKind::kRefused
                                                             : AnswerKind::kLost;
    return {kind, text_.data()};
  }

  const TensortapPgApi& api_;
  void* const handle_;
  std::array<char, 1024> text_{};
};

}  // namespace

Result<std::unique_ptr<ServerConnection>> connect_postgresql(const std::string& url,
                                                             const std::string& application_name,
                                                             const Cancellation& cancellation) {
  if (!plugin().ok()) return plugin().status();
  const TensortapPgApi& api = *plugin().value();
  std::array<char, 1024> text{};
  int outcome = 0;
  void* handle =
      api.open(url.c_str(), application_name.c_str(), cancellation.descriptor(), &outcome, {text.data(), text.size()});
  if (outcome == kTensortapPgBadUrl) {
    return Status(StatusCode::kInvalidArgument,
                  "the URL cannot be read; write postgresql://user:password@host:5432/database, with %40 for @, %3A "
                  "for : and %2F for / in a password");
  }
  if (handle == nullptr) return Status(StatusCode::kIo, text.data());
  return std::unique_ptr<ServerConnection>(std::make_unique<PostgresqlConnection>(api, handle));
}

}  // namespace tensortap::database
