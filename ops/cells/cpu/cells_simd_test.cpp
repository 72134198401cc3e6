// SPDX-License-Identifier: Apache-2.0
// Whole films through the float path, against the reference in double and against itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "sample/cell_film.hpp"
#include "tessera/cells.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

using testing::ForcedIsa;

/// Bright cells on a ground that drifts, small enough for the reference. In films this short what
/// moves leaves a dark trail in the scene, and what is taken for a cell there hangs on rounding.
Image film_of(Size frame, int frames, std::uint64_t seed, Type type) {
  CellFilmOptions options;
  options.preset = CellFilmPreset::standard;
  options.frames = frames;
  options.cells = 8;
  options.bright = 1;
  options.crossings = 0;
  options.entries = 0;
  options.exits = 0;
  options.stops = 0;
  CellFilm film(frame, seed, type, options);
  Image planes({frame.width, frame.height, 1, frames}, type);
  film.read({0, frame.height}, planes.view());
  return planes;
}

std::vector<CellTrack> follow(const Image& film, CellsOptions options, int threads = 2) {
  ImageInfo frame = film.info();
  const int frames = frame.size.planes;
  frame.size.planes = 1;
  options.backend = Backend::cpu;
  const Cells plan(frame, options);
  Stream stream(kHost, threads);
  CellsState state = plan.start();
  for (int k = 0; k < frames; ++k) plan.add(state, film.view().only_plane(k), stream);
  plan.finish(state, stream);
  return plan.tracks(state);
}

const CellSpot* spot_in(const CellTrack& track, int frame) {
  const int k = frame - track.spots.front().frame;
  return k < 0 || k >= static_cast<int>(track.spots.size())
             ? nullptr
             : &track.spots[static_cast<std::size_t>(k)];
}

/// The track that is near in the first frame of the other, if there is one.
const CellTrack* twin_of(const CellTrack& track, const std::vector<CellTrack>& others) {
  for (const CellTrack& other : others) {
    const CellSpot &here = track.spots.front(), *there = spot_in(other, here.frame);
    if (there && std::hypot(there->x - here.x, there->y - here.y) < 2) return &other;
  }
  return nullptr;
}

/// Whether all radii of two outlines, or none of both, are within 0.2 px: parabolas whose bend is
/// small magnify rounding.
bool outlines_agree(const CellSpot& a, const CellSpot& b) {
  for (std::size_t j = 0; j < a.outline.size(); ++j)
    if (!(std::abs(a.outline[j] - b.outline[j]) < 0.2F)) return false;
  return true;
}

/// Places agree on every cell that both follow, and both follow the same cells. In one frame of
/// a hundred an outline may be doubtful by one and not by the other.
void expect_agreement(const std::vector<CellTrack>& made, const std::vector<CellTrack>& expected,
                      const std::string& name, double bound = 0.05) {
  EXPECT_GE(expected.size(), 4U) << name;
  EXPECT_EQ(made.size(), expected.size()) << name;
  int outlines = 0, alike = 0;
  for (const CellTrack& track : expected) {
    const CellTrack* twin = twin_of(track, made);
    ASSERT_TRUE(twin) << name << " track " << track.id;
    // Whether a cell that goes out is still seen may hang on rounding.
    EXPECT_NEAR(static_cast<double>(twin->spots.size()), static_cast<double>(track.spots.size()), 2)
        << name << " track " << track.id;
    for (const CellSpot& spot : track.spots)
      if (const CellSpot* other = spot_in(*twin, spot.frame)) {
        EXPECT_NEAR(other->x, spot.x, bound) << name << " track " << track.id;
        EXPECT_NEAR(other->y, spot.y, bound) << name << " track " << track.id;
        EXPECT_NEAR(other->radius, spot.radius, bound) << name << " track " << track.id;
        outlines += spot.has_outline();
        alike += spot.has_outline() && outlines_agree(spot, *other);
      }
  }
  EXPECT_GE(outlines, 100) << name;
  EXPECT_GE(alike, 0.99 * outlines) << name;
}

