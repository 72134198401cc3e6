// SPDX-License-Identifier: Apache-2.0
// The quality list: films of the hard preset, whose truth is known, followed and scored. Every seed
// of the list is one line; a run takes two of them, to stay short.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/machine.hpp"
#include "jobs/cells/cell_score.hpp"
#include "sample/cell_film.hpp"
#include "tessera/cells.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

constexpr Size kFrame{640, 480};

CellScore score_of(int seed, const CellsOptions& options) {
  CellFilmOptions hard;
  hard.preset = CellFilmPreset::hard;
  const CellFilm film(kFrame, static_cast<std::uint64_t>(seed), Type::u8, hard);
  const Cells plan({kFrame, Type::u8}, options);
  Stream stream(plan.device());
  CellsState state = plan.start();
  Image frame(kFrame, Type::u8);
  for (int k = 0; k < film.info().size.planes; ++k) {
    film.read_frame(k, {0, kFrame.height}, frame.view());
    plan.add(state, frame.view(), stream);
  }
  plan.finish(state, stream);
  return score_tracks(film.truth().tracks(), plan.tracks(state));
}

void expect_quality(int seed, CellsOptions options) {
  SCOPED_TRACE(seed);
  for (const bool flow_known : {true, false}) {
    if (testing::run_small() && flow_known) continue;
    options.flow = flow_known ? std::optional(0.0) : std::nullopt;
    const CellScore score = score_of(seed, options);
    SCOPED_TRACE(score.describe());
    EXPECT_GE(*score.found_share, 0.95);
    EXPECT_LE(*score.false_share, 0.05);
    EXPECT_GE(*score.near_share, 0.95);
    EXPECT_LE(*score.velocity_error, 0.03);
    EXPECT_GE(*score.kept_share, 0.90);
  }
}

TEST(CellsQuality, Simd) {
  CellsOptions options;
  options.backend = Backend::cpu;
  options.method = "simd";
  for (const int seed : {2, 3})
    if (seed == 2 || !testing::run_small()) expect_quality(seed, options);
}

TEST(CellsQuality, Cuda) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  CellsOptions options;
  options.backend = Backend::cuda;
  for (const int seed : {2, 3}) expect_quality(seed, options);
}

}  // namespace
}  // namespace tessera
