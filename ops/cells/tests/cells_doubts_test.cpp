// SPDX-License-Identifier: Apache-2.0
// What a second look at single frames finds, and what is said about it.
#include "ops/cells/look/cells_doubts.hpp"

#include <gtest/gtest.h>

#include "ops/cells/cells_check.hpp"
#include "tests/support/disc_films.hpp"

namespace tessera {
namespace {

using testing::Disc;
using testing::film_of;
using testing::follow;
using testing::Followed;
using testing::rolling;

bool says(const std::vector<std::string>& doubts, const std::string& words) {
  return std::ranges::any_of(
      doubts, [&](const std::string& doubt) { return doubt.find(words) != std::string::npos; });
}

TEST(CellsDoubts, NoneWhereTracksAndFramesAgree) {
  const Followed film = follow(film_of({280, 200}, 100, rolling(4)));
  EXPECT_EQ(film.tracks.size(), 4U);
  EXPECT_TRUE(film.doubts.empty()) << film.doubts.front();
}

TEST(CellsDoubts, StandingObjectsWithoutATrack) {
  // Nothing moves: there is nothing to compare standing objects with.
  const std::vector<Disc> discs{{220, 170, 9, 0, 60}, {60, 170, 9, 0, 60}, {140, 60, 9, 0, 60}};
  const Followed film = follow(film_of({280, 200}, 100, discs));
  EXPECT_TRUE(says(film.doubts, "have no track")) << film.tracks.size();
  EXPECT_TRUE(says(film.doubts, "background none"));
  EXPECT_EQ(
      follow(film_of({280, 200}, 100, discs), {.background = CellsBackground::none}).tracks.size(),
      3U)
      << "as the sentence promises";
}

TEST(CellsDoubts, StandingObjectsAsClearAsTheCellsAreCounted) {
  const auto looked = [](const std::vector<Disc>& discs) {
    const Image film = film_of({280, 200}, 60, discs);
    const Followed rolled = follow(film_of({280, 200}, 60, {discs.begin(), discs.begin() + 3}));
    EXPECT_EQ(rolled.tracks.size(), 3U);
    ImageInfo frame = film.info();
    frame.size.planes = 1;
    CellsSamples samples;
    Stream stream(kHost);
    for (int k = 0; k < film.info().size.planes; ++k)
      samples.offer(film.view().only_plane(k), stream);
    CellsOptions options;
    options.min_radius = 6;
    options.max_radius = 14;
    return second_look(make_cells_problem(frame, options), samples, 0, rolled.tracks, {}, stream);
  };
  const std::vector<Disc> rolling_ones{{30, 40, 9, 1, 30}, {40, 90, 9, 1, 30}, {50, 140, 9, 1, 30}};
  std::vector<Disc> with_standing = rolling_ones;
  with_standing.push_back({230, 170, 9, 0, 30});
  with_standing.push_back({140, 175, 9, 0, 30});
  EXPECT_EQ(looked(rolling_ones).standing, 0);
  const CellsSecondLook look = looked(with_standing);
  EXPECT_GE(look.standing, look.frames) << look.as_clear;
  EXPECT_LE(look.standing, 2 * look.frames);
  EXPECT_GT(look.as_clear, look.standing);
}

TEST(CellsDoubts, CellsOfAnotherSize) {
  std::vector<Disc> large{{60, 60, 30, 1, 60}, {60, 180, 34, 1, 60}};
  EXPECT_TRUE(
      says(follow(film_of({320, 260}, 60, large), {.min_radius = 6, .max_radius = 14}).doubts,
           "larger than the 6 to 14"));
  EXPECT_TRUE(
      says(follow(film_of({280, 200}, 60, rolling(4)), {.min_radius = 18, .max_radius = 22}).doubts,
           "smaller than the 18 to 22"));
}

TEST(CellsDoubts, MoreCellsThanSlots) {
  const Followed film = follow(film_of({280, 200}, 100, rolling(4)), {.max_cells = 2});
  EXPECT_TRUE(says(film.doubts, "the most that max-cells allows"));
}

TEST(CellsDoubts, AdviceFitsTheBackground) {
  const CellsSecondLook look{.frames = 10, .clear = 100, .missed = 8};
  const auto advice = [&](CellsBackground background) {
    CellsOptions options;
    options.background = background;
    return doubts_of(look, options);
  };
  EXPECT_TRUE(says(advice(CellsBackground::still), "with background none both are followed"));
  EXPECT_TRUE(says(advice(CellsBackground::none), "try detect-every 1"));
  EXPECT_FALSE(says(advice(CellsBackground::none), "with background none"));
}

TEST(CellsDoubts, EveryCountHasItsSentence) {
  const CellsOptions options;
  const CellsSecondLook fine{.frames = 10,
                             .clear = 100,
                             .missed = 7,
                             .as_clear = 100,
                             .standing = 20,
                             .sized_frames = 3,
                             .own_size = 30,
                             .large = 60,
                             .small = 33,
                             .tracks = 20,
                             .faint = 2,
                             .followed = 25,
                             .weak = 1,
                             .doubled = 1,
                             .fleeting = 1,
                             .lone = {1, true},
                             .odd = 1,
                             .tissue = 1,
                             .resumed = 1,
                             .paired = 2,
                             .broken = 4};
  EXPECT_TRUE(doubts_of(fine, options).empty());
  const auto with = [&](int CellsSecondLook::*count, int value) {
    CellsSecondLook look = fine;
    look.*count = value;
    const std::vector<std::string> doubts = doubts_of(look, options);
    return doubts.size() == 1 ? doubts.front() : "";
  };
  EXPECT_NE(with(&CellsSecondLook::missed, 8).find("8 of 100 round objects"), std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::standing, 21).find("21 of 100 round objects in single frames"),
            std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::large, 61).find("max-radius"), std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::small, 61).find("smaller"), std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::faint, 3).find("threshold"), std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::doubled, 2).find("2 of 25 tracks lie on another"),
            std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::fleeting, 2).find("2 of 25 tracks are short and begin or end"),
            std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::odd, 2).find("2 of 25 tracks are much longer than wide"),
            std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::tissue, 2).find("2 of 25 tracks stand still and are longer"),
            std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::resumed, 2).find("2 of 25 tracks begin where another ended"),
            std::string::npos);
  CellsSecondLook lone = fine;
  lone.lone = {2, true};
  ASSERT_EQ(doubts_of(lone, options).size(), 1U);
  EXPECT_NE(doubts_of(lone, options)[0].find("2 of 25 tracks are dark, and all others bright"),
            std::string::npos);
  lone.lone.dark = false;
  EXPECT_NE(doubts_of(lone, options)[0].find("polarity dark leaves them out"), std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::weak, 2).find("2 of 25 tracks score far below"),
            std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::paired, 3).find("polarity"), std::string::npos);
  EXPECT_NE(with(&CellsSecondLook::broken, 5).find("first-frame"), std::string::npos);
  EXPECT_TRUE(doubts_of({}, options).empty()) << "a film without frames";
}

