// SPDX-License-Identifier: Apache-2.0
#include "io/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/files.hpp"
#include "tests/support/sanitizers.hpp"

namespace tessera {
namespace {

using namespace testing;

ChildPlan shell(const std::string& script) {
  return {.subject = "a.avi", .arguments = {"/bin/sh", "-c", script}};
}

std::string read_all(ChildProcess& child) {
  std::string text(1 << 20, '\0');
  text.resize(static_cast<size_t>(child.read(text.data(), 1 << 20)));
  return text;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1; }

TEST(ChildProcess, GivesOutputCodeAndLastLine) {
  ChildProcess child(shell("echo out; echo first >&2; echo 'last one' >&2; exit 7"));
  EXPECT_EQ(read_all(child), "out\n");
  EXPECT_EQ(child.finish(), 7);
  EXPECT_EQ(child.last_line(), "last one");
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, TakesArgumentsAsTheyAre) {
  ChildProcess child({.subject = "a",
                      .arguments = {"/bin/sh", "-c", "printf '%s|' \"$@\"", "sh", "$(id)", "a b"}});
  EXPECT_EQ(read_all(child), "$(id)|a b|");
  EXPECT_EQ(child.finish(), 0);
  EXPECT_EQ(child.last_line(), "");
}

// As an ffmpeg does for a moment whose tool was killed.
TEST(ChildProcess, HoldsNoLockOfItsParent) {
  const TemporaryFolder folder;
  const std::string path = folder.path("locked");
  write_bytes(path, "bytes");
  File file(::open(path.c_str(), O_RDWR | O_CLOEXEC), path);
  ASSERT_EQ(::flock(file.descriptor(), LOCK_EX | LOCK_NB), 0);
  ChildPlan plan = shell("cat /proc/self/fd/3; exec sleep 60");
  plan.descriptor = file.descriptor();
  ChildProcess child(plan);
  std::string text(5, '\0');
  EXPECT_EQ(child.read(text.data(), 5), 5);
  EXPECT_EQ(text, "bytes");
  file.close();
  const File next(::open(path.c_str(), O_RDWR | O_CLOEXEC), path);
  EXPECT_EQ(::flock(next.descriptor(), LOCK_EX | LOCK_NB), 0);
}

TEST(ChildProcess, CarriesMoreThanAPipeHolds) {
  ChildPlan plan = shell("cat >/dev/null; head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero");
  plan.takes_input = true;
  ChildProcess child(plan);
  EXPECT_TRUE(child.write(std::string(1 << 20, 'x').data(), 1 << 20));
  EXPECT_EQ(child.finish(), 141) << "head is killed by SIGPIPE when nobody reads";
}

TEST(ChildProcess, ReadsWhileErrorsFlow) {
  ChildProcess child(shell("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"));
  EXPECT_EQ(read_all(child).size(), 300000u);
  EXPECT_EQ(child.finish(), 0);
}

TEST(ChildProcess, NoticesThatNobodyReads) {
  ChildPlan plan = shell("echo no more >&2; exit 3");
  plan.takes_input = true;
  ChildProcess child(plan);
  const std::string much(1 << 20, 'x');
  bool taken = true;
  for (int i = 0; taken && i < 10; ++i) taken = child.write(much.data(), 1 << 20);
  EXPECT_FALSE(taken);
  EXPECT_EQ(child.finish(), 3);
  EXPECT_EQ(child.last_line(), "no more");
}

TEST(ChildProcess, HasTheFileAndNothingElse) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a"), "within");
  const File file = File::open_to_read(folder.path("a"));
  const File other = File::open_to_read(folder.path("a"));
  ChildPlan plan =
      shell("cat " + std::string(kChildFile) + "; ls -l /proc/$$/fd | grep -c " + folder.path());
  plan.descriptor = file.descriptor();
  ChildProcess child(plan);
  EXPECT_EQ(read_all(child), "within1\n") << "other is open in this process, but not in the child";
  EXPECT_EQ(child.finish(), 0);
}

TEST(ChildProcess, IsKilledAndReapedWhenItIsNotWanted) {
  const TemporaryFolder folder;
  { ChildProcess child(shell("sleep 100; touch " + folder.path("done"))); }
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, MayNotTakeForEver) {
  ChildPlan plan = shell("exec sleep 100");
  plan.limit = std::chrono::seconds(1);
  ChildProcess child(plan);
  expect_error([&] { read_all(child); }, ErrorKind::input, "a.avi: sh has not finished after 1 s");
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, SaysWhatCannotBeRun) {
  if (kThreadSanitizer) GTEST_SKIP() << "not under the thread sanitizer";
  expect_error([] { ChildProcess child({.subject = "a.avi", .arguments = {"/no/such"}}); },
               ErrorKind::failure, "a.avi: /no/such cannot be run: No such file");
}

TEST(ChildProcess, FindsProgramsOnThePathOrByName) {
  const TemporaryFolder folder;
  const std::string program = folder.path("a-program");
  write_bytes(program, "#!/bin/sh\n");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", ("::relative:/no/such:" + folder.path()).c_str(), 1);
  EXPECT_EQ(find_program("a-program", "TESSERA_TEST_PROGRAM"), "") << "it cannot be run yet";
  ::chmod(program.c_str(), 0755);
  EXPECT_EQ(find_program("a-program", "TESSERA_TEST_PROGRAM"), program);
  ::setenv("PATH", path.c_str(), 1);
  ::setenv("TESSERA_TEST_PROGRAM", program.c_str(), 1);
  EXPECT_EQ(find_program("ls", "TESSERA_TEST_PROGRAM"), program);
  ::setenv("TESSERA_TEST_PROGRAM", "/no/such", 1);
  EXPECT_EQ(find_program("ls", "TESSERA_TEST_PROGRAM"), "");
  ::unsetenv("TESSERA_TEST_PROGRAM");
}

}  // namespace
}  // namespace tessera
