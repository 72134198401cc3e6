// SPDX-License-Identifier: Apache-2.0
// Lanes share the rows of an image as ranks do: each row is made once, by whichever is free. One
// that fails ends all of them.
#include "core/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/strips.hpp"
#include "tessera/error.hpp"
#include "tessera/stop_check.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::random_image;

/// Each sample plus one; the first strip of a lane waits until all lanes have one.
StripPlan increment(const ImageInfo& info, std::atomic<int>& lanes_to_wait_for) {
  return {{info},
          {info},
          [](Rows rows) { return rows; },
          [](int row) { return row; },
          [&lanes_to_wait_for, begun = false](std::span<const Piece> in,
                                              std::span<const MutablePiece> out, Stream&) mutable {
            if (!std::exchange(begun, true)) --lanes_to_wait_for;
            while (lanes_to_wait_for > 0) std::this_thread::yield();
            const Size size = out[0].view.size;
            for (int y = 0; y < size.height; ++y)
              for (int x = 0; x < size.width; ++x)
                out[0].view.as<float>().at(x, y) = in[0].view.as<const float>().at(x, y) + 1;
          }};
}

TEST(Lanes, MakeEveryRowOnce) {
  const Image image = random_image({1024, 7000}, Type::f32, 4);
  Image expected(image.info());
  for (long long i = 0; i < image.info().size.samples(); ++i)
    expected.as<float>().data[i] = image.as<float>().data[i] + 1;
  const std::vector<int> devices{3, 0, 3};
  Image made(image.info());
  std::vector<long long> units(devices.size());
  std::atomic<int> waiting{static_cast<int>(devices.size())};
  run_lanes(devices, [&](int lane) {
    const SharedRun shared;
    EXPECT_EQ(ranks().rank(), lane);
    EXPECT_EQ(ranks().count(), 3);
    EXPECT_EQ(ranks().device(), devices[static_cast<std::size_t>(lane)]);
    ViewSource source(image.view());
    ViewSink sink(made.view());
    RowSource* const sources[] = {&source};
    RowSink* const sinks[] = {&sink};
    Stream stream(kHost, 1);
    stream_rows(sources, sinks, increment(image.info(), waiting), stream);
    units[static_cast<std::size_t>(lane)] = ranks().units_done;
  });
  EXPECT_EQ(bytes_of_view(made.view()), bytes_of_view(expected.view()));
  EXPECT_EQ(std::reduce(units.begin(), units.end()),
            RowUnits(increment(image.info(), waiting), 1).count());
  for (const long long of_lane : units) EXPECT_GT(of_lane, 0);
  EXPECT_EQ(all_ranks().count(), 1);
}

TEST(Lanes, TellGatherAndHandOutUnits) {
  std::atomic<long long> sum{0};
  run_lanes({0, 1, 2, 3}, [&](int lane) {
    const SharedRun shared;
    for (int round = 0; round < 50; ++round) {
      EXPECT_EQ(ranks().told("of " + std::to_string(lane)), "of 0");
      EXPECT_EQ(ranks().gathered(std::to_string(lane * round)),
                (std::vector<std::string>{"0", std::to_string(round), std::to_string(2 * round),
                                          std::to_string(3 * round)}));
      ranks().begin_units();
      for (long long unit; (unit = ranks().next_unit()) < 10;) sum += unit;
      ranks().end_units();
    }
    ranks().post(std::to_string(lane));
    ranks().wait();
    int posted = 0;
    while (ranks().first() && ranks().received()) ++posted;
    EXPECT_EQ(posted, ranks().first() ? 4 : 0);
    EXPECT_EQ(sum_of_ranks(lane), 6);
  });
  EXPECT_EQ(sum, 50 * 45);
}

// In rounds of 30 bytes; lane 1 has no text, lane 0 has most.
TEST(Lanes, ExchangeTexts) {
  const std::vector<std::vector<std::string>> own{
      {"one", "", "a text that is longer than a round", "3:4"}, {}, {"two", "three"}};
  std::vector<std::vector<std::string>> taken(own.size());
  run_lanes({0, 1, 2}, [&](int lane) {
    const SharedRun shared;
    const auto mine = static_cast<std::size_t>(lane);
    exchange_texts(
        [&, next = std::size_t{0}]() mutable -> std::optional<std::string> {
          if (next == own[mine].size()) return std::nullopt;
          return own[mine][next++];
        },
        [&](std::string text) { taken[mine].push_back(std::move(text)); }, 30);
  });
  std::vector<std::string> expected;
  for (const auto& texts : own) expected.insert(expected.end(), texts.begin(), texts.end());
  std::ranges::sort(expected);
  for (std::vector<std::string>& texts : taken) {
    std::ranges::sort(texts);
    EXPECT_EQ(texts, expected);
  }
}

TEST(Lanes, OneThatFailsEndsAll) {
  const auto run = [](const std::function<void()>& of_others) {
    try {
      run_lanes({0, 1, 2}, [&](int lane) {
        const SharedRun shared;
        if (lane == 1) throw Error(ErrorKind::resources, "device 1: it is lost");
        of_others();
      });
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(run([] { ranks().wait(); }), "device 1: it is lost");
  EXPECT_EQ(run([] {
              for (;;) ranks().next_unit();
            }),
            "device 1: it is lost");
  EXPECT_EQ(run([] {
              while (!ranks().received()) std::this_thread::yield();
            }),
            "device 1: it is lost");
  // In the middle of its work too.
  EXPECT_EQ(run([] {
              for (;;)
                parallel_for(
                    10, 2, [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
            }),
            "device 1: it is lost");
  EXPECT_EQ(run([] {}), "device 1: it is lost");
}

TEST(Lanes, TheFirstOfSeveralFailuresIsTold) {
  try {
    run_lanes({0, 1}, [&](int) {
      const SharedRun shared;
      told_by_first([]() -> std::string { throw Error(ErrorKind::usage, "it exists"); });
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "it exists");
    EXPECT_EQ(error.kind(), ErrorKind::usage);
  }
}

TEST(Lanes, TheirCallerCanStopThem) {
  const StopCheck check([] { return true; });
  EXPECT_THROW(run_lanes({0, 1},
                         [](int) {
                           const SharedRun shared;
                           ranks().begin_units();
                           for (;;) ranks().next_unit();
                         }),
               Stopped);
}

}  // namespace
}  // namespace tessera