bool same(const std::vector<CellTrack>& a, const std::vector<CellTrack>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].id != b[i].id || a[i].spots.size() != b[i].spots.size()) return false;
    for (std::size_t k = 0; k < a[i].spots.size(); ++k) {
      const CellSpot &p = a[i].spots[k], &q = b[i].spots[k];
      if (p.frame != q.frame || p.x != q.x || p.y != q.y || p.radius != q.radius ||
          p.score != q.score || p.seen != q.seen || p.outline != q.outline)
        return false;
    }
  }
  return true;
}

TEST(CellsSimd, TracksAreTheReferences) {
  std::map<bool, std::vector<CellTrack>> references;
  const auto check = [&](const std::string& isa, bool flow_known) {
    const Type type = flow_known ? Type::u8 : Type::f32;
    const Image film = film_of({320, 200}, 60, flow_known ? 3 : 4, type);
    CellsOptions options{.polarity = Polarity::bright, .method = "reference"};
    if (flow_known) options.flow = 0.0;
    std::vector<CellTrack>& expected = references[flow_known];
    if (expected.empty()) expected = follow(film, options);
    options.method = "simd";
    const ForcedIsa forced(isa);
    expect_agreement(follow(film, options), expected, isa + (flow_known ? " flow" : ""));
  };
  testing::for_cases(1, check, isa_names(), std::vector{true, false});
}

TEST(CellsSimd, TracksDoNotDependOnThreadsOrOtherFilms) {
  const Image one = film_of({320, 200}, 50, 5, Type::u8),
              two = film_of({320, 200}, 50, 6, Type::u8);
  const CellsOptions options{.flow = 0.0, .backend = Backend::cpu, .method = "simd"};
  const std::vector<CellTrack> first = follow(one, options, 1), second = follow(two, options, 1);
  EXPECT_FALSE(first.empty());
  for (const int threads : {2, 3}) EXPECT_TRUE(same(follow(one, options, threads), first));

  const Cells plan({{320, 200}, Type::u8}, options);
  Stream stream(kHost, 2);
  CellsState state = plan.start(2);
  Image both({320, 200, 1, 2}, Type::u8);
  for (int k = 0; k < 50; ++k) {
    copy_samples(one.view().only_plane(k), both.view().only_plane(0));
    copy_samples(two.view().only_plane(k), both.view().only_plane(1));
    plan.add(state, both.view(), stream);
  }
  plan.finish(state, stream);
  EXPECT_TRUE(same(plan.tracks(state, 0), first));
  EXPECT_TRUE(same(plan.tracks(state, 1), second));
}

TEST(CellsSimd, DetectionsAreTheReferences) {
  const Image film = film_of({320, 200}, 1, 7, Type::u8);
  Stream stream(kHost, 2);
  CellsOptions options{
      .background = CellsBackground::none, .backend = Backend::cpu, .method = "reference"};
  const auto expected = Cells({{320, 200}, Type::u8}, options).detect(film.view(), stream);
  options.method = "simd";
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    const auto made = Cells({{320, 200}, Type::u8}, options).detect(film.view(), stream);
    ASSERT_EQ(made.size(), expected.size()) << isa;
    EXPECT_FALSE(made.empty());
    for (std::size_t i = 0; i < made.size(); ++i) {
      EXPECT_NEAR(made[i].x, expected[i].x, 0.05) << isa;
      EXPECT_NEAR(made[i].y, expected[i].y, 0.05) << isa;
      EXPECT_NEAR(made[i].score, expected[i].score, 1e-3) << isa;
    }
  }
}

TEST(CellsSimd, WhatIsNoNumberLeavesNoTrace) {
  Image film = film_of({200, 160}, 40, 8, Type::f32);
  const auto view = film.as<float>();
  for (int k = 10; k < 30; ++k) view.at(k * 5, 80, 0, k) = std::numeric_limits<float>::quiet_NaN();
  for (int x = 0; x < 200; ++x)
    for (int y = 0; y < 160; ++y) view.at(x, y, 0, 35) = std::numeric_limits<float>::infinity();
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    for (const CellTrack& track : follow(film, {.method = "simd"}))
      for (const CellSpot& spot : track.spots)
        EXPECT_TRUE(std::isfinite(spot.x) && std::isfinite(spot.y) && std::isfinite(spot.radius) &&
                    std::isfinite(spot.score))
            << isa << " frame " << spot.frame;
  }
}

