// serve: options checked, the server put together, and its address printed.
#include "cli/serve.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "cli/exit_code.h"
#include "cli/json_out.h"
#include "cli/open_logs.h"
#include "cli/visible_text.h"
#include "server/http/page_assets.h"
#include "server/http/port_owner.h"
#include "server/http/preferences.h"
#include "server/http/routes/api.h"
#include "server/http/server.h"

namespace tensortap::cli {
namespace {

struct ServeOptions {
  LogsOptions logs;
  std::string host = "127.0.0.1";
  unsigned port = 6007;
  std::string token;
  bool no_token = false;
  std::string path_prefix;
  std::vector<std::string> allowed_hosts;
  std::string ui_directory;
  bool open = false;
  bool json = false;
};

int refuse(const std::string& sentence) { return fail("serve", Status(StatusCode::kInvalidArgument, sentence)); }

// "/x/y", or nothing; kInvalidArgument for what would need escapes in an address.
Result<std::string> checked_prefix(std::string prefix) {
  while (prefix.ends_with('/')) prefix.pop_back();
  if (prefix.empty()) return prefix;
  const bool is_plain = std::all_of(prefix.begin(), prefix.end(), [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
           each == '/' || each == '-' || each == '_' || each == '~' || each == '.';
  });
  if (!is_plain || prefix[0] != '/' || prefix.find("//") != std::string::npos ||
      prefix.find("/.") != std::string::npos) {
    return Status(StatusCode::kInvalidArgument, "--path-prefix must look like /x/y, not " + prefix);
  }
  return prefix;
}

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::string lower_case(std::string text) {
  for (char& each : text) each = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
  return text;
}

server::AccessRules access_rules(const ServeOptions& options, const server::Server& listening) {
  server::AccessRules rules;
  if (!options.no_token) rules.token = options.token.empty() ? server::make_token() : options.token;
  rules.cookie_name = "tensortap-" + std::to_string(listening.port());
  for (const std::string& host : options.allowed_hosts) rules.hosts.push_back(lower_case(host));
  if (!listening.is_loopback()) {
    rules.any_address = true;
    rules.hosts.push_back(lower_case(machine_name()));
    rules.hosts.push_back(lower_case(options.host));
  }
  return rules;
}

std::string address_of(const server::Server& listening, const std::string& prefix, const std::string& token) {
  std::string host = listening.address();
  if (host == "0.0.0.0" || host == "::") {
    host = machine_name();
  } else if (host.find(':') != std::string::npos) {
    host = "[" + host + "]";
  }
  return fmt::format("http://{}:{}{}/{}", host, listening.port(), prefix, token.empty() ? "" : "?token=" + token);
}

// The browser of whoever sits here; nothing happens where there is none.
void open_in_browser(const std::string& address) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  }
  std::string program = "xdg-open", argument = address;
  std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  // Its end is not waited for.
  ::signal(SIGCHLD, SIG_IGN);
  if (::posix_spawnp(&child, program.c_str(), &files, nullptr, arguments.data(), environ) != 0) {
    std::fprintf(stderr, "tensortap serve: there is no xdg-open here; open the address yourself\n");
  }
  ::posix_spawn_file_actions_destroy(&files);
}

void print_address(const ServeOptions& options, const std::string& address, std::uint16_t port) {
  if (options.json) {
    JsonOut json;
    json.begin_object();
    json.member("url", address);
    json.member("port", port);
    json.end_object();
  } else {
    fmt::print("{} is shown at\n  {}\nCtrl-C ends it.\n", visible_text(options.logs.directory), address);
  }
}

// A connection takes a descriptor, and so does a file that is read.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8192);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Status check_options(ServeOptions& options) {
  if (options.no_token && !options.token.empty()) {
    return Status(StatusCode::kInvalidArgument, "--token and --no-token exclude each other");
  }
  if (!options.token.empty()) {
    if (Status status = server::check_token(options.token); !status.ok()) return status;
  }
  auto prefix = checked_prefix(options.path_prefix);
  if (!prefix.ok()) return prefix.status();
  options.path_prefix = std::move(*prefix);
  if (!options.ui_directory.empty()) return store::check_log_directory(options.ui_directory);
  return {};
}

