// SPDX-License-Identifier: Apache-2.0
// What is held whole counts for the memory limit, and what is left is for strips.
#include "jobs/faraday/faraday_memory.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

/// Rows of 12 floats, three strips of which are 144 bytes.
StripPlan thin_plan() {
  StripPlan plan;
  plan.inputs = {{{2, 1000, 1, 4}, Type::f32, kHost}};
  plan.outputs = {{{2, 1000, 1, 2}, Type::f32, kHost}};
  return plan;
}

FaradayMemory memory_of(std::size_t bytes) { return FaradayMemory({.memory_limit = {bytes}}); }

void expect_limit(const Stream& stream, double bytes) {
  EXPECT_NEAR(static_cast<double>(stream.memory_limit()), bytes, 1);
}

TEST(FaradayMemory, StripsHaveWhatIsLeft) {
  FaradayMemory memory = memory_of(10000);
  expect_limit(memory.stream_for(thin_plan(), kHost, 0), 10000);
  memory.hold("a map", 4000, 5000);
  EXPECT_EQ(memory.left(), 6000) << "what passes is given back";
  expect_limit(memory.stream_for(thin_plan(), kHost, 0), 6000);
  // Half as much again next to every row: strips have two thirds.
  EXPECT_EQ(FaradayMemory::strip_row_bytes(thin_plan(), 72), 216);
  expect_limit(memory.stream_for(thin_plan(), kHost, 72), 4000);
}

TEST(FaradayMemory, SaysWhatIsNeeded) {
  FaradayMemory memory = memory_of(10000);
  memory.hold("a map", 4000);
  expect_error([&] { memory.hold("a list", 5000, 2000); }, ErrorKind::resources,
               "10.0 kB of memory is too little for a list (7.0 kB) beside a map (4.0 kB); give a "
               "--memory-limit of more than 11.0 kB");
  EXPECT_EQ(memory.left(), 6000) << "what was refused is not held";
  memory.hold("a list", 5900);
  expect_error([&] { memory.stream_for(thin_plan(), kHost, 0); }, ErrorKind::resources,
               "one row at a time (144 bytes) beside a map (4.0 kB), a list (5.9 kB)");
}

TEST(FaradayMemory, AReserveLeavesRoomForStrips) {
  EXPECT_EQ(memory_of(10000).reserve("some", 3000, 144), 3000);
  EXPECT_EQ(memory_of(10000).reserve("some", 9000, 144), 5000);
  EXPECT_EQ(memory_of(10000).reserve("some", 9000, 8000), 2000);
  EXPECT_EQ(memory_of(10000).reserve("some", 9000, 12000), 0);
  for (const double row : {100.0, 8000.0, 12000.0}) {
    FaradayMemory memory = memory_of(10000);
    memory.hold("a map", 1000);
    FaradayMemory enough = memory_of(static_cast<std::size_t>(memory.limit_for(9000, row)));
    enough.hold("a map", 1000);
    EXPECT_EQ(enough.reserve("some", 9000, row), 9000) << row;
  }
}

}  // namespace
}  // namespace tessera::testing
