// SPDX-License-Identifier: Apache-2.0
// What the still scene must not swallow: cells that stand, and a picture that jumps.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/scene/cells_still_scene.hpp"
#include "tessera/cells.hpp"

namespace tessera {
namespace {

/// Many waves in all directions: it looks like itself nowhere else nearby.
double scene_ground(double x, double y) {
  double value = 90;
  for (int k = 0; k < 12; ++k) {
    const double angle = 2.4 * k, length = 5 + 1.7 * k;
    value += 3 * std::sin((x * std::cos(angle) + y * std::sin(angle)) / length + k * k);
  }
  return value;
}

struct SceneDisc {
  double x, y, radius;
  int from = 0, to = 1 << 30;  ///< frames in which it stands there
  double speed = 0;            ///< to the right
};

/// `jumps`: the whole picture is moved by (14, -9) from this frame on.
std::vector<Image> scene_film(const std::vector<SceneDisc>& discs, int frames,
                              int jumps = 1 << 30) {
  std::vector<Image> film;
  for (int k = 0; k < frames; ++k) {
    Image image({256, 200}, Type::u8);
    const auto to = image.as<unsigned char>();
    const double dx = k >= jumps ? 14 : 0, dy = k >= jumps ? -9 : 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 256; ++x) {
        double value = scene_ground(x - dx, y - dy);
        for (const SceneDisc& disc : discs) {
          if (k < disc.from || k >= disc.to) continue;
          const double far = std::hypot(x - dx - disc.x - disc.speed * k, y - dy - disc.y);
          value += 60 / (1 + std::exp(2 * (far - disc.radius)));
        }
        to.at(x, y) = static_cast<unsigned char>(value);
      }
    film.push_back(std::move(image));
  }
  return film;
}

std::vector<CellTrack> follow_scene(const std::vector<Image>& film) {
  const Cells plan(film.front().info(), {.backend = Backend::cpu});
  CellsState state = plan.start();
  Stream stream(kHost, 2);
  for (const Image& frame : film) plan.add(state, frame.view(), stream);
  plan.finish(state, stream);
  return plan.tracks(state);
}

/// The track that is within 3 pixels of a place in a frame, or null.
const CellTrack* scene_track_at(const std::vector<CellTrack>& tracks, double x, double y,
                                int frame) {
  for (const CellTrack& track : tracks)
    for (const CellSpot& spot : track.spots)
      if (spot.frame == frame && std::hypot(spot.x - x, spot.y - y) < 3) return &track;
  return nullptr;
}

std::vector<SceneDisc> rolling_discs() {
  return {{-30, 40, 9, 0, 1 << 30, 1.5}, {10, 90, 8, 0, 1 << 30, 1.2}, {40, 140, 9, 0, 1 << 30, 1}};
}

TEST(CellsScene, CellsThatNeverMoveAreFollowedFromTheFirstFrameToTheLast) {
  std::vector<SceneDisc> discs = rolling_discs();
  discs.insert(discs.end(), {{60, 65, 9}, {150, 115, 8}, {200, 165, 9}});
  const std::vector<CellTrack> tracks = follow_scene(scene_film(discs, 100));
  for (const SceneDisc& disc : {discs[3], discs[4], discs[5]}) {
    const CellTrack* track = scene_track_at(tracks, disc.x, disc.y, 50);
    ASSERT_TRUE(track) << disc.x;
    EXPECT_EQ(track->spots.front().frame, 0);
    EXPECT_EQ(track->spots.back().frame, 99);
  }
}

TEST(CellsScene, ACellThatComesToRestOrLeavesHasATrackWhileItIsThere) {
  std::vector<SceneDisc> discs = rolling_discs();
  discs.insert(discs.end(), {{200, 65, 9, 60}, {200, 165, 9, 0, 60}});
  const std::vector<CellTrack> tracks = follow_scene(scene_film(discs, 120));
  const CellTrack* came = scene_track_at(tracks, 200, 65, 90);
  ASSERT_TRUE(came);
  EXPECT_GE(came->spots.front().frame, 60);
  EXPECT_LE(came->spots.front().frame, 70);
  EXPECT_EQ(came->spots.back().frame, 119);
  const CellTrack* left = scene_track_at(tracks, 200, 165, 30);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->spots.front().frame, 0);
  EXPECT_NEAR(left->spots.back().frame, 59, 1);
  EXPECT_FALSE(scene_track_at(tracks, 200, 65, 30));
  EXPECT_FALSE(scene_track_at(tracks, 200, 165, 90));
}

TEST(CellsScene, APictureThatJumpsTakesItsTracksAlong) {
  std::vector<SceneDisc> discs = rolling_discs();
  discs.push_back({190, 165, 9});
  const std::vector<CellTrack> tracks = follow_scene(scene_film(discs, 100, 50));
  EXPECT_EQ(tracks.size(), 4U);
  for (const SceneDisc& disc : discs) {
    const CellTrack* track = scene_track_at(tracks, disc.x + disc.speed * 40, disc.y, 40);
    ASSERT_TRUE(track) << disc.y;
    EXPECT_EQ(track, scene_track_at(tracks, disc.x + disc.speed * 60 + 14, disc.y - 9, 60))
        << disc.y;
  }
}

TEST(CellsScene, AJumpIsMeasured) {
  const std::vector<Image> film = scene_film({}, 40, 25);
  const CellsProblem problem = [&] {
    CellsProblem p;
    p.frame = film.front().info();
    p.radii = {6, 7, 8};
    return p;
  }();
  const PlainCellsParts<double> parts(problem);
  CellsScene<double> scene(problem, parts);
  Stream stream(kHost);
  CellPlane<double> smooth;
  for (int k = 0; k < 40; ++k) {
    parts.smooth(film[static_cast<std::size_t>(k)].view(), smooth, stream);
    const CellDrift drift = scene.add(smooth, stream);
    EXPECT_NEAR(drift.x, k < 25 ? 0 : 14, 0.2) << k;
    EXPECT_NEAR(drift.y, k < 25 ? 0 : -9, 0.2) << k;
  }
}

}  // namespace
}  // namespace tessera
