// SPDX-License-Identifier: Apache-2.0
// Frames in which outlines of cells outweigh the ground: the drift must not go with the cells.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "ops/cells/cells_check.hpp"
#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/scene/cells_still_scene.hpp"
#include "tests/support/cells_on_cuda.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

using testing::clear_film;
using testing::ForcedIsa;

constexpr std::size_t kCellsThere = 6;

/// Sums of `many` pixels of weight 1 and `few` of weight `weight`.
DriftSums sums_of(int many, int few, double weight) {
  DriftSums sums;
  for (int k = 0; k < many; ++k) drift_add(sums, 1.0, 0.0, 0.0, 1.0);
  for (int k = 0; k < few; ++k) drift_add(sums, std::sqrt(weight), 0.0, 0.0, 1.0);
  return sums;
}

TEST(CellsRegistration, NeedsPixelsOfEqualWeight) {
  const int enough = static_cast<int>(kCells.drift_samples);
  EXPECT_TRUE(drift_is_known(sums_of(enough, 0, 0)));
  EXPECT_FALSE(drift_is_known(sums_of(enough - 1, 0, 0)));
  EXPECT_TRUE(drift_is_known(sums_of(enough, enough, 0.5)));
  EXPECT_TRUE(drift_is_known(sums_of(10 * enough, 10, 10)));
  EXPECT_FALSE(drift_is_known(sums_of(10 * enough, 10, 10000)));
  EXPECT_FALSE(drift_is_known(sums_of(0, 0, 0)));
}

TEST(CellsRegistration, StaysWhereCellsOutweighTheGround) {
  const Image film = clear_film({112, 88}, 20);  // its ground stands still
  const CellsProblem problem = make_cells_problem({{112, 88}, Type::u8}, {});
  const PlainCellsParts<double> parts(problem);
  CellsScene<double> scene(problem, parts);
  Stream stream(kHost, 1);
  CellPlane<double> smooth;
  for (int k = 0; k < film.info().size.planes; ++k) {
    parts.smooth(film.view().only_plane(k), smooth, stream);
    const CellDrift drift = scene.add(smooth, stream);
    EXPECT_EQ(drift.x, 0) << k;
    EXPECT_EQ(drift.y, 0) << k;
  }
}

// Without ground, float and double would drift apart, and cells with them.
TEST(CellsSmallFilms, SimdIsTheReference) {
  const CellsOptions options{.detect_where = DetectWhere::everywhere, .max_cells = 16};
  Stream stream(kHost, 2);
  struct Film {
    Size size;
    std::uint64_t seed;
    std::vector<CellTrack> expected = {};
  };
  std::vector<Film> films{{{112, 88}, 3}, {{144, 112}, 2}, {{192, 144}, 1}};
  if (testing::run_all()) films.push_back({{112, 88}, 1});
  const auto check = [&](int k, const std::string& isa) {
    auto& [size, seed, expected] = films[static_cast<std::size_t>(k)];
    const Image film = clear_film(size, 120, Type::u8, seed);
    const auto tracks = [&](const char* method) {
      return testing::tracks_by(testing::plan_on(Backend::cpu, method, film.info(), options),
                                film.view(), stream);
    };
    const std::string name = fmt::format("{}x{} seed {}", size.width, size.height, seed);
    if (expected.empty()) expected = tracks("reference");
    EXPECT_GE(expected.size(), kCellsThere) << name;
    const ForcedIsa forced(isa);
    testing::expect_same(tracks("simd"), expected, 0.05, name + " " + isa);
  };
  std::vector<int> numbers(films.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  testing::for_cases(1, check, numbers, isa_names());
}

}  // namespace
}  // namespace tessera