struct Scored {
  double score;
  int frames = 12;
  bool outlined = false;
};

std::vector<CellTrack> tracks_with_scores(const std::vector<Scored>& kinds) {
  std::vector<CellTrack> tracks;
  for (const Scored& kind : kinds) {
    CellTrack& track = tracks.emplace_back();
    track.id = static_cast<int>(tracks.size());
    const double y = 30.0 + 20.0 * track.id;
    for (int k = 0; k < kind.frames; ++k) {
      track.spots.push_back({k, 40.0 + k, y, 8, kind.score, true});
      if (kind.outlined) track.spots.back().outline.fill(8);
    }
  }
  return tracks;
}

TEST(CellsDoubts, WeakTracksAreCounted) {
  const Image film = film_of({280, 200}, 40, rolling(4));
  ImageInfo frame = film.info();
  frame.size.planes = 1;
  const auto weak = [&](const std::vector<Scored>& kinds) {
    CellsSamples samples;
    Stream stream(kHost);
    for (int k = 0; k < 2; ++k) samples.offer(film.view().only_plane(k), stream);
    const CellsSecondLook look = second_look(make_cells_problem(frame, {}), samples, 0,
                                             tracks_with_scores(kinds), {}, stream);
    EXPECT_EQ(look.followed, static_cast<int>(kinds.size()));
    return look.weak;
  };
  EXPECT_EQ(weak({{-5}, {6}, {-5.5}, {-2.4}, {5}, {2.4}}), 2) << "of either sign";
  EXPECT_EQ(weak({{-5}, {6}, {-5.5}, {-2.6}, {5}}), 0) << "a score that stands for itself";
  EXPECT_EQ(weak({{-2}, {2}, {-2.1}, {-1.3}, {2.2}}), 0) << "a film of faint cells";
  EXPECT_EQ(weak({{-2}, {2}, {-2.1}, {-1.1}, {2.2}}), 1);
  EXPECT_EQ(weak({{-5}, {6}, {-5.5}, {-2.4, 40}, {5}}), 1) << "long, but without an outline";
  EXPECT_EQ(weak({{-5}, {6}, {-5.5}, {-2.4, 40, true}, {5}}), 0) << "a faint cell";
  EXPECT_EQ(weak({{-5}, {6}, {-5.5}, {-2.4, 30, true}, {5}}), 1) << "too short to tell";
  EXPECT_EQ(weak({}), 0);
}