// Who has the port, and which one is free.
Status explained(const Status& status, const ServeOptions& options) {
  if (status.code() != StatusCode::kClosed) return status;
  std::string message = "port " + std::to_string(options.port) + " is taken";
  if (const auto owner = server::find_port_owner(static_cast<std::uint16_t>(options.port))) {
    std::error_code error;
    const std::string real = std::filesystem::canonical(options.logs.directory, error).string();
    message += server::serves(*owner, real) ? ": this log directory is shown there already, by " : " by ";
    message += server::owner_text(*owner);
  }
  for (unsigned port = options.port + 1; port <= std::min(options.port + 100, 65535U); ++port) {
    if (!server::Server::listen(options.host, static_cast<std::uint16_t>(port)).ok()) continue;
    return Status(StatusCode::kClosed, message + "; try --port " + std::to_string(port));
  }
  return Status(StatusCode::kClosed, message + "; try --port 0 for any that is free");
}

int run_serve(ServeOptions options) {
  if (Status status = check_options(options); !status.ok()) return fail("serve", status);
  auto logs = server::ServedLogs::open(options.logs.directory, load_options(options.logs));
  if (!logs.ok()) return fail("serve", logs.status());
  auto listening = server::Server::listen(options.host, static_cast<std::uint16_t>(options.port));
  if (!listening.ok()) return fail("serve", explained(listening.status(), options));
  server::Server& server = **listening;
  if (options.no_token && !server.is_loopback()) {
    return refuse("--no-token is for 127.0.0.1 only: at --host " + options.host +
                  " everybody in the network could read the runs");
  }
  allow_many_files();
  const server::AccessRules access = access_rules(options, server);
  const std::string address = address_of(server, options.path_prefix, access.token);
  server::Router router;
  server::add_api_routes(router, **logs);
  server::Preferences preferences(server::Preferences::usual_directory(), options.logs.directory);
  server::add_preferences_route(router, preferences);
  const server::Page page(server::page_assets(), options.ui_directory);
  const server::Site site({access, options.path_prefix}, page, router);

  (*logs)->listen([&server] { server.wake_streams(); });
  (*logs)->start();
  const bool is_clean = server.run(site, **logs, [&] {
    print_address(options, address, server.port());
    std::fflush(stdout);
    if (options.open) open_in_browser(address);
  });
  (*logs)->stop();
  (*logs)->save_index();
  // What is left belongs to answers that took too long; nobody is there to receive them.
  if (!is_clean) ::_exit(kClean);
  return kClean;
}

}  // namespace

void add_serve(Program& program) {
  auto options = std::make_shared<ServeOptions>();
  Command command = program.add("serve", "show runs in a browser",
                                "Exit codes: 0 ended by Ctrl-C or SIGTERM; 2 cannot start.\n"
                                "Example: tensortap serve runs\n"
                                "         tensortap serve runs --host 0.0.0.0 --port 8080",
                                [options] { return run_serve(*options); });
  describe_logs(command, &options->logs);
  command.option("--port", &options->port, 0, 65535, "N", "port to listen at (default: 6007; 0: any that is free)");
  command.option("--host", &options->host, "ADDRESS", "address to listen at (default: 127.0.0.1, this machine only)");
  command.option("--token", &options->token, "TOKEN", "what browsers have to know (default: a new one at each start)");
  command.flag("--no-token", &options->no_token, "let everybody on this machine look");
  command.option("--path-prefix", &options->path_prefix, "/PATH", "below this path, for servers in front of this one");
  command.option("--allow-host", &options->allowed_hosts, "NAME",
                 "another name that this server goes by, for servers in front of it; may be repeated");
  command.flag("--open", &options->open, "open a browser");
  command.option("--ui-dir", &options->ui_directory, "DIR", "show the page in this directory, for work on it");
  command.flag("--json", &options->json, "print the address as JSON, when ready");
}

}  // namespace tensortap::cli
