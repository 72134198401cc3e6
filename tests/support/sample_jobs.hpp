// SPDX-License-Identifier: Apache-2.0
/// What jobs that make samples of several files have in common.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/files.hpp"

namespace tessera::testing {

/// Jobs that cannot be leave an empty folder, and those that were are not replaced. `job(output)`
/// writes into the folder, `first_file` of "sky.npy" first; it cannot make samples of `bad_type`.
template <class MakeJob>
void expect_nothing_left(const TemporaryFolder& folder, const MakeJob& job,
                         const std::string& first_file, Type bad_type) {
  expect_error([&] { job("sky").run(); }, ErrorKind::usage, "write sky.fits or sky.npy");
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
