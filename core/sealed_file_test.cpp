// SPDX-License-Identifier: Apache-2.0
#include "core/sealed_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

class SealedFiles : public ::testing::Test {
 protected:
  SealedFiles() { write_sealed(path_, contents_); }
  void expect_ignored(const std::string& why) {
    EXPECT_FALSE(read_sealed(path_)) << why;
    EXPECT_NE(ignored_sealed_note(), "");
  }
  std::string bytes() const { return read_bytes(path_); }

  TemporaryFolder cache_;
  const std::string folder_ = cache_.path("kernels"), path_ = folder_ + "/a.cubin";
  const std::string key_ = folder_ + "/seal.key";
  const std::string contents_{"an image\0with zeros", 19};
};

TEST_F(SealedFiles, ComeBackWholeAndAreTheUsersOwn) {
  EXPECT_EQ(read_sealed(path_), contents_);
  EXPECT_TRUE(bytes().starts_with(contents_)) << "other tools read the beginning";
  EXPECT_EQ(mode_of(folder_), 0700U);
  EXPECT_EQ(mode_of(path_), 0600U);
  EXPECT_EQ(mode_of(key_), 0600U);
  EXPECT_EQ(fs::file_size(key_), 32U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2) << "a file is left";
  const std::string key = read_bytes(key_);
  write_sealed(folder_ + "/b.cubin", "other");
  EXPECT_EQ(read_bytes(key_), key) << "one key for all";
  EXPECT_EQ(read_sealed(folder_ + "/b.cubin"), "other");
  EXPECT_FALSE(read_sealed(folder_ + "/none.cubin"));
}

TEST_F(SealedFiles, AreIgnoredWhenAnythingChanged) {
  const std::string good = bytes();
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    write_bytes(path_, bad);
    expect_ignored("byte " + std::to_string(i));
  }
  for (const std::size_t length : {good.size() - 1, good.size() / 2, std::size_t{0}}) {
    write_bytes(path_, good.substr(0, length));
    expect_ignored("cut");
  }
  write_bytes(path_, good);
  EXPECT_EQ(read_sealed(path_), contents_);
}

TEST_F(SealedFiles, AreIgnoredUnderAnotherNameOrKey) {
  const std::string good = bytes();
  fs::copy_file(path_, folder_ + "/b.cubin");
  fs::permissions(folder_ + "/b.cubin", fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(read_sealed(folder_ + "/b.cubin")) << "the place of another";
  write_bytes(key_, std::string(32, 'k'));
  expect_ignored("another key");
  write_bytes(key_, "short");
  expect_ignored("no key");
  fs::remove(key_);
  expect_ignored("the key is gone");
  write_sealed(path_, contents_);
  EXPECT_EQ(read_sealed(path_), contents_) << "and made again";
}

TEST_F(SealedFiles, AreIgnoredWhereOthersMayWrite) {
  for (const std::string& place : {path_, key_, folder_})
    for (const mode_t mode : {0720U, 0702U}) {
      const mode_t before = mode_of(place);
      ASSERT_EQ(::chmod(place.c_str(), mode), 0);
      expect_ignored(place);
      EXPECT_NE(ignored_sealed_note().find("compiled kernel ignored: "), std::string::npos);
      ASSERT_EQ(::chmod(place.c_str(), before), 0);
    }
  EXPECT_EQ(read_sealed(path_), contents_);
}

TEST_F(SealedFiles, AreIgnoredWhenTheyAreOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  for (const std::string& place : {path_, key_, folder_}) {
    ASSERT_EQ(::chown(place.c_str(), 1234, 1234), 0);
    expect_ignored(place);
    ASSERT_EQ(::chown(place.c_str(), 0, 0), 0);
  }
  EXPECT_EQ(read_sealed(path_), contents_);
}

TEST_F(SealedFiles, AreNotLinksPipesOrFolders) {
  fs::rename(path_, cache_.path("real"));
  fs::create_symlink(cache_.path("real"), path_);
  expect_ignored("a link");
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_ignored("a pipe");
  fs::remove(path_);
  fs::create_directory(path_);
  expect_ignored("a folder");
}

TEST_F(SealedFiles, AFolderThatCannotBeMadeIsNoError) {
  write_bytes(cache_.path("file"), "in the way");
  const std::string path = cache_.path("file/kernels/a.cubin");
  EXPECT_NO_THROW(write_sealed(path, "image"));
  EXPECT_FALSE(read_sealed(path));
}

}  // namespace
}  // namespace tessera::testing
