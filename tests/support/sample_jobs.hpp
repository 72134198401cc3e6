// SPDX-License-Identifier: Apache-2.0
/// What jobs that make samples of several files have in common.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {

/// Every map of a sky lies in the file NAME + ending, and its truth in sky_truth.csv.
template <class Sky, class Map>
void expect_sky_files(const TemporaryFolder& folder, const std::string& ending, const Sky& sky,
                      const std::vector<std::pair<std::string, Map>>& maps) {
  for (const auto& [name, map] : maps) {
    Image expected(sky.info());
    sky.read(map, {0, sky.info().size.height}, expected.view());
    const Image found = read_image(folder.path(name + ending));
    EXPECT_TRUE(same_samples(expected.view(), found.view())) << name << ending;
  }
  EXPECT_EQ(read_bytes(folder.path("sky_truth.csv")), truth_as_csv(sky.truth()));
}

/// A job whose sky has 90x70 pixels and seed 3.
template <class Job>
Job small_sky_job(const std::string& output) {
  Job made;
  made.output = output;
  made.sample.size = {90, 70};
  made.sample.seed = 3;
  return made;
}

/// Jobs that fail leave an empty folder, and finished files are not replaced. `job(output)` writes
/// into the folder, `first_file` of "sky.npy" first; it cannot make samples of `bad_type`.
template <class MakeJob>
void expect_nothing_left(const TemporaryFolder& folder, const MakeJob& job,
                         const std::string& first_file, Type bad_type) {
  expect_error([&] { job("sky").run(); }, ErrorKind::usage, "sky.fits or sky.npy is right");
  expect_error([&] { job("sky.png").run(); }, ErrorKind::usage, "has no known ending");
  expect_error([&] { job("no/such/sky.npy").run(); }, ErrorKind::usage, first_file);
  auto bad = job("sky.npy");
  bad.sample.type = bad_type;
  expect_error([&] { bad.run(); }, ErrorKind::usage, "give f32 or f64");
  const auto stop = [](long long, long long) { throw Error(ErrorKind::failure, "stopped"); };
  expect_error([&] { job("sky.npy").run(stop); }, ErrorKind::failure, "stopped");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  job("sky.npy").run();
  expect_error([&] { job("sky.npy").run(); }, ErrorKind::usage, "exists");
}

}  // namespace tessera::testing