/// A bad pixel in every frame, and a row of them: the cells are followed as without.
TEST(CellsSimd, ABadPixelCostsNoFrame) {
  const Image whole = film_of({320, 200}, 40, 4, Type::f32);
  Image spoilt({320, 200, 1, 40}, Type::f32);
  copy_samples(whole.view(), spoilt.view());
  const auto view = spoilt.as<float>();
  for (int k = 0; k < 40; ++k) {
    view.at(k, 199, 0, k) = std::numeric_limits<float>::quiet_NaN();
    view.at(0, 2 * k, 0, k) = -std::numeric_limits<float>::infinity();
  }
  for (int x = 0; x < 320; ++x) view.at(x, 0, 0, 20) = std::numeric_limits<float>::infinity();
  for (const char* method : {"reference", "simd"}) {
    const CellsOptions options{.polarity = Polarity::bright, .method = method};
    const std::vector<CellTrack> tracks = follow(spoilt, options);
    expect_agreement(tracks, follow(whole, options), method, 0.25);
    for (const CellTrack& track : tracks)
      for (const CellSpot& spot : track.spots)
        if (spot.frame == 20 && spot.y > 30) {
          EXPECT_TRUE(spot.seen) << method << " track " << track.id;
        }
  }
}

TEST(CellsSimd, ScaleDoesNotMatter) {
  const Image film = film_of({320, 200}, 40, 4, Type::f32);
  for (const char* method : {"reference", "simd"}) {
    const CellsOptions options{.polarity = Polarity::bright, .method = method};
    const std::vector<CellTrack> expected = follow(film, options);
    EXPECT_GE(expected.size(), 4U);
    for (const int exponent : {-70, 700}) {  // float itself ends at 127
      if (!testing::run_all() && exponent == 700 && method == std::string("reference"))
        continue;  // the slowest part, sampled
      Image scaled({320, 200, 1, 40}, Type::f64);
      for (int k = 0; k < 40; ++k)
        for (int y = 0; y < 200; ++y)
          for (int x = 0; x < 320; ++x)
            scaled.as<double>().at(x, y, 0, k) =
                std::ldexp(static_cast<double>(film.as<float>().at(x, y, 0, k)), exponent);
      EXPECT_TRUE(same(follow(scaled, options), expected)) << method << " 2^" << exponent;
    }
  }
}

/// The plan's work on films does not matter to a single frame.
TEST(CellsSimd, FramesAloneHaveTheirOwnThreshold) {
  const Image film = film_of({320, 200}, 1, 7, Type::u8);
  Stream stream(kHost, 2);
  const auto found = [&](CellsOptions options) {
    options.backend = Backend::cpu;
    return Cells({{320, 200}, Type::u8}, options).detect(film.view(), stream).size();
  };
  const std::size_t usual = found({.background = CellsBackground::none});
  EXPECT_EQ(found({}), usual);
  EXPECT_EQ(found({.threshold = 1.8}), usual);
  EXPECT_GT(found({.threshold = 1.3}), usual) << "that of films";
}

TEST(CellsSimd, FramesSmallerThanWindowsAndCircles) {
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    for (const auto& [width, height] :
         {std::pair{1, 1}, {1, 60}, {60, 1}, {2, 40}, {33, 33}, {36, 34}, {50, 35}}) {
      Image film({width, height, 1, 40}, Type::u8);
      const auto view = film.as<unsigned char>();
      for (int k = 0; k < 40; ++k)
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            view.at(x, y, 0, k) = static_cast<unsigned char>(37 * x + 11 * y * y + 5 * k * x);
      // A reference that reads outside says so under a sanitizer.
      for (const char* method : {"simd", "reference"})
        EXPECT_NO_THROW(follow(film, {.method = method})) << isa << " " << width << "x" << height;
    }
  }
}

}  // namespace
}  // namespace tessera
