// SPDX-License-Identifier: Apache-2.0
// Lists of knobs, and rooms in which trials run.
#include "tune/knob_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/parallel.hpp"
#include "core/samples.hpp"
#include "tests/support/files.hpp"
#include "tests/support/text_has.hpp"
#include "tune/table_pictures.hpp"
#include "tune/trial_room.hpp"

namespace tessera {
namespace {

const std::vector<KnobValues>& two_knobs() {
  static const std::vector<KnobValues> knobs{{"a", 4, {1, 2, 4, 8}, {1, 2, 3, 4, 8, 16}, 1, 64},
                                             {"b", 1, {0, 1}, {0, 1}, 0, 1}};
  return knobs;
}

TEST(KnobValues, CandidatesFitAndBeginWithTheUsualOnes) {
  const KnobMap usual = usual_values(two_knobs());
  const auto fits = [](const KnobMap& k) { return k.at("a") < 16; };
  const auto cost = [&](const KnobMap& k) { return steps_from(usual, k); };
  const auto likely = knob_candidates(two_knobs(), false, usual, fits, cost);
  ASSERT_EQ(likely.size(), 5U);
  EXPECT_EQ(likely[0].values, usual);
  EXPECT_EQ(likely[1].values, (KnobMap{{"a", 2}, {"b", 1}}))
      << "one halving away, before doublings";
  const auto full = knob_candidates(two_knobs(), true, usual, fits, cost);
  EXPECT_EQ(full.size(), 10U) << "5 of 6 values of a fit, and both of b";
  // The usual values are tried even where a list leaves them out.
  const auto other = knob_candidates(two_knobs(), true, {{"a", 5}, {"b", 0}}, fits, cost);
  EXPECT_EQ(other.size(), 11U);
  EXPECT_EQ(other[0].values.at("a"), 5);
}

// A table of a large image must not leave threads of a small one without work.
TEST(KnobValues, RowsLeaveTwoPiecesForEachThread) {
  const long long threads = available_threads();
  EXPECT_EQ(rows_for_threads(256, 64, 512 * threads), 256);
  EXPECT_EQ(rows_for_threads(256, 64, 512 * threads - 1), 64);
  EXPECT_EQ(rows_for_threads(16, 64, 20), 16) << "fewer rows are always allowed";
}

TEST(KnobValues, SitesHaveTheRangesOfTheirKnobs) {
  const TunedSite site = site_of("fake.knobs@1", two_knobs());
  EXPECT_EQ(site.name, "fake.knobs@1");
  ASSERT_EQ(site.knobs.size(), 2U);
  EXPECT_EQ(site.knobs[0].most, 64);
  EXPECT_EQ(site.knobs[1].least, 0);
}

TEST(TrialRoom, ShowsWhatARunWrote) {
  TuneRequest request;
  const Image image = random_image_of({7, 70, 3}, Type::u8);
  const auto room = std::make_shared<TrialRoom>(request, image, image.info());
  const std::vector<int> rows = room->sampled_rows();
  EXPECT_EQ(rows, (std::vector<int>{0, 23, 37, 69}));
  const Trial trial = trial_in(
      room,
      [&](Stream&) {
        const AnyMutableView out = room->out();
        std::copy_n(room->in().address(0, 0, 0), 7 * 69 * 3, out.address(0, 0, 0));
      },
      [&] {
        const Image made = room->sampled();
        for (int y = 0; y < 4; ++y)
          for (int x = 0; x < 7; ++x)
            if (sample_at(made.view(), x, y, 2, 0) !=
                sample_at(image.view(), x, rows[static_cast<std::size_t>(y)], 2, 0))
              return std::to_string(y);
        return std::string();
      });
  EXPECT_EQ(trial.wrong(), "0") << "nothing was written yet";
  trial.enqueue();
  trial.finish();
  EXPECT_EQ(trial.wrong(), "3") << "the last row was not written";
}

TEST(TrialRoom, SamplesRowsOfSmallImagesOnce) {
  const Image image = random_image_of({5, 2}, Type::f32);
  TrialRoom room({}, image, image.info());
  EXPECT_EQ(room.sampled_rows(), (std::vector<int>{0, 1}));
  EXPECT_EQ(room.result().info().size, image.info().size);
}

TEST(KnobPictures, ShowGainsKnobsAndWhatWasMeasured) {
  const auto lines = parse_table(
      "m fake.one@1 in=f32 fw=3 fh=3 | a=2 | gain=1.5 ms=1\n"
      "m fake.one@1 in=f32 fw=9 fh=3 | a=4 | gain=1.25 ms=1\n"
      "m fake.one@1 in=f32 fw=9 fh=9 | a=4 | measured=no\n"
      "m fake.one@1 in=u8 fw=3 fh=3 | a=1 | gain=2 ms=1\n"
      "m fake.two@1 in=f32 steps=x,y fw=3 fh=3 | b=1 | gain=1 ms=1\n"
      "other fake.one@1 in=f32 fw=3 fh=3 | a=9 | gain=9 ms=1\n"
      "m real.one@1 in=f32 fw=3 fh=3 | a=2 | gain=1.5 ms=1\n",
      "test");
  const TablePictures pictures = knob_pictures(lines, "fake", Type::f32, "fw", "fh");
  EXPECT_EQ(pictures.machine, "m");
  EXPECT_EQ(csv_text(pictures),
            "fw,fh,fake.one-a,fake.one-gain,fake.two-x-y-b,fake.two-x-y-gain,interpolated\n"
            "3,3,2,1.5,1,1,\n"
            "9,3,4,1.25,,,\n"
            "9,9,4,,,,fake.one-a");
  ASSERT_EQ(pictures.shares.size(), 3U);
  EXPECT_EQ(pictures.shares[0].first, "fake.one a=2");
  EXPECT_NEAR(pictures.shares[1].second, 1.0 / 3, 1e-9) << "only what was measured counts";
  testing::expect_error([&] { knob_pictures(lines, "none", Type::f32, "fw", "fh"); },
                        ErrorKind::input, "tessera tune measures them with op none");
}

}  // namespace
}  // namespace tessera
