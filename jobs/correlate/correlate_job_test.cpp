// SPDX-License-Identifier: Apache-2.0
// Ensembles that are interrupted and continued: the same bytes, without doing anything twice.
#include "jobs/correlate/correlate_job.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

struct Stop {};

class CorrelateResume : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 9; ++i) add(i, {40, 30, 3});
    write_bytes(folder_.path("2bad.png"), "no PNG");
  }
  void add(int i, Size size) {
    write_image(folder_.path(std::to_string(i) + ".png"),
                testing::short_view(random_image(size, Type::u8, 1U + i)), {.force = true});
  }
  CorrelateJob job(const std::string& output) const {
    CorrelateJob job;
    job.inputs = {folder_.path("*.png")};
    job.output = folder_.path(output);
    job.options.max_shift = 12;
    job.settings.threads = 1;
    return job;
  }
  /// Runs until `images` images were processed; returns whether it was stopped.
  bool stopped(const CorrelateJob& job, int images) const {
    try {
      job.run([&](long long done, long long) {
        if (done >= images) throw Stop();
      });
    } catch (const Stop&) {
      return true;
    }
    return false;
  }
  std::string bytes(const std::string& name) const { return read_bytes(folder_.path(name)); }

  TemporaryFolder folder_;
};

TEST_F(CorrelateResume, GivesTheBytesOfARunThatWasNotStopped) {
  const CorrelateResult whole = job("whole.npy").run();
  EXPECT_EQ(whole.images, 9);
  EXPECT_EQ(whole.resumed, 0);
  for (const int images : {1, 4, 7}) {
    CorrelateJob again = job("again.npy");
    again.writing.force = true;
    ASSERT_TRUE(stopped(again, images));
    EXPECT_TRUE(std::filesystem::exists(folder_.path("again.npy.partial")));
    again.settings.threads = images;
    const CorrelateResult result = again.run();
    EXPECT_GE(result.resumed, images - 1) << "one of them was bad";
    EXPECT_LT(result.resumed, 9);
    EXPECT_EQ(result.images, 9);
    EXPECT_EQ(result.exit_code(), 4);
    for (const char* ending : {".npy", ".csv", ".json"})
      EXPECT_EQ(bytes(std::string("again") + ending), bytes(std::string("whole") + ending));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("again.npy.partial")));
  }
}

TEST_F(CorrelateResume, NotWithOtherOptionsOrImages) {
  ASSERT_TRUE(stopped(job("maps.npy"), 5));
  CorrelateJob other = job("maps.npy");
  other.options.scale = ShiftScale::overlap;
  EXPECT_EQ(other.run().resumed, 0);
  std::filesystem::remove(folder_.path("maps.npy"));
  CorrelateJob again = job("maps.npy");
  again.writing.force = true;
  ASSERT_TRUE(stopped(again, 5));
  add(0, {40, 30, 3});  // a changed file, by its time
  EXPECT_EQ(again.run().resumed, 0);
  ASSERT_TRUE(stopped(again, 5));
  add(9, {40, 30, 3});  // after the finished ones
  const CorrelateResult more = again.run();
  EXPECT_GE(more.resumed, 4);
  EXPECT_EQ(more.images, 10);
}

// Side files that an interrupted run left are its own; those of others are not.
TEST_F(CorrelateResume, ReplacesOnlyItsOwnFiles) {
  ASSERT_TRUE(stopped(job("maps.npy"), 5));
  write_bytes(folder_.path("maps.csv"), "written just before the end");
  EXPECT_EQ(job("maps.npy").run().images, 9);
  EXPECT_NE(bytes("maps.csv"), "written just before the end");
  write_bytes(folder_.path("other.json"), "a user's own");
  expect_error([&] { job("other.npy").run(); }, ErrorKind::usage, "other.json");
  EXPECT_EQ(bytes("other.json"), "a user's own");
}

}  // namespace
}  // namespace tessera::testing
