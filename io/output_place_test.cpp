// SPDX-License-Identifier: Apache-2.0
// Folders that several users write to: links, and names that change their meaning meanwhile.
#include "io/output_place.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "io/output.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kStranger = 1234, kOther = 2345;

class OutputPlaces : public ::testing::Test {
 protected:
  OutputPlaces() { write_bytes(victim_, "precious"); }
  void expect_refused(const std::string& name, bool force, const std::string& part) {
    expect_error([&] { write_text(name, "new", force); }, ErrorKind::usage, part);
    EXPECT_EQ(read_bytes(victim_), "precious");
  }
  /// A link to the victim that belongs to `owner`, in a folder of `folder_owner` with this mode.
  std::string link_of(uid_t owner, uid_t folder_owner, mode_t mode) {
    static int number = 0;
    const std::string folder = folder_.path("shared" + std::to_string(++number));
    fs::create_directory(folder);
    fs::create_symlink(victim_, folder + "/out.npy");
    EXPECT_EQ(::lchown((folder + "/out.npy").c_str(), owner, owner), 0);
    EXPECT_EQ(::chown(folder.c_str(), folder_owner, folder_owner), 0);
    EXPECT_EQ(::chmod(folder.c_str(), mode), 0);
    return folder + "/out.npy";
  }

  TemporaryFolder folder_;
  const std::string victim_ = folder_.path("victim.npy");
};

TEST_F(OutputPlaces, LinksAreFollowedOnlyWhenForced) {
  fs::create_directory(folder_.path("data"));
  fs::create_symlink("victim.npy", folder_.path("one.npy"));
  fs::create_symlink("data/a.npy", folder_.path("two.npy"));
  fs::create_symlink(folder_.path("two.npy"), folder_.path("three.npy"));
  for (const char* name : {"one.npy", "two.npy", "three.npy"})
    expect_refused(folder_.path(name), false,
                   std::string(name) + ": it is a symbolic link; give the option force");
  EXPECT_FALSE(fs::exists(folder_.path("data/a.npy")));
  write_text(folder_.path("three.npy"), "new", true);
  EXPECT_EQ(read_bytes(folder_.path("data/a.npy")), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.path("two.npy")) && fs::is_symlink(folder_.path("three.npy")));
}

TEST_F(OutputPlaces, LinksThatLeadNowhereAreNamed) {
  fs::create_symlink("circle.npy", folder_.path("circle.npy"));
  expect_refused(folder_.path("circle.npy"), true, "lead in a circle");
  fs::create_symlink("nowhere/a.npy", folder_.path("far.npy"));
  expect_refused(folder_.path("far.npy"), true,
                 "there is no folder " + folder_.path("nowhere") + "; create it first");
  fs::create_symlink(".", folder_.path("here.npy"));
  expect_refused(folder_.path("here.npy"), true, "it is a folder");
}

TEST_F(OutputPlaces, LinksOfOthersAreNeverFollowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give links away";
  for (const mode_t mode : {0755U, 0777U, 01777U}) {
    expect_refused(link_of(kStranger, 0, mode), true, "belongs to user 1234, and this is user 0");
    expect_refused(link_of(kStranger, kStranger, mode), true, "belongs to user 1234");
  }
  write_text(link_of(0, kStranger, 01777), "own", true);
  EXPECT_EQ(read_bytes(victim_), "own");
}

// As another user: links of root are followed, except in a sticky folder that is not root's.
TEST_F(OutputPlaces, LinksOfRootAreFollowedAsTheKernelDoes) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may become somebody else";
  const std::string good = link_of(0, 0, 01777), plain = link_of(0, kOther, 0755);
  const std::string planted = link_of(0, kOther, 01777);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  ASSERT_EQ(::seteuid(kStranger), 0);
  EXPECT_EQ(find_place(good, true).path, victim_);
  EXPECT_EQ(find_place(plain, true).path, victim_);
  expect_refused(planted, true, "belongs to user 0, and this is user 1234");
  ASSERT_EQ(::seteuid(0), 0);
}

// The folder that was checked receives the file, although its name now leads to another one.
TEST_F(OutputPlaces, AFolderThatIsSwappedChangesNothing) {
  for (const bool force : {false, true}) {
    const std::string place = folder_.path(force ? "forced" : "new");
    fs::create_directory(place);
    Output output(place + "/a.npy", force);
    output.file().write_all(0, "mine", 4);
    fs::rename(place, place + "-moved");
    fs::create_directory_symlink(folder_.path(), place);
    write_bytes(folder_.path("a.npy"), "somebody's");
    output.finish();
    EXPECT_EQ(read_bytes(place + "-moved/a.npy"), "mine");
    EXPECT_EQ(read_bytes(folder_.path("a.npy")), "somebody's");
    EXPECT_EQ(std::distance(fs::directory_iterator(place + "-moved"), {}), 1) << "no temporary";
  }
}

TEST_F(OutputPlaces, ALinkThatAppearsMeanwhileIsReplacedOrStays) {
  for (const bool force : {false, true}) {
    const std::string name = folder_.path(force ? "forced.npy" : "new.npy");
    Output output(name, force);
    output.file().write_all(0, "mine", 4);
    fs::create_symlink(victim_, name);
    if (!force)
      expect_error([&] { output.finish(); }, ErrorKind::usage, "new.npy exists");
    else
      output.finish();
    EXPECT_EQ(fs::is_symlink(name), !force);
    EXPECT_EQ(read_bytes(victim_), "precious");
  }
  EXPECT_EQ(read_bytes(folder_.path("forced.npy")), "mine");
}

TEST_F(OutputPlaces, ATemporaryThatWasPlantedIsNotFollowed) {
  const std::string planted = folder_.path(".a.npy.tessera-1-0123abcd");
  fs::create_symlink(victim_, planted);
  write_text(folder_.path("a.npy"), "new", false);
  EXPECT_EQ(read_bytes(victim_), "precious");
  EXPECT_TRUE(fs::is_symlink(planted));
}

}  // namespace
}  // namespace tessera::testing