TEST(CellsDoubts, TracksAreWeakerIfNoSceneIsSubtracted) {
  const auto weak = [](double score, bool has_scene, double x = 40) {
    std::vector<CellTrack> tracks = tracks_with_scores({{-4}, {4}, {-4}, {score}});
    for (CellSpot& spot : tracks.back().spots) spot.x = x;
    return weak_tracks(tracks, {280, 200}, has_scene);
  };
  EXPECT_EQ(weak(-2.5, true), 0);
  EXPECT_EQ(weak(-2.5, false), 1);
  EXPECT_EQ(weak(-2.65, false), 0) << "a score that is not far below the others";
  EXPECT_EQ(weak(-2, false, 10), 1);
  EXPECT_EQ(weak(-2, false, 9), 0) << "the edge cuts it";
  EXPECT_EQ(weak(-2, true, 9), 0);
  EXPECT_EQ(weak(-2, false, 271), 0);
}

TEST(CellsDoubts, TracksThatLieOnOthersAreCounted) {
  const Image film = film_of({280, 200}, 2, rolling(4));
  ImageInfo frame = film.info();
  frame.size.planes = 1;
  const auto doubled = [&](double apart, int frames) {
    std::vector<CellTrack> tracks = tracks_with_scores({{-5, 40, true}, {-5, 40, true}});
    CellTrack third = tracks.front();
    third.id = 3;
    third.spots.resize(static_cast<std::size_t>(frames));
    for (CellSpot& spot : third.spots) spot.y += apart;
    tracks.push_back(third);
    CellsSamples samples;
    Stream stream(kHost);
    for (int k = 0; k < 2; ++k) samples.offer(film.view().only_plane(k), stream);
    return second_look(make_cells_problem(frame, {}), samples, 0, tracks, {}, stream).doubled;
  };
  EXPECT_EQ(doubled(0, 40), 1) << "of two with the same length the later one";
  EXPECT_EQ(doubled(7, 20), 1);
  EXPECT_EQ(doubled(9, 20), 0) << "more than a radius apart, and from the other track too";
}

