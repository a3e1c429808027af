// Page: files of a directory, and nothing around it.
#include "server/http/page.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "store/temp_logs_testutil.h"

namespace tensortap::server {
namespace {

class PageTest : public store::TempLogs {};

TEST_F(PageTest, FilesOfADirectoryAreReadAnewEachTime) {
  write("ui/index.html", "one");
  const Page page({}, path("ui"));
  auto file = page.find("/");
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->bytes, "one");
  EXPECT_EQ(file->content_type, "text/html; charset=utf-8");
  EXPECT_FALSE(file->is_immutable);
  const std::string etag = file->etag;
  write("ui/index.html", "other");
  file = page.find("/index.html");
  EXPECT_EQ(file->bytes, "other");
  EXPECT_NE(file->etag, etag);
}

TEST_F(PageTest, NamesWithAHashAreImmutable) {
  for (const char* name : {"ui/assets/index-D3adBeef.js", "ui/assets/plain.js", "ui/index-D3adBeef.js"})
    write(name, "x");
  const Page page({}, path("ui"));
  EXPECT_TRUE(page.find("/assets/index-D3adBeef.js")->is_immutable);
  EXPECT_FALSE(page.find("/assets/plain.js")->is_immutable);
  EXPECT_FALSE(page.find("/index-D3adBeef.js")->is_immutable);
}

TEST_F(PageTest, NothingOutsideOfTheDirectoryIsFound) {
  write("ui/index.html", "one");
  write("secret.txt", "secret");
  std::filesystem::create_symlink(path("secret.txt"), path("ui/link.txt"));
  std::filesystem::create_directory_symlink(root_, path("ui/up"));
  const Page page({}, path("ui"));
  for (const std::string& outside :
       {std::string("/../secret.txt"), std::string("/link.txt"), std::string("/up/secret.txt"),
        "/" + path("secret.txt"), std::string("/ui/../../secret.txt")}) {
    EXPECT_FALSE(page.find(outside).has_value()) << outside;
  }
}

TEST_F(PageTest, OnlyRegularFilesOfKnownTypesAreFound) {
  for (const char* name : {"ui/a.php", "ui/.hidden.js", "ui/.git/x.js", "ui/noending"}) write(name, "x");
  std::filesystem::create_directories(path("ui/folder.js"));
  ASSERT_EQ(::mkfifo(path("ui/pipe.js").c_str(), 0600), 0);
  const Page page({}, path("ui"));
  for (const char* name :
       {"/a.php", "/.hidden.js", "/.git/x.js", "/noending", "/folder.js", "/pipe.js", "/missing.js"}) {
    EXPECT_FALSE(page.find(name).has_value()) << name;
  }
}

TEST_F(PageTest, WithoutAPageItSaysHowToGetOne) {
  const Page page({}, "");
  const auto file = page.find("/");
  ASSERT_TRUE(file.has_value());
  EXPECT_NE(file->bytes.find("make web"), std::string::npos);
  EXPECT_FALSE(page.find("/index.html").has_value());
}

}  // namespace
}  // namespace tensortap::server
