// SPDX-License-Identifier: Apache-2.0
#include "io/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "io/child_process.hpp"
#include "io/confine.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

class SandboxTest : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("TESSERA_TOOL", TESSERA_CLI, 1); }
  void TearDown() override { ::unsetenv("TESSERA_TOOL"); }

  static ReadOptions inside(ReadOptions options = {}) {
    options.limits.sandbox = Sandbox::on;
    return options;
  }
  /// Everything that a source says, as text.
  static std::string said(const ImageSource& source) {
    std::string text;
    for (const FileDetail& detail : source.details())
      text += detail.name + "=" + detail.value + ";";
    for (const std::string& card : source.header()) text += card;
    for (const std::string& warning : source.warnings()) text += warning;
    return text + source.format() + (source.planes_in_turn() ? " in turn" : "");
  }
  static std::string error_of(const std::string& path, const ReadOptions& options) {
    try {
      read_image(path, options);
    } catch (const Error& error) {
      return std::to_string(static_cast<int>(error.kind())) + error.what();
    }
    return "";
  }
  TemporaryFolder folder_;
};

TEST_F(SandboxTest, ReadsTheSameAsWithout) {
  if (!kSandboxCanRun) GTEST_SKIP() << "not under this sanitizer";
  int read = 0;
  for (const char* place : {"data/tiff", "data/jpeg", "seeds/fits", "data/pngsuite"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(TESSERA_SOURCE_DIR "/tests/") + place)) {
      if (++read % (run_all() ? 1 : 4) != 0) continue;
      const std::string path = entry.path();
      SCOPED_TRACE(path);
      for (const bool allow : {false, true}) {
        const ReadOptions options{.allow_truncated = allow};
        const std::string error = error_of(path, options);
        EXPECT_EQ(error_of(path, inside(options)), error);
        if (!error.empty()) continue;
        const auto plain = open_image(path, options), apart = open_image(path, inside(options));
        ASSERT_EQ(apart->info(), plain->info());
        Image wanted(plain->info()), got(plain->info());
        plain->read({0, wanted.info().size.height}, wanted.view());
        apart->read({0, got.info().size.height}, got.view());
        EXPECT_TRUE(same_samples(got.view(), wanted.view()));
        EXPECT_EQ(said(*apart), said(*plain));
      }
    }
  EXPECT_GT(read, 60);
}

TEST_F(SandboxTest, TakesRowsInAnyOrderAndMoreThanOneChunk) {
  if (!kSandboxCanRun) GTEST_SKIP() << "not under this sanitizer";
  const Image image = random_image({3000, 2000}, Type::u16, 3);
  const std::string path = folder_.path("a.tif");
  write_image(path, image.view());
  const auto source = open_image(path, inside());
  Image got(image.info());
  for (const Rows rows : {Rows{1500, 2000}, Rows{0, 1500}})
    source->read(rows, got.view().rows(rows.first, rows.count()));
  EXPECT_TRUE(same_samples(got.view(), image.view()));
}

TEST_F(SandboxTest, SaysWhatBecameOfItsProcess) {
  const std::string path = folder_.path("a.tif");
  write_image(path, testing::short_view(random_image({30, 20}, Type::u8, 1)));
  const auto with_tool = [&](const std::string& script) {
    write_bytes(folder_.path("tool"), "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder_.path("tool"), std::filesystem::perms::owner_all);
    ::setenv("TESSERA_TOOL", folder_.path("tool").c_str(), 1);
  };
  with_tool("kill -SEGV $$");
  expect_error([&] { read_image(path, inside()); }, ErrorKind::input,
               "its decoder was ended by signal 11 in the sandbox");
  with_tool("exit 3");
  expect_error([&] { read_image(path, inside()); }, ErrorKind::input,
               "its decoder was ended with exit code 3 in the sandbox");
  with_tool("head -c 100 /dev/zero");
  expect_error([&] { read_image(path, inside()); }, ErrorKind::input, "its decoder was ended");
  with_tool("printf '\\011\\0\\0\\0\\0\\0\\0\\0\\0zzzzzzzz'; cat > /dev/null");
  expect_error([&] { read_image(path, inside()); }, ErrorKind::failure,
               "a message that is cut off");
  ::setenv("TESSERA_TOOL", folder_.path("missing").c_str(), 1);
  expect_error([&] { read_image(path, inside()); }, ErrorKind::failure,
               "the option sandbox needs the program tessera");
}

/// The number of the first promise that a confined process can break; 0 if none.
int first_broken(const std::vector<std::function<bool()>>& promises) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!confine_self(1LL << 36)) ::_exit(77);
    for (std::size_t i = 0; i < promises.size(); ++i)
      if (!promises[i]()) ::_exit(static_cast<int>(i) + 1);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

bool refused(long result) { return result < 0 && errno == EPERM; }

TEST(Confine, LeavesOnlyComputing) {
  if (!kSandboxCanRun) GTEST_SKIP() << "not under this sanitizer";
  EXPECT_EQ(first_broken({
                [] { return is_confined(); },
                [] { return refused(::open("/etc/passwd", O_RDONLY)); },
                [] { return refused(::socket(AF_INET, SOCK_STREAM, 0)); },
                [] { return refused(::fork()); },
                [] { return refused(::execl("/bin/true", "true", nullptr)); },
                [] { return refused(::unlink("/tmp/x")); },
                [] { return refused(::kill(::getppid(), 0)); },
                [] {
                  return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0) == MAP_FAILED;
                },
                [] {
                  void* plain = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                  return plain != MAP_FAILED && refused(::mprotect(plain, 4096, PROT_EXEC));
                },
                [] { return ::memfd_create("a", 0) >= 0; },
                [] { return std::vector<char>(1 << 20).size() == 1 << 20; },
            }),
            0);
}

TEST(Confine, HoldsForPrograms) {
  const TemporaryFolder folder;
  write_bytes(folder.path("kept"), "bytes");
  const auto run = [&](const std::string& script, const ProgramLimits& limits) {
    ChildProcess child({.subject = "a",
                        .arguments = {"/bin/sh", "-c", "cd " + folder.path() + "; " + script},
                        .confined = limits});
    return child.finish();
  };
  EXPECT_NE(run("rm -f kept", {}), 0);
  EXPECT_NE(run("mv kept other", {}), 0);
  EXPECT_NE(run("mkdir folder", {}), 0);
  EXPECT_NE(run("chmod 777 kept", {}), 0);
  EXPECT_NE(run("echo more >> kept", {}), 0);
  EXPECT_EQ(read_bytes(folder.path("kept")), "bytes");
  EXPECT_EQ(run("echo more >> kept", {.writes_file = true}), 0);
  EXPECT_EQ(read_bytes(folder.path("kept")), "bytesmore\n");
  EXPECT_EQ(run("test $(ulimit -v) = 1048576", {.memory_bytes = 1 << 30}), 0);
  EXPECT_EQ(run("test $(ulimit -c) = 0", {}), 0);
}

}  // namespace
}  // namespace tessera
