// SPDX-License-Identifier: Apache-2.0
// Where the tissue lies, in films whose drift is known.
#include <gtest/gtest.h>

#include <cmath>

#include "sample/cell_film.hpp"
#include "tessera/cells.hpp"

namespace tessera {
namespace {

constexpr Size kFrame{320, 240};

CellFilm film_with(CellFilmPreset preset, int frames, std::optional<double> drift = {}) {
  CellFilmOptions options;
  options.preset = preset;
  options.frames = frames;
  options.cells = 12;
  options.drift = drift;
  return CellFilm(kFrame, 3, Type::u8, options);
}

std::vector<CellDrift> measured(const CellFilm& film, const CellsOptions& options,
                                int threads = 0) {
  const ImageInfo info{kFrame, Type::u8};
  const Cells plan(info, options);
  Stream stream(kHost, threads);
  CellsState state = plan.start();
  for (int k = 0; k < film.info().size.planes; ++k) {
    Image frame(info);
    film.read_frame(k, {0, kFrame.height}, frame.view());
    plan.add(state, std::as_const(frame).view(), stream);
  }
  EXPECT_TRUE(plan.drift(state).empty()) << "the film is not finished";
  plan.finish(state, stream);
  return plan.drift(state);
}

/// The largest distance from the truth.
double error_of(const std::vector<CellDrift>& drift, const CellFilm& film) {
  double most = 0;
  for (int k = 0; k < film.info().size.planes; ++k) {
    const auto truth = film.drift(k), start = film.drift(0);
    const CellDrift& at = drift.at(static_cast<std::size_t>(k));
    most = std::max(most, std::hypot(at.x - (truth.x - start.x), at.y - (truth.y - start.y)));
  }
  return most;
}

TEST(CellsTissue, DriftsAreMeasured) {
  const CellFilm film = film_with(CellFilmPreset::drift, 100);
  for (const CellsBackground background : {CellsBackground::still, CellsBackground::none}) {
    const auto drift = measured(film, {.background = background, .backend = Backend::cpu});
    ASSERT_EQ(drift.size(), 100U);
    EXPECT_LT(error_of(drift, film), 0.5);
  }
}

TEST(CellsTissue, FewFramesAreEnough) {
  const CellFilm film = film_with(CellFilmPreset::drift, 10, 0.5);
  const auto drift = measured(film, {.backend = Backend::cpu});
  ASSERT_EQ(drift.size(), 10U);
  EXPECT_LT(error_of(drift, film), 0.3);
}

TEST(CellsTissue, JumpsAreAtTheirFrame) {
  const CellFilm film = film_with(CellFilmPreset::shift, 150);
  const auto drift = measured(film, {.backend = Backend::cpu});
  ASSERT_EQ(drift.size(), 150U);
  EXPECT_LT(error_of(drift, film), 1);
}

TEST(CellsTissue, WhatStandsStillHasNone) {
  EXPECT_TRUE(
      measured(film_with(CellFilmPreset::easy, 60, 0.0), {.backend = Backend::cpu}).empty());
}

TEST(CellsTissue, ThreadsDoNotMatter) {
  const CellFilm film = film_with(CellFilmPreset::drift, 50);
  const auto one = measured(film, {.backend = Backend::cpu}, 1),
             three = measured(film, {.backend = Backend::cpu}, 3);
  ASSERT_EQ(one.size(), 50U);
  ASSERT_EQ(three.size(), 50U);
  for (std::size_t k = 0; k < 50; ++k) {
    EXPECT_EQ(one[k].x, three[k].x);
    EXPECT_EQ(one[k].y, three[k].y);
  }
}

}  // namespace
}  // namespace tessera
