// SPDX-License-Identifier: Apache-2.0
// Whole films on the GPU against the double reference.
#include <gtest/gtest.h>

#include <cmath>
#include <future>

#include "core/device.hpp"
#include "ops/cells/cells_model.cuh"
#include "tests/support/cells_on_cuda.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::clear_film;
using testing::drifting_film;
using testing::expect_same;
using testing::expect_same_bits;
using testing::plan_on;
using testing::run_small;
using testing::tracks_by;

using CellsOnCuda = testing::OnCuda;

/// Positions of all paths agree to this much.
constexpr double kNear = 0.05;

/// racecheck takes 5 s for a frame of 160x128.
constexpr const char* kTooLong = "too many frames for the sanitizer; its kernels run in others";

std::vector<CellTrack> expected_tracks(AnyView film, const CellsOptions& options) {
  Stream host(kHost, 1);
  return tracks_by(plan_on(Backend::cpu, "reference", film.info(), options), film, host);
}
std::vector<CellTrack> device_tracks(AnyView film, const CellsOptions& options) {
  Stream stream(0);
  return tracks_by(plan_on(Backend::cuda, "blocks", film.info(), options), film, stream);
}

TEST_F(CellsOnCuda, TracksOfTheReference) {
  // A short film keeps ghosts of what stood in its scene, which follow next to nothing.
  if (run_small()) GTEST_SKIP() << kTooLong;
  const Image shorter = clear_film({192, 144}, 65), longer = clear_film({192, 144}, 15 * 30 + 7);
  for (const CellsBackground background : {CellsBackground::none, CellsBackground::still})
    for (const std::optional<double> flow : {std::optional<double>(), std::optional<double>(0.0)}) {
      const Image& film = background == CellsBackground::none ? shorter : longer;
      const CellsOptions options{.flow = flow, .background = background, .max_cells = 16};
      const auto expected = expected_tracks(film.view(), options);
      EXPECT_FALSE(expected.empty());
      expect_same(device_tracks(film.view(), options), expected, kNear,
                  std::string(name_of(background)));
    }
}

TEST_F(CellsOnCuda, TracksOverAGroundThatDrifts) {
  if (run_small()) GTEST_SKIP() << kTooLong;
  const Image film = drifting_film({320, 240}, 75);
  const CellsOptions options{.polarity = Polarity::bright, .max_cells = 16};
  const auto expected = expected_tracks(film.view(), options);
  EXPECT_FALSE(expected.empty());
  expect_same(device_tracks(film.view(), options), expected, kNear, "drift");
}

// Longer than all epochs that a device keeps: scenes come and go. The smaller frame has too little
// ground to be registered with.
TEST_F(CellsOnCuda, TracksOfALongFilm) {
  if (run_small()) GTEST_SKIP() << kTooLong;
  for (const Size size : {Size{112, 88}, Size{192, 144}}) {
    const Image film = clear_film(size, 15 * 30 + 7, Type::u8, 2);
    const CellsOptions options{.detect_where = DetectWhere::everywhere, .max_cells = 8};
    const auto expected = expected_tracks(film.view(), options);
    EXPECT_FALSE(expected.empty());
    expect_same(device_tracks(film.view(), options), expected, kNear, std::to_string(size.width));
  }
}

TEST_F(CellsOnCuda, EveryFlow) {
  const Image film = clear_film({160, 128}, 12);
  for (const double flow : {45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0}) {
    if (run_small() && flow != 135 && flow != 270) continue;
    const CellsOptions options{.flow = flow,
                               .detect_where = DetectWhere::everywhere,
                               .background = CellsBackground::none,
                               .min_frames = 3,
                               .max_cells = 16};
    const auto expected = expected_tracks(film.view(), options);
    EXPECT_FALSE(expected.empty());
    expect_same(device_tracks(film.view(), options), expected, kNear, std::to_string(flow));
  }
}

TEST_F(CellsOnCuda, EveryTypeAndOddSizes) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Size size : {Size{131, 97}, Size{97, 163}}) {
      if (run_small() && (size.width < 100 || type == Type::u16 || type == Type::f64)) continue;
      const Image film = clear_film(size, 12, type);
      const CellsOptions options{
          .background = CellsBackground::none, .min_frames = 3, .max_cells = 16};
      const auto expected = expected_tracks(film.view(), options);
      EXPECT_FALSE(expected.empty());
      expect_same(device_tracks(film.view(), options), expected, kNear,
                  std::to_string(static_cast<int>(type)));
    }
}

/// A bright disc that goes to the right through noise.
Image disc_film(Size size, int frames) {
  Image film = testing::random_image({size.width, size.height, 1, frames}, Type::u8, 1);
  const auto view = film.as<unsigned char>();
  const int middle = frames / 2;
  for (int k = 0; k < frames; ++k)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const double dx = x - (size.width / 2.0 + 0.2 * (k - middle));
        const int disc = std::hypot(dx, y - size.height / 2.0) < 7 ? 60 : 0;
        view.at(x, y, 0, k) = static_cast<unsigned char>(100 + disc + view.at(x, y, 0, k) / 16);
      }
  return film;
}

// Long enough for a scene to be taken away.
TEST_F(CellsOnCuda, FramesSmallerThanAWindowOrACircle) {
  constexpr int kFrames = 45;
  static_assert(kFrames / kCells.epoch_step >= kCells.background_least);
  for (const Size size : {Size{45, 41}, Size{40, 60}, Size{16, 100}, Size{3, 3}, Size{1, 1}})
    for (const CellsBackground background : {CellsBackground::none, CellsBackground::still}) {
      if (run_small() && background == CellsBackground::none) continue;
      const Image film = disc_film(size, kFrames);
      const CellsOptions options{.max_radius = 9, .background = background, .max_cells = 16};
      const auto expected = expected_tracks(film.view(), options);
      EXPECT_EQ(expected.empty(), size.width < 40) << size.width;
      expect_same(device_tracks(film.view(), options), expected, kNear, std::to_string(size.width));
    }
}

