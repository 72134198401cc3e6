// SPDX-License-Identifier: Apache-2.0
// How tracks begin, are confirmed, bridged and ended, and what is put together from their rows.
#include "ops/cells/life/cells_life.cuh"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "ops/cells/cells_film_tracks.hpp"

namespace tessera {
namespace {

constexpr LifeRules<double> kRules{640, 480, 8, 0, 0, 5, 14, 10, 8};
constexpr CellFind<double> kFind{100, 200, 9, -2, -1.5};

struct Slots {
  std::vector<CellSlot<double>> list{4};
  int tracks = 0;

  int birth(const CellFind<double>& find, int frame = 0) {
    return life_birth(list.data(), static_cast<int>(list.size()), frame, tracks, find, kRules);
  }
  void after(int frame) { life_after(list.data(), static_cast<int>(list.size()), frame, kRules); }
  CellSlot<double>& operator[](int i) { return list[static_cast<size_t>(i)]; }
  /// Seen where it was expected, with this score; the frame itself may show it less clearly,
  /// because of a scene that was subtracted.
  void see(int i, int frame, double score, double plain, double ground) {
    motion_predict((*this)[i].motion);
    const CellMotion<double>& m = (*this)[i].motion;
    take_measure((*this)[i],
                 {m.x, m.y, (*this)[i].radius, score, (*this)[i].slope, plain, ground, 1}, frame,
                 kRules);
  }
  void see(int i, int frame, double score) { see(i, frame, score, score, 0); }
};

TEST(CellsLife, DetectionsAndWhereTheyLook) {
  EXPECT_TRUE(is_detection(0, 0));
  EXPECT_FALSE(is_detection(10, 0));
  EXPECT_TRUE(is_detection(20, 10));
  EXPECT_FALSE(is_detection(21, 10));
  EXPECT_EQ(last_detection(10, 10, 10, 120), 109) << "frames 110 to 119 end the trial";
  EXPECT_EQ(last_detection(10, 10, 25, 120), 95) << "and the track has 25 frames";
  EXPECT_EQ(last_detection(10, 10, 20, 120), -1) << "one is due in frame 100";
  EXPECT_EQ(last_detection(10, 4, 5, 120), 115);
  EXPECT_EQ(last_detection(0, 10, 10, 120), -1);
  EXPECT_EQ(last_detection(10, 10, 10, 0), -1) << "the film goes on";
  for (const int frame : {0, 10, 20, 30, 50, 100})
    EXPECT_TRUE(looks_everywhere(frame, 10)) << frame;
  for (const int frame : {40, 60, 90}) EXPECT_FALSE(looks_everywhere(frame, 10)) << frame;
}

TEST(CellsLife, TheLastDetectionFindsCellsThatCameIn) {
  LifeRules<double> rules = kRules;
  rules.searched = {0, 0, 640, 480};
  rules.every = 10;
  rules.last = 109;
  const auto is_born = [&](double x, double y, int frame) {
    Slots slots;
    return life_birth(slots.list.data(), 4, frame, slots.tracks, {x, y, 9, -2, -1.5}, rules) == 0;
  };
  // The largest radius, two pixels, and nine frames at 4 px.
  EXPECT_TRUE(is_born(51, 240, 109));
  EXPECT_FALSE(is_born(53, 240, 109)) << "should have been found in frame 100";
  EXPECT_TRUE(is_born(53, 240, 100));
  EXPECT_TRUE(is_born(588, 240, 109));
  EXPECT_FALSE(is_born(586, 240, 109));
  EXPECT_TRUE(is_born(320, 51, 109));
  EXPECT_FALSE(is_born(320, 426, 109));
  EXPECT_TRUE(is_born(320, 428, 109));
  rules.searched = {0, 100, 640, 380};
  EXPECT_TRUE(is_born(320, 151, 109)) << "the edge of the crop";
}

TEST(CellsLife, BirthTakesTheFirstFreeSlotAndCounts) {
  Slots slots;
  EXPECT_EQ(slots.birth(kFind), 0);
  EXPECT_EQ(slots.birth({300, 200, 9, 2, 1.5}), 1);
  EXPECT_EQ(slots[0].track, 1);
  EXPECT_EQ(slots[1].track, 2);
  EXPECT_EQ(slots[1].stage, CellStage::trial);
  slots[0].trust = 2;
  EXPECT_EQ(slots.birth({103, 200, 9, -2, -1.5}), -1) << "on a followed cell";
  slots.birth({400, 200, 9, -2, -1.5});
  slots.birth({500, 200, 9, -2, -1.5});
  EXPECT_EQ(slots.birth({550, 300, 9, -2, -1.5}), -1) << "all slots taken";
}

TEST(CellsLife, ConfirmedAfterItsTrial) {
  Slots slots;
  slots.birth(kFind);
  for (int frame = 1; frame <= kCells.trial; ++frame) {
    EXPECT_EQ(slots[0].stage, CellStage::trial) << frame;
    slots.see(0, frame, -2);
    slots.after(frame);
  }
  EXPECT_EQ(slots[0].stage, CellStage::confirmed);
  EXPECT_DOUBLE_EQ(slots[0].trust, 2);
}

/// The stages of four cells after their trial, of which the last was seen so.
CellStage stage_of_fourth(const CellFind<double>& find, double score, double plain, double ground,
                          double others = -3) {
  Slots slots;
  for (const double x : {100.0, 300.0, 500.0}) slots.birth({x, 200, 9, -3, -1.5});
  slots.birth(find);
  for (int frame = 1; frame <= kCells.trial; ++frame) {
    for (int i = 0; i < 3; ++i) slots.see(i, frame, others, -3, 0);
    slots.see(3, frame, score, plain, ground);
    slots.after(frame);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(slots[i].stage, CellStage::confirmed) << i;
  return slots[3].stage;
}

TEST(CellsLife, TracesOfTheSceneAreNotCells) {
  constexpr CellFind<double> kOther{300, 400, 9, -3, -1.5};
  EXPECT_EQ(stage_of_fourth(kOther, -3, -3, 0), CellStage::confirmed);
  EXPECT_EQ(stage_of_fourth(kOther, -3, -1.3, 0.6), CellStage::confirmed)
      << "a cell on ground that is darker at its edge";
  EXPECT_EQ(stage_of_fourth(kOther, -3, -1.3, 0.8), CellStage::free)
      << "more than half of the outline is the scene's";
  EXPECT_EQ(stage_of_fourth(kOther, -3, -1.1, 0), CellStage::free)
      << "the others are three times as clear in the frame itself";
  EXPECT_EQ(stage_of_fourth(kOther, -1.1, -3, 0), CellStage::confirmed);
  EXPECT_EQ(stage_of_fourth(kOther, -1.1, -3, 0, -4), CellStage::free)
      << "the others are more than three times as clear without the scene";
}

TEST(CellsLife, TwoRimsOfOneCellAreOneTrack) {
  // Two cells are at least 0.8 radii apart if they have the same sign, else 1.3 radii.
  EXPECT_EQ(stage_of_fourth({307, 200, 9, -3, -1.5}, -3, -3, 0), CellStage::free);
  EXPECT_EQ(stage_of_fourth({310, 200, 9, -3, -1.5}, -3, -3, 0), CellStage::confirmed);
  EXPECT_EQ(stage_of_fourth({310, 200, 9, 3, 1.5}, 3, 3, 0), CellStage::free);
  EXPECT_EQ(stage_of_fourth({313, 200, 9, 3, 1.5}, 3, 3, 0), CellStage::confirmed);
}

TEST(CellsLife, DroppedIfItWasTooFaintOrSeldomSeen) {
  for (const double score : {-0.9, 2.0}) {  // faint; of the wrong sign
    Slots slots;
    slots.birth(kFind);
    for (int frame = 1; frame <= kCells.trial; ++frame) {
      slots.see(0, frame, score);
      slots.after(frame);
    }
    EXPECT_EQ(slots[0].stage, CellStage::free) << score;
  }
}

TEST(CellsLife, BridgesAGapAndEndsBehindIt) {
  Slots slots;
  slots.birth(kFind);
  slots[0].stage = CellStage::confirmed;
  slots[0].trust = 6;  // fading alone would end it later
  slots[0].motion.vx = 1;
  for (int frame = 1; frame <= kRules.gap; ++frame) {
    slots.see(0, 20 + frame, 0);
    slots.after(20 + frame);
    EXPECT_EQ(slots[0].stage, CellStage::confirmed) << frame;
    EXPECT_EQ(slots[0].unseen, frame);
    EXPECT_DOUBLE_EQ(slots[0].motion.x, 100 + frame) << "goes on as expected";
  }
  slots.see(0, 21 + kRules.gap, 0);
  slots.after(21 + kRules.gap);
  EXPECT_EQ(slots[0].stage, CellStage::free);
}

TEST(CellsLife, EndsAtTheEdge) {
  Slots slots;
  slots.birth({637, 200, 9, -2, -1.5});
  slots[0].stage = CellStage::confirmed;
  slots[0].trust = 2;
  slots[0].motion.vx = 1.5;
  slots.see(0, 20, -2);
  slots.after(20);
  EXPECT_EQ(slots[0].stage, CellStage::confirmed);
  slots.see(0, 21, -2);
  slots.after(21);
  EXPECT_EQ(slots[0].stage, CellStage::free);
}

TEST(CellsLife, ADoubleIsNotConfirmed) {
  Slots slots;
  slots.birth(kFind);
  slots.birth({112, 200, 9, -2, -1.5});
  for (int frame = 1; frame <= kCells.trial; ++frame) {
    slots.see(0, frame, -2);
    slots.see(1, frame, -2);
    slots[1].motion.x = 102;
    slots.after(frame);
  }
  EXPECT_EQ(slots[0].stage, CellStage::confirmed);
  EXPECT_EQ(slots[1].stage, CellStage::free);
}

TEST(CellsLife, AFindSetsAnAstrayTrackRight) {
  Slots slots;
  slots.birth(kFind);
  slots[0].trust = 1.2;
  slots[0].motion.vx = 2;
  EXPECT_EQ(slots.birth({101, 200, 9, -2, -1.5}), -1) << "they agree";
  EXPECT_EQ(slots.birth({105, 200, 9, -2, -1.5}), 0);
  EXPECT_EQ(slots[0].track, 1);
  EXPECT_EQ(slots[0].motion.x, 105);
  EXPECT_EQ(slots[0].motion.vx, 2);
}

TEST(CellsLife, OneFarMeasurementIsNotBelievedTheSecondIs) {
  Slots slots;
  slots.birth(kFind);
  for (int frame = 1; frame <= 20; ++frame) slots.see(0, frame, -3);
  take_measure(slots[0], {105, 200, 9, -3, -1.5, 1}, 21, kRules);
  EXPECT_NEAR(slots[0].motion.x, 100, 0.5);
  EXPECT_EQ(slots[0].unseen, 1);
  motion_predict(slots[0].motion);
  take_measure(slots[0], {105, 200, 9, -3, -1.5, 1}, 22, kRules);
  EXPECT_NEAR(slots[0].motion.x, 105, 0.5);
  EXPECT_EQ(slots[0].unseen, 0);
}

TEST(CellsKalman, FollowsConstantVelocity) {
  CellMotion<double> motion = motion_start(10.0, 20.0, 0.0, 0.0, kCells.new_speed);
  for (int frame = 1; frame <= 40; ++frame) {
    motion_predict(motion);
    motion_update(motion, 10 + 1.5 * frame, 20 - 0.5 * frame, 0.1);
  }
  EXPECT_NEAR(motion.x, 70, 0.02);
  EXPECT_NEAR(motion.vx, 1.5, 0.02);
  EXPECT_NEAR(motion.vy, -0.5, 0.02);
  EXPECT_LT(motion.place, 0.1);
}

TEST(CellsTracks, ArePutTogetherFromRows) {
  std::vector<CellRow<double>> rows;
  for (int frame = 0; frame < 12; ++frame) {
    rows.push_back({frame, 1, 1, 2, 9, -2, true, false});  // never confirmed
    if (frame >= 1)
      rows.push_back({frame, 2, 5.0 + frame, 6, 9, -2, frame < 11, frame == 11});  // ends unseen
    if (frame >= 9) rows.push_back({frame, 3, 7, 8, 9, -2, true, true});           // too short
    rows.push_back({frame, 4, 9, 9, 9, 2, frame != 5, frame > 3});
  }
  const std::vector<CellTrack> tracks = tracks_of(rows, 10);
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0].id, 1);  // had ten frames before the other was confirmed
  EXPECT_EQ(tracks[0].spots.size(), 12U);
  EXPECT_FALSE(tracks[0].spots[5].seen);
  EXPECT_EQ(tracks[1].id, 2);
  EXPECT_EQ(tracks[1].spots.front().frame, 1);
  EXPECT_EQ(tracks[1].spots.back().frame, 10);
  EXPECT_EQ(tracks[1].spots.back().x, 15);
}

// Asked after every frame: a track that is born first and confirmed last takes nobody's id.
TEST(CellsTracks, KeepTheirIds) {
  std::vector<CellRow<float>> rows;
  std::map<int, float> where;  // by id; x tells tracks apart
  for (int frame = 0; frame < 40; ++frame) {
    rows.push_back({frame, 1, 1, 0, 9, 2, true, frame > 30});
    rows.push_back({frame, 3, 3, 0, 9, 2, true, true});
    rows.push_back({frame, 2, 2, 0, 9, 2, true, true});
    if (frame > 5) rows.push_back({frame, 4, 4, 0, 9, 2, frame % 3 == 0, true});
    for (const CellTrack& track : tracks_of(rows, 10)) {
      const auto x = static_cast<float>(track.spots.front().x);
      EXPECT_EQ(where.try_emplace(track.id, x).first->second, x) << "frame " << frame;
    }
  }
  EXPECT_EQ(where, (std::map<int, float>{{1, 2}, {2, 3}, {3, 4}, {4, 1}}));
}

}  // namespace
}  // namespace tessera
