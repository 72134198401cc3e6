// SPDX-License-Identifier: Apache-2.0
// A film that is followed first and written later gives the files of one run.
#include "jobs/cells/tracked_film.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/folder.hpp"
#include "io/formats.hpp"
#include "tests/support/cli_cells.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

class TrackedFilmFiles : public ::testing::Test {
 protected:
  TrackedFilmFiles() {
    write_image(job_.input, frames_.view());
    job_.film.overlay = job_.film.report = false;
    job_.film.geff = true;
    job_.film.inside = "0,0 95,0 95,79 0,79";
    job_.options.min_frames = 5;
  }
  CellsJob to(const char* folder) const {
    CellsJob job = job_;
    job.output = folder_.path(folder);
    return checked_job(job);
  }
  void expect_same_files(const char* first, const char* second, const std::string& other = "") {
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path(first))) {
      const std::string name = entry.path().lexically_relative(folder_.path(first));
      if (!entry.is_regular_file() || name == other) continue;
      ++files;
      EXPECT_EQ(read_bytes(entry.path()), read_bytes(joined(folder_.path(second), name))) << name;
    }
    EXPECT_GT(files, 10);
  }

  TemporaryFolder folder_;
  const Image frames_ = small_film();
  CellsJob job_{.input = folder_.path("film.npy")};
};

TEST_F(TrackedFilmFiles, WrittenLaterAndTwice) {
  to("once").run();
  const TrackedFilm tracked = track_film(checked_job(job_));
  EXPECT_FALSE(tracked.result.tracks.empty());
  EXPECT_FALSE(tracked.kept);
  ASSERT_TRUE(tracked.before_edits);
  write_film(to("first"), tracked);
  write_film(to("second"), tracked);
  expect_same_files("once", "first");
  expect_same_files("once", "second");
  expect_error([&] { write_film(to("second"), tracked); }, ErrorKind::usage, "exists");
}

TEST_F(TrackedFilmFiles, FramesInMemoryGiveTheSame) {
  to("once").run();
  std::filesystem::remove(job_.input);
  job_.reading.in_memory = frames_.view();
  const TrackedFilm tracked = track_film(checked_job(job_));
  EXPECT_FALSE(tracked.before_edits) << "there is no film to read again";
  EXPECT_EQ(tracked.result.film.format, "array");
  write_film(to("memory"), tracked);
  expect_same_files("memory", "once", "summary.json");
}

}  // namespace
}  // namespace tessera::testing