TEST(CellsDoubts, TheStepThatLeftNoTrackIsNamed) {
  const auto why = [](const Image& film, const CellsOptions& options) {
    const Followed followed = follow(film, options);
    EXPECT_TRUE(followed.tracks.empty());
    return followed.verdict.why_no_tracks;
  };
  const Image film = film_of({280, 200}, 60, rolling(4));
  EXPECT_NE(why(film, {.threshold = 100}).find("the search found no circle"), std::string::npos);
  EXPECT_NE(why(film, {.min_frames = 1000})
                .find("4 cells were followed, each for fewer than 1000 frames"),
            std::string::npos);
  // Every disc is in another place in the next frame.
  std::vector<Disc> fast = rolling(4);
  for (Disc& disc : fast) disc.speed = 45;
  EXPECT_NE(why(film_of({280, 200}, 60, fast), {.background = CellsBackground::none})
                .find("the trial dropped all"),
            std::string::npos);
  EXPECT_EQ(follow(film).verdict.why_no_tracks, "");
}

TEST(CellsDoubts, ObjectsOfSingleFramesAreCounted) {
  const CellsVerdict verdict = follow(film_of({280, 200}, 100, rolling(4))).verdict;
  EXPECT_GE(verdict.clear, 20);
  EXPECT_LT(verdict.missed, verdict.clear / 10);
}

TEST(CellsDoubts, ShortFilmsGiveTracks) {
  for (const int frames : {2, 3, 5, 10, 25}) {
    const Followed film = follow(film_of({280, 200}, frames, rolling(4)));
    EXPECT_EQ(film.tracks.size(), 4U) << frames;
    EXPECT_EQ(film.used.background, CellsBackground::none) << frames;
    EXPECT_EQ(film.used.min_frames, std::clamp(frames / 2, 2, 10)) << frames;
    for (const CellTrack& track : film.tracks)
      EXPECT_EQ(static_cast<int>(track.spots.size()), frames) << frames;
  }
  EXPECT_EQ(follow(film_of({280, 200}, 60, rolling(4))).used.background, CellsBackground::still);
}

TEST(CellsDoubts, CellsAtTheEdgeOfShortFilmsAreFound) {
  // Their circles fit into the frame, the largest that is searched there does not.
  const std::vector<Disc> discs{
      {140, 60, 9, 1, 60}, {13, 100, 9, 0, 60}, {266, 130, 9, 0, 60}, {80, 187, 9, 1, 60}};
  for (const int frames : {2, 5, 10, 30})
    EXPECT_EQ(follow(film_of({280, 200}, frames, discs)).tracks.size(), 4U) << frames;
  const Followed film = follow(film_of({280, 200}, 5, discs));
  for (const CellTrack& track : film.tracks) {
    const CellSpot& spot = track.spots.front();
    EXPECT_TRUE(std::ranges::any_of(
        discs, [&](const Disc& disc) { return std::hypot(spot.x - disc.x, spot.y - disc.y) < 1; }))
        << spot.x << ' ' << spot.y;
  }
  EXPECT_TRUE(film.doubts.empty()) << film.doubts.front();
}

TEST(CellsDoubts, CellsThatComeLateAreFollowed) {
  // It is inside from about frame 103 on: the detection in frame 110 leaves it too few frames.
  std::vector<Disc> discs = rolling(3);
  discs.push_back({-186, 160, 9, 2, 60});
  EXPECT_EQ(follow(film_of({280, 200}, 120, discs)).tracks.size(), 4U);
}

TEST(CellsDoubts, MinFramesMeansWhatItSays) {
  // The disc leaves after about seven frames.
  const Image film = film_of({280, 200}, 60, {{262, 60, 8, 3, 60}, {40, 140, 9, 1, 60}});
  EXPECT_EQ(follow(film, {.min_frames = 5}).tracks.size(), 2U);
  EXPECT_EQ(follow(film, {.min_frames = 20}).tracks.size(), 1U);
}

}  // namespace
}  // namespace tessera
