// SPDX-License-Identifier: Apache-2.0
#include "core/regular_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;

TEST(RegularFile, IsReadWholeAndMissingOnesAreNothing) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a"), std::string("line\n\0end", 9));
  EXPECT_EQ(read_regular(folder.path("a")), std::string("line\n\0end", 9));
  EXPECT_EQ(read_regular(folder.path("b")), std::nullopt);
  EXPECT_EQ(open_regular(folder.path("b"), O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST(RegularFile, IsMadeIfAskedFor) {
  const TemporaryFolder folder;
  const int made = open_regular(folder.path("a"), O_RDWR | O_CREAT, 0644);
  ASSERT_GE(made, 0);
  EXPECT_TRUE(is_owned_here(made));
  EXPECT_NE(::fcntl(made, F_GETFD) & FD_CLOEXEC, 0);
  ::close(made);
}

// For reading, writing and making: nothing waits, and the target of a link is not made.
TEST(RegularFile, NothingElseIsOpened) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("fifo").c_str(), 0600), 0);
  std::filesystem::create_directory(folder.path("dir"));
  std::filesystem::create_symlink("target", folder.path("link"));
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{AF_UNIX, {}};
  folder.path("socket").copy(name.sun_path, sizeof name.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  const std::pair<std::string, const char*> cases[] = {{folder.path("fifo"), "it is a pipe"},
                                                       {folder.path("dir"), "it is a folder"},
                                                       {folder.path("link"), "a symbolic link"},
                                                       {folder.path("socket"), "it is a socket"},
                                                       {"/dev/zero", "it is a device"}};
  for (const auto& [path, part] : cases)
    for (const int flags : {O_RDONLY, O_WRONLY, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_APPEND})
      expect_error([&] { open_regular(path, flags, 0644); }, ErrorKind::input, part);
  for (const auto& [path, part] : cases)
    expect_error([&] { read_regular(path); }, ErrorKind::input, path + ": it is ");
  ::close(socket);
  EXPECT_FALSE(std::filesystem::exists(folder.path("target")));
}

}  // namespace
}  // namespace tessera