TEST_F(CellsOnCuda, NoCellsNoFrames) {
  Image flat(ImageInfo{{128, 96, 1, 40}, Type::u8});
  EXPECT_TRUE(device_tracks(flat.view(), {.max_cells = 3}).empty());
  const Cells plan = plan_on(Backend::cuda, "blocks", flat.info(), {});
  Stream stream(0);
  CellsState state = plan.start();
  EXPECT_TRUE(plan.tracks(state).empty());
  plan.finish(state, stream);
  EXPECT_EQ(state.frames_done(), 0);
  EXPECT_TRUE(plan.tracks(state).empty());
}

TEST_F(CellsOnCuda, FewerSlotsThanCells) {
  const Image film = clear_film({224, 160}, 14);
  const CellsOptions options{.background = CellsBackground::none, .min_frames = 3, .max_cells = 2};
  const auto tracks = device_tracks(film.view(), options);
  EXPECT_EQ(tracks.size(), 2U);
  expect_same(tracks, expected_tracks(film.view(), options), kNear, "two slots");
}

TEST_F(CellsOnCuda, DetectsInOneFrame) {
  const Image film = clear_film({224, 160}, 2);
  for (const Polarity polarity : {Polarity::both, Polarity::bright, Polarity::dark}) {
    const CellsOptions options{.polarity = polarity, .background = CellsBackground::none};
    const AnyView frame = film.view().only_plane(0);
    Stream host(kHost, 1), stream(0);
    const auto expected =
        plan_on(Backend::cpu, "reference", film.info(), options).detect(frame, host);
    const auto found = plan_on(Backend::cuda, "blocks", film.info(), options).detect(frame, stream);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k].x, expected[k].x, kNear);
      EXPECT_NEAR(found[k].y, expected[k].y, kNear);
      EXPECT_NEAR(found[k].radius, expected[k].radius, kNear);
      EXPECT_NEAR(found[k].score, expected[k].score, 0.05);
    }
  }
}

TEST_F(CellsOnCuda, SameBitsAgainAndFromDeviceFrames) {
  const Image film = run_small() ? clear_film({112, 88}, 8) : clear_film({160, 128}, 35);
  const auto once = device_tracks(film.view(), {.max_cells = 16});
  EXPECT_TRUE(run_small() || !once.empty());
  expect_same_bits(device_tracks(film.view(), {.max_cells = 16}), once);
  Stream stream(0);
  const testing::DeviceImage on_device = testing::upload(film, stream);
  const Cells plan = plan_on(Backend::cuda, "blocks", on_device.view.info(), {.max_cells = 16});
  expect_same_bits(tracks_by(plan, on_device.view, stream), once);
}

TEST_F(CellsOnCuda, SeveralFilmsAreAsEachAlone) {
  constexpr int kFilms = 3;
  const int frames = run_small() ? 4 : 40;
  const Size size = run_small() ? Size{112, 88} : Size{160, 128};
  std::vector<Image> films;
  for (int k = 0; k < kFilms; ++k)
    films.push_back(clear_film(size, frames, Type::u8, 10 + static_cast<std::uint64_t>(k)));
  const CellsOptions options{.min_frames = 3, .max_cells = 16};
  const Cells plan = plan_on(Backend::cuda, "blocks", films[0].info(), options);
  Stream stream(0);
  CellsState state = plan.start(kFilms);
  Image together(ImageInfo{{size.width, size.height, 1, kFilms}, Type::u8});
  for (int frame = 0; frame < frames; ++frame) {
    for (int k = 0; k < kFilms; ++k)
      copy_samples(films[static_cast<std::size_t>(k)].view().only_plane(frame),
                   together.view().only_plane(k));
    plan.add(state, together.view(), stream);  // the image is written again at once
  }
  plan.finish(state, stream);
  for (int k = 0; k < kFilms; ++k)
    expect_same_bits(plan.tracks(state, k),
                     device_tracks(films[static_cast<std::size_t>(k)].view(), options));
}

TEST_F(CellsOnCuda, SeveralThreadsShareAPlan) {
  const Image film = run_small() ? clear_film({112, 88}, 6) : clear_film({160, 128}, 35);
  const Cells plan =
      plan_on(Backend::cuda, "blocks", film.info(), {.min_frames = 3, .max_cells = 16});
  const auto run = [&] {
    Stream stream(0);
    return tracks_by(plan, film.view(), stream);
  };
  const auto alone = run();
  std::vector<std::future<std::vector<CellTrack>>> runs;
  for (int k = 0; k < (run_small() ? 2 : 4); ++k)
    runs.push_back(std::async(std::launch::async, run));
  for (auto& one : runs) expect_same_bits(one.get(), alone);
}

TEST_F(CellsOnCuda, MemoryStaysWhatItIs) {
  const Image film = clear_film(run_small() ? Size{112, 88} : Size{160, 128}, 30);
  const Cells plan = plan_on(Backend::cuda, "blocks", film.info(), {.max_cells = 16});
  Stream stream(0);
  CellsState state = plan.start();
  const auto give = [&](int frames) {
    for (int k = 0; k < frames; ++k) plan.add(state, film.view().only_plane(k % 30), stream);
    state.frames_done();
    return device_stream(stream).pool_bytes();
  };
  const std::size_t before = give(run_small() ? 12 : 300);
  EXPECT_LE(give(run_small() ? 12 : 3000), before);
}

}  // namespace
}  // namespace tessera
