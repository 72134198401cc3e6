// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/phase_centre.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/files.hpp"

namespace tessera {
namespace {

using testing::expect_error;

constexpr double kStart = 60389.6;

AntennaList antennas() {
  return {{{"a", {-2559454, 5095372, -2849057}}, {"b", {-2559154, 5095372, -2849057}}}, true};
}

VoltageInfo recording(std::optional<bool> tracked) {
  VoltageInfo info;
  info.shape = {2, 1, 1};
  info.frequency = {1.4e8};
  info.sample_rate = 1000;
  info.set_start(60389, 0.6 * 86400);
  info.right_ascension = 123.4;
  info.declination = -31.2;
  info.source = "3C 1";
  info.tracked = tracked;
  return info;
}

PhaseCentre centre(const std::string& choice, const VoltageInfo& info,
                   Tracked tracked = Tracked::automatic) {
  return {choice, tracked, info, antennas()};
}

TEST(PhaseCentre, OnlyRecordingsThatTrackHaveOneByThemselves) {
  PhaseCentre known = centre("auto", recording(true));
  EXPECT_TRUE(known.known());
  EXPECT_FALSE(known.turns());
  EXPECT_EQ(known.at(kStart), (UvfitsCentre{"3C 1", 123.4, -31.2}));
  EXPECT_EQ(known.text(), "123.4, -31.2 (ICRS), as recorded");
  for (const auto& says : {std::optional<bool>(), std::optional<bool>(false)}) {
    const PhaseCentre none = centre("auto", recording(says));
    EXPECT_FALSE(none.known());
    EXPECT_FALSE(none.turns());
    EXPECT_EQ(none.text(), "none: the recording does not say that it tracks its source");
  }
  EXPECT_TRUE(centre("auto", recording({}), Tracked::yes).known());
  EXPECT_FALSE(centre("auto", recording(true), Tracked::no).known());
  VoltageInfo nowhere = recording(true);
  nowhere.right_ascension.reset();
  EXPECT_EQ(centre("auto", nowhere).reason(),
            "the recording tracks a place, but does not say which");
}

TEST(PhaseCentre, RecordingsThatDoNotTrackAreTurned) {
  EXPECT_TRUE(centre("10,20", recording(false)).turns());
  EXPECT_TRUE(centre("zenith", recording({})).turns());
  EXPECT_TRUE(centre("10,20", recording(true)).turns());  // from one place to another
  EXPECT_FALSE(centre("123.4,-31.2", recording(true)).turns());
  VoltageInfo nowhere = recording(true);
  nowhere.right_ascension.reset();
  EXPECT_FALSE(centre("zenith", nowhere).turns());  // it says what is tracked
  EXPECT_TRUE(centre("zenith", nowhere).known());
}

// 300 m along x of ITRF, half of it to each side of the middle.
TEST(PhaseCentre, DelaysAreProjections) {
  const PhaseCentre turned = centre("123.4,-31.2", recording(false));
  const auto delays = turned.delays(kStart);
  const Vector3 direction = EarthAt(kStart).direction({123.4, -31.2});
  ASSERT_EQ(delays.size(), 2u);
  EXPECT_NEAR(delays[1], 150 * direction[0] / 299792458, 1e-15);
  EXPECT_NEAR(delays[0], -delays[1], 1e-15);
  EXPECT_LE(std::abs(delays[0]), turned.most_delay());
  EXPECT_NEAR(turned.most_delay(), 150 / 299792458.0, 1e-12);
  // Turned from a place that was tracked: the difference of both.
  const PhaseCentre moved = centre("100,-20", recording(true));
  const Vector3 there = EarthAt(kStart).direction({100, -20});
  EXPECT_NEAR(moved.delays(kStart)[1], 150 * (there[0] - direction[0]) / 299792458, 1e-15);
  // The zenith stands still over the Earth.
  const PhaseCentre zenith = centre("zenith", recording(false));
  EXPECT_NEAR(zenith.delays(kStart)[1], zenith.delays(kStart + 0.3)[1], 1e-14);
}

// The note about places below the horizon follows from it.
TEST(PhaseCentre, ElevationIsAboveTheHorizonOfTheArray) {
  const Vector3 middle{-2559304, 5095372, -2849057};
  const SkyPlace zenith = EarthAt(kStart).zenith(middle);
  const auto at = [&](double right_ascension, double declination) {
    const std::string choice = fmt::format("{:.9f},{:.9f}", right_ascension, declination);
    return centre(choice, recording(false)).elevation(kStart);
  };
  EXPECT_NEAR(at(zenith.right_ascension, zenith.declination), 90, 0.01);
  EXPECT_NEAR(at(zenith.right_ascension, zenith.declination + 30), 60, 0.01);
  EXPECT_NEAR(at(std::fmod(zenith.right_ascension + 180, 360), -zenith.declination), -90, 0.02);
  EXPECT_EQ(centre("zenith", recording(false)).elevation(kStart), 90);
}

// The Earth is half a second further on; its velocity and pole hardly change meanwhile.
TEST(PhaseCentre, Ut1TurnsTheEarth) {
  const PhaseCentre utc = centre("123.4,-31.2", recording(false));
  const PhaseCentre ut1("123.4,-31.2", Tracked::automatic, recording(false), antennas(), 0.5);
  EXPECT_NEAR(ut1.delays(kStart)[1], utc.delays(kStart + 0.5 / 86400)[1], 1e-15);
  EXPECT_GT(std::abs(ut1.delays(kStart)[1] - utc.delays(kStart)[1]), 1e-12);
}

TEST(PhaseCentre, PlacesOfDateAreToldFromIcrs) {
  VoltageInfo of_date = recording(true);
  of_date.frame = RecordedFrame::date;
  const SkyPlace icrs = EarthAt(kStart).from_date({123.4, -31.2});
  const UvfitsCentre found = centre("auto", of_date).at(kStart);
  EXPECT_NEAR(found.right_ascension, icrs.right_ascension, 1e-9);
  EXPECT_NEAR(found.declination, icrs.declination, 1e-9);
  EXPECT_GT(std::abs(found.right_ascension - 123.4), 0.2);
  const UvfitsCentre chosen = centre("123.4,-31.2,date", recording(false)).at(kStart);
  EXPECT_NEAR(chosen.right_ascension, icrs.right_ascension, 1e-9);
  of_date.start.reset();
  expect_error([&] { centre("auto", of_date); }, ErrorKind::usage, "does not say when it began");
}

TEST(PhaseCentre, DataThatAreNeededAreNamed) {
  const auto refused = [](auto spoil, const char* part) {
    VoltageInfo info = recording(false);
    spoil(info);
    expect_error([&] { centre("10,20", info); }, ErrorKind::usage, part);
  };
  refused([](VoltageInfo& i) { i.frequency.clear(); }, "does not state its frequencies");
  refused([](VoltageInfo& i) { i.sample_rate.reset(); }, "give --sample-rate");
  refused([](VoltageInfo& i) { i.start.reset(); }, "does not state when it began");
  expect_error([] { PhaseCentre("10,20", Tracked::automatic, recording(false), AntennaList{}); },
               ErrorKind::usage, "give --array");
  AntennaList local{{{"a", {0, 0, 0}}, {"b", {10, 0, 0}}}, true};
  expect_error([&] { PhaseCentre("10,20", Tracked::automatic, recording(false), local); },
               ErrorKind::usage, "antenna a is 0 km from the Earth's centre");
}

}  // namespace
}  // namespace tessera
