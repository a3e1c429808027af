// PortOwner: this process is found by its own socket.
#include "server/http/port_owner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "server/http/server.h"

namespace tensortap::server {
namespace {

TEST(PortOwner, IsTheProcessThatListens) {
  auto server = Server::listen("127.0.0.1", 0).value();
  const auto owner = find_port_owner(server->port());
  ASSERT_TRUE(owner.has_value());
  EXPECT_EQ(owner->process_id, ::getpid());
  EXPECT_NE(owner_text(*owner).find("server_test"), std::string::npos);
  const std::uint16_t port = server->port();
  EXPECT_EQ(Server::listen("127.0.0.1", port).status().code(), StatusCode::kClosed);
  server.reset();
  EXPECT_FALSE(find_port_owner(port).has_value());
}

TEST(PortOwner, KnowsAServerOfTheSameDirectory) {
  const std::string here = std::filesystem::canonical(testing::TempDir()).string();
  const std::string name = std::filesystem::path(here).filename().string();
  const std::string above = std::filesystem::path(here).parent_path().string();
  EXPECT_TRUE(serves({1, {"/usr/bin/tensortap", "serve", "--port", "1", name}, above}, here));
  EXPECT_TRUE(serves({1, {"tensortap", "serve", here}, "/"}, here));
  EXPECT_FALSE(serves({1, {"tensortap", "serve", "/usr"}, above}, here));
  EXPECT_FALSE(serves({1, {"python", "serve", here}, above}, here));
  EXPECT_FALSE(serves({1, {}, above}, here));
}

TEST(PortOwner, TokensAreNotTold) {
  const PortOwner owner{7, {"tensortap", "serve", "runs", "--token", "secret-one", "--token=secret-two"}, "/"};
  EXPECT_EQ(owner_text(owner), "process 7 (tensortap serve runs --token ... --token=...)");
}

TEST(Server, RefusesHostsThatAreNone) {
  EXPECT_EQ(Server::listen("no such host", 0).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Server::listen("192.0.2.1", 0).status().code(), StatusCode::kIo);
}

}  // namespace
}  // namespace tensortap::server
