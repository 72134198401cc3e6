// SPDX-License-Identifier: Apache-2.0
/// What tests of cells on films share: films, plans and how tracks are compared.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sample/cell_film.hpp"
#include "tessera/cells.hpp"
#include "tessera/image.hpp"
#include "tests/support/on_cuda.hpp"

namespace tessera::testing {

/// All frames of a film whose cells are there from first to last.
inline Image whole_film(CellFilmOptions options, Size size, Type type, std::uint64_t seed) {
  options.crossings = options.entries = options.exits = 0;
  options.stops = 0;
  CellFilm film(size, seed, type, options, 1);
  Image all(film.info());
  film.read({0, size.height}, all.view());
  return all;
}

/// A film whose cells are found and kept: few and clear.
inline Image clear_film(Size size, int frames, Type type = Type::u8, std::uint64_t seed = 1) {
  CellFilmOptions options;
  options.preset = CellFilmPreset::easy;
  options.frames = frames;
  options.cells = 6;
  return whole_film(options, size, type, seed);
}

/// A film with ground enough to be registered with, which drifts by a fifth of a pixel per frame.
inline Image drifting_film(Size size, int frames) {
  CellFilmOptions options;
  options.preset = CellFilmPreset::standard;
  options.frames = frames;
  options.cells = 6;
  options.bright = 1;
  options.texture = 8;
  options.drift = 0.2;
  return whole_film(options, size, Type::u8, 1);
}

inline Cells plan_on(Backend backend, const std::string& method, ImageInfo frame,
                     CellsOptions options) {
  frame.size.planes = 1;
  options.backend = backend;
  options.method = method;
  return Cells(frame, options);
}

inline std::vector<CellTrack> tracks_by(const Cells& plan, AnyView film, Stream& stream) {
  CellsState state = plan.start();
  for (int k = 0; k < film.size.planes; ++k) plan.add(state, film.only_plane(k), stream);
  plan.finish(state, stream);
  EXPECT_EQ(state.frames_done(), film.size.planes);
  return plan.tracks(state);
}

/// The farthest that spots of the same frames lie apart.
inline double farthest(const CellTrack& a, const CellTrack& b) {
  double most = 0;
  for (const CellSpot& s : a.spots)
    for (const CellSpot& t : b.spots)
      if (s.frame == t.frame) most = std::max(most, std::hypot(s.x - t.x, s.y - t.y));
  return most;
}

inline void expect_same(const std::vector<CellTrack>& a, const std::vector<CellTrack>& b,
                        double pixels, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].spots.front().frame, b[k].spots.front().frame) << what << ", track " << k;
    EXPECT_EQ(a[k].spots.size(), b[k].spots.size()) << what << ", track " << k;
    EXPECT_LE(farthest(a[k], b[k]), pixels) << what << ", track " << k;
  }
}

inline void expect_same_bits(const std::vector<CellTrack>& a, const std::vector<CellTrack>& b) {
  expect_same(a, b, 0, "again");
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k)
    for (std::size_t i = 0; i < a[k].spots.size() && i < b[k].spots.size(); ++i) {
      const CellSpot &s = a[k].spots[i], &t = b[k].spots[i];
      ASSERT_TRUE(s.x == t.x && s.y == t.y && s.radius == t.radius && s.score == t.score &&
                  s.seen == t.seen && s.outline == t.outline)
          << "track " << k << ", spot " << i;
    }
}

}  // namespace tessera::testing
