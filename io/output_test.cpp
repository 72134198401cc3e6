// SPDX-License-Identifier: Apache-2.0
#include "io/output.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "io/formats.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace testing;

void make(const std::string& path, const std::string& bytes, bool force = false) {
  Output output(path, force);
  output.file().write_all(0, bytes.data(), static_cast<long long>(bytes.size()));
  output.finish();
}

int entries(const TemporaryFolder& folder) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path())) ++count;
  return count;
}

/// The number of a process that has ended.
int ended_process() {
  const int child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST(Output, AppearsWholeAndOnlyWhenFinished) {
  const TemporaryFolder folder;
  Output output(folder.path("a.npy"), false);
  output.file().write_all(0, "abc", 3);
  EXPECT_FALSE(fs::exists(folder.path("a.npy")));
  output.finish();
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "abc");
  EXPECT_EQ(entries(folder), 1);
}

TEST(Output, UnfinishedLeavesTheOldFileAndNoTemporary) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  {
    Output output(folder.path("a.npy"), true);
    output.file().write_all(0, "new and long", 12);
  }
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "old");
  EXPECT_EQ(entries(folder), 1);
}

TEST(Output, ReplacesOnlyWhenForced) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  expect_error([&] { make(folder.path("a.npy"), "new"); }, ErrorKind::usage,
               "a.npy exists; give the option force to replace it");
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "old");
  make(folder.path("a.npy"), "new", true);
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "new");
}

TEST(Output, LeavesAFileThatAppearedMeanwhile) {
  const TemporaryFolder folder;
  {
    Output output(folder.path("a.npy"), false);
    write_bytes(folder.path("a.npy"), "somebody's");
    expect_error([&] { output.finish(); }, ErrorKind::usage, "a.npy exists");
  }
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "somebody's");
  EXPECT_EQ(entries(folder), 1);
}

TEST(Output, KeepsPermissionsAndLinks) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  fs::permissions(folder.path("a.npy"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a.npy", folder.path("link.npy"));
  make(folder.path("link.npy"), "new", true);
  EXPECT_TRUE(fs::is_symlink(folder.path("link.npy")));
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "new");
  EXPECT_EQ(fs::status(folder.path("a.npy")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

// The writer of a temporary holds its lock; a process number means nothing if that process ran in
// another container.
TEST(Output, ClearsWhatNobodyWritesAnyMore) {
  const TemporaryFolder folder;
  const std::string dead = std::to_string(ended_process()), own = std::to_string(::getpid());
  const std::string stale = folder.path(".a.npy.tessera-" + dead + "-0123abcd");
  const std::string reused = folder.path(".a.npy.tessera-" + own + "-0123abcd");
  const std::string other_name = folder.path(".b.npy.tessera-" + dead + "-0123abcd");
  const std::string notes = folder.path(".a.npy.tessera-notes");
  const std::string digits = folder.path(".a.npy.tessera-" + dead + "-0123abcd.txt");
  const std::string locked = folder.path(".a.npy.tessera-" + dead + "-4567cdef");
  for (const auto& name : {stale, reused, other_name, notes, digits, locked})
    write_bytes(name, "x");
  const File holder = File::open_to_read(locked);
  ASSERT_EQ(::flock(holder.descriptor(), LOCK_EX), 0);
  Output unfinished(folder.path("a.npy"), false);
  make(folder.path("a.npy"), "new");
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_FALSE(fs::exists(reused));
  EXPECT_TRUE(fs::exists(other_name) && fs::exists(notes) && fs::exists(digits));
  EXPECT_TRUE(fs::exists(locked)) << "another process still writes it";
  EXPECT_EQ(entries(folder), 6) << "and so does this one";
}

TEST(Output, ReplacesAFileThatIsReadOnlyWhenForced) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  fs::permissions(folder.path("a.npy"), fs::perms::owner_read);
  make(folder.path("a.npy"), "new", true);
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "new");
  EXPECT_EQ(fs::status(folder.path("a.npy")).permissions(), fs::perms::owner_read);
}

TEST(Output, OtherNamesOfAFileKeepTheOldOne) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  fs::create_hard_link(folder.path("a.npy"), folder.path("b.npy"));
  make(folder.path("a.npy"), "new", true);
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "new");
  EXPECT_EQ(read_bytes(folder.path("b.npy")), "old");
}

TEST(Output, KeepsTheOwnerWhereItMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  ASSERT_EQ(::chown(folder.path("a.npy").c_str(), 1234, 2345), 0);
  ASSERT_EQ(::chmod(folder.path("a.npy").c_str(), 0640), 0);
  make(folder.path("a.npy"), "new", true);
  struct stat status {};
  ASSERT_EQ(::stat(folder.path("a.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234U);
  EXPECT_EQ(status.st_gid, 2345U);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST(Output, NobodyElseReadsWhatIsWrittenOverAPrivateFile) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  ASSERT_EQ(::chmod(folder.path("a.npy").c_str(), 0600), 0);
  const Output output(folder.path("a.npy"), true);
  struct stat status {};
  ASSERT_EQ(::fstat(output.file().descriptor(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST(Output, ReadsOnWhileItReplaces) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  const File input = File::open_to_read(folder.path("a.npy"));
  make(folder.path("a.npy"), "new", true);
  char bytes[3] = {};
  input.read_all(0, bytes, 3);
  EXPECT_EQ(std::string(bytes, 3), "old");
}

TEST(Output, AKilledProcessLeavesTheOldFileAndTheNextRunCleansUp) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"), "old");
  const int child = ::fork();
  if (child == 0) {
    Output output(folder.path("a.npy"), true);
    output.file().write_all(0, "half", 4);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "old");
  EXPECT_EQ(entries(folder), 2);
  make(folder.path("a.npy"), "new", true);
  EXPECT_EQ(read_bytes(folder.path("a.npy")), "new");
  EXPECT_EQ(entries(folder), 1);
}

TEST(Output, TakesLongNames) {
  const TemporaryFolder folder;
  make(folder.path(std::string(251, 'x') + ".npy"), "abc");
  std::string accents = "x";  // so that names are cut inside a character
  for (int i = 0; i < 120; ++i) accents += "\xc3\xa9";
  Output output(folder.path(accents + ".npy"), false);
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename();
    EXPECT_EQ(name.find("\xc3."), std::string::npos) << name;
  }
  output.finish();
  EXPECT_EQ(entries(folder), 2);
}

TEST(Output, SaysWhyItCannotBeMade) {
  const TemporaryFolder folder;
  const std::string file = folder.path("file");
  write_bytes(file, "x");
  expect_error([&] { make("", "abc"); }, ErrorKind::usage, "the output has no name");
  expect_error([&] { make(folder.path(), "abc", true); }, ErrorKind::usage, "is a folder");
  expect_error([&] { make(folder.path("none/a.npy"), "abc"); }, ErrorKind::usage,
               "there is no folder " + folder.path("none"));
  expect_error([&] { make(file + "/a.npy", "abc"); }, ErrorKind::usage, "there is no folder");
  expect_error([&] { make("/dev/null", "abc", true); }, ErrorKind::usage, "is not a regular file");
  EXPECT_EQ(entries(folder), 1);
  expect_error([&] { make("/proc/a.npy", "abc"); }, ErrorKind::usage,
               "/proc/a.npy: cannot be made");
}

TEST(Output, AFullDiskIsAShortageOfResources) {
  const File full(::open("/dev/full", O_WRONLY), "/dev/full");
  ASSERT_GE(full.descriptor(), 0);
  expect_error([&] { full.write_all(0, "abc", 3); }, ErrorKind::resources, "No space left");
}

TEST(Formats, SayWhichThereAre) {
  const TemporaryFolder folder;
  EXPECT_NE(format_names().find("NPY (.npy)"), std::string::npos);
  const Image image(Size{2, 2}, Type::u8);
  expect_error([&] { write_image(folder.path("a.bmp"), image.view()); }, ErrorKind::usage,
               "a.bmp: '.bmp' is not the extension of a format that can be written: NPY (.npy)");
  write_bytes(folder.path("a.bmp"), "BM and so on");
  expect_error([&] { read_image(folder.path("a.bmp")); }, ErrorKind::input,
               "a.bmp: it is a BMP file, which cannot be read; convert it to PNG or TIFF first");
  expect_error([&] { read_image(folder.path("none.npy")); }, ErrorKind::input,
               "none.npy: cannot be opened: No such file or directory");
  expect_error([&] { read_image(folder.path()); }, ErrorKind::input, "is a folder");
  expect_error([&] { read_image("/dev/null"); }, ErrorKind::input, "is not a regular file");
}

TEST(Formats, AreToldByContentWhenReadAndByNameWhenWritten) {
  const TemporaryFolder folder;
  const Image image(Size{2, 2}, Type::u8);
  write_image(folder.path("A.NPY"), image.view());
  fs::rename(folder.path("A.NPY"), folder.path("a.png"));
  EXPECT_EQ(read_image(folder.path("a.png")).info(), image.info());
}

TEST(Formats, WriteOnlyImagesThatHavePixels) {
  const TemporaryFolder folder;
  const auto write = [&](const ImageInfo& info) { create_image(folder.path("a.npy"), info); };
  expect_error([&] { write({{0, 5}, Type::u8}); }, ErrorKind::usage, "an image of 0x5 pixels");
  expect_error([&] { write({{5, 5, 5}, Type::u8}); }, ErrorKind::usage, "5 channels");
  expect_error([&] { write({{5, 5}, Type::u8, 0}); }, ErrorKind::usage, "on a GPU");
  EXPECT_EQ(entries(folder), 0);
}

}  // namespace
}  // namespace tessera
