// SPDX-License-Identifier: Apache-2.0
// What a film shows by itself (sizes, relief, doubts), searched on the GPU and on the CPU.
#include <gtest/gtest.h>

#include "ops/cells/cells_check.hpp"
#include "tests/support/cells_on_cuda.hpp"
#include "tests/support/lit_films.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::plan_on;
using testing::run_small;

using CellsLooksOnCuda = testing::OnCuda;

struct Looked {
  std::vector<CellTrack> tracks;
  std::vector<CellDrift> drift;
  std::vector<double> sizes;
  CellsOptions used;
  CellsVerdict verdict;
};

Looked looked_at(const Cells& plan, AnyView film) {
  Stream stream(plan.device());
  CellsState state = plan.start();
  for (int k = 0; k < film.size.planes; ++k) plan.add(state, film.only_plane(k), stream);
  plan.finish(state, stream);
  return {plan.tracks(state), plan.drift(state), plan.sizes(state), plan.used_options(state),
          plan.verdict(state)};
}

struct TwoLooks {
  Looked there, here;
};

/// Looks on both, which must come to the same choices.
TwoLooks expect_same_choices(AnyView film, const CellsOptions& options, const char* what) {
  TwoLooks looks{looked_at(plan_on(Backend::cuda, "blocks", film.info(), options), film),
                 looked_at(plan_on(Backend::cpu, "simd", film.info(), options), film)};
  const auto& [there, here] = looks;
  EXPECT_FALSE(here.tracks.empty()) << what;
  EXPECT_EQ(there.used.min_radius, here.used.min_radius) << what;
  EXPECT_EQ(there.used.max_radius, here.used.max_radius) << what;
  EXPECT_EQ(there.used.relief == "none", here.used.relief == "none") << what;
  return looks;
}

void expect_same_look(AnyView film, const CellsOptions& options, const char* what) {
  const auto [there, here] = expect_same_choices(film, options, what);
  testing::expect_same(there.tracks, here.tracks, 0.05, what);
  ASSERT_EQ(there.sizes.size(), here.sizes.size()) << what;
  for (std::size_t k = 0; k < here.sizes.size(); ++k)
    EXPECT_NEAR(there.sizes[k], here.sizes[k], 0.05) << what;
  EXPECT_EQ(there.verdict.clear, here.verdict.clear) << what;
  EXPECT_EQ(there.verdict.missed, here.verdict.missed) << what;
  EXPECT_EQ(there.verdict.doubts, here.verdict.doubts) << what;
}

Image film_of_large_cells() {
  CellFilmOptions options;
  options.preset = CellFilmPreset::large;
  options.frames = 45;
  options.cells = 4;
  return testing::whole_film(options, {480, 360}, Type::u8, 1);
}

// Frames are searched at several sizes, with other kernels' arguments than the film.
TEST_F(CellsLooksOnCuda, SizesReliefAndDoubtsAreThoseOfTheHost) {
  const int frames = run_small() ? 3 : 45;
  const Size size = run_small() ? Size{160, 128} : Size{320, 240};
  expect_same_look(testing::short_view(testing::clear_film(size, frames)), {.max_cells = 16},
                   "easy");
  if (run_small()) return;
  expect_same_look(testing::short_view(film_of_large_cells()), {.max_cells = 16}, "large");
  // Where two contours are as good, roundings decide which one a cell gets.
  const auto [there, here] = expect_same_choices(testing::short_view(testing::lit_film(9, 2.5, 50)),
                                                 {.max_cells = 32}, "relief");
  EXPECT_NE(here.used.relief, "none");
  EXPECT_EQ(there.tracks.size(), here.tracks.size());
}

// The tracker's own drift comes from the device, which keeps only a ring of it.
TEST_F(CellsLooksOnCuda, TheTissueLiesWhereItDoesOnTheHost) {
  if (run_small()) return;
  CellFilmOptions options;
  options.preset = CellFilmPreset::shift;
  options.frames = 400;
  options.cells = 12;
  const Image film = testing::whole_film(options, {320, 240}, Type::u8, 3);
  const auto [there, here] = expect_same_choices(film.view(), {.max_cells = 32}, "shift");
  ASSERT_EQ(here.drift.size(), 400U);
  ASSERT_EQ(there.drift.size(), 400U);
  for (std::size_t k = 0; k < here.drift.size(); ++k) {
    EXPECT_NEAR(there.drift[k].x, here.drift[k].x, 0.2) << k;
    EXPECT_NEAR(there.drift[k].y, here.drift[k].y, 0.2) << k;
  }
}

TEST_F(CellsLooksOnCuda, FramesSearchedTogetherAreAsEachAlone) {
  constexpr int kFrames = 5;
  const Image film = testing::clear_film({112, 88}, kFrames);
  ImageInfo frame = film.info();
  frame.size.planes = 1;
  const CellsRunnerPointer cuda = make_cells_cuda(make_cells_problem(frame, {}));
  Stream stream(0);
  std::vector<AnyView> frames;
  for (int k = 0; k < kFrames; ++k) frames.push_back(film.view().only_plane(k));
  const auto together = cuda->detect_each(frames, stream);
  ASSERT_EQ(together.size(), frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto alone = cuda->detect(frames[k], stream);
    EXPECT_FALSE(alone.empty());
    ASSERT_EQ(together[k].size(), alone.size());
    for (std::size_t n = 0; n < alone.size(); ++n) {
      EXPECT_EQ(together[k][n].x, alone[n].x);
      EXPECT_EQ(together[k][n].y, alone[n].y);
      EXPECT_EQ(together[k][n].radius, alone[n].radius);
      EXPECT_EQ(together[k][n].score, alone[n].score);
    }
  }
}

}  // namespace
}  // namespace tessera
