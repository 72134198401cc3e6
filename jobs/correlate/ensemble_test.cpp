// SPDX-License-Identifier: Apache-2.0
// Means, errors and profiles by hand; states that are saved and those that must be ignored.
#include "jobs/correlate/ensemble.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "jobs/correlate/ensemble_state.hpp"
#include "jobs/correlate/profiles.hpp"
#include "jobs/correlate/scene_files.hpp"
#include "jobs/correlate/scene_loader.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {
namespace {

using Values = std::vector<double>;

TEST(Ensemble, MeanAndStandardErrorByHand) {
  Ensemble ensemble;
  ensemble.add(0, Values{1, 5});
  EXPECT_TRUE(std::isnan(ensemble.all().standard_errors()[0])) << "one image has no standard error";
  ensemble.add(1, Values{2, 5});
  ensemble.add(Ensemble::kBlock, Values{6, 5});
  EXPECT_EQ(ensemble.images(), 3);
  EXPECT_EQ(ensemble.whole().images, 2);
  EXPECT_EQ(ensemble.all().means, (Values{3, 5}));
  // Deviations -2, -1, 3: 14 / 2 = 7, over 3.
  EXPECT_NEAR(ensemble.all().standard_errors()[0], std::sqrt(7.0 / 3), 1e-15);
  EXPECT_EQ(ensemble.all().standard_errors()[1], 0) << "constant values have no error";
}

TEST(Ensemble, LargeMeansLoseNoDigits) {
  Ensemble ensemble;
  for (int i = 0; i < 3 * Ensemble::kBlock; ++i) ensemble.add(i, Values{1e9 + i % 3 - 1});
  const double n = 3 * Ensemble::kBlock, squares = 2 * Ensemble::kBlock;  // a third are 0
  EXPECT_NEAR(ensemble.all().standard_errors()[0], std::sqrt(squares / (n - 1) / n), 1e-9);
}

/// The value of the image at a place; every fifth has none.
std::optional<double> value_at(int place) {
  if (place % 5 == 3) return std::nullopt;
  return std::sin(place * 1.7) * std::exp2(place % 13 - 6);
}

// Processes that share the images do this: each adds some blocks, and one adds the blocks.
TEST(Ensemble, BlocksAloneGiveTheBitsOfAll) {
  constexpr int kImages = 5 * Ensemble::kBlock + 3;
  Ensemble one;
  Moments joined;
  for (int first = 0; first < kImages; first += Ensemble::kBlock) {
    Moments block;
    for (int place = first; place < std::min(kImages, first + Ensemble::kBlock); ++place)
      if (const auto value = value_at(place)) {
        one.add(place, Values{*value});
        block.add(Values{*value});
      }
    joined.add(block);
  }
  EXPECT_EQ(one.all(), joined);
  EXPECT_GT(one.images(), 3 * Ensemble::kBlock);
}

// Nothing follows from where a run was interrupted, or from a block without any image.
TEST(Ensemble, GoesOnFromItsState) {
  for (const int gap : {0, 2 * Ensemble::kBlock})
    for (int cut = 1; cut < 3 * Ensemble::kBlock; ++cut) {
      Ensemble through, begun;
      const auto add = [&](Ensemble& to, int place) {
        if (const auto value = value_at(place))
          to.add(place >= Ensemble::kBlock ? place + gap : place, Values{*value});
      };
      for (int place = 0; place < 3 * Ensemble::kBlock; ++place) add(through, place);
      for (int place = 0; place < cut; ++place) add(begun, place);
      Ensemble resumed(begun.whole(), begun.open(), begun.last());
      for (int place = cut; place < 3 * Ensemble::kBlock; ++place) add(resumed, place);
      EXPECT_EQ(resumed.all(), through.all()) << cut << " " << gap;
    }
}

// A map whose sample at shift (dx, dy) is 10 dx + dy.
Image slope(int max_shift, Quadrants quadrants, Point& first) {
  const int side = quadrants == Quadrants::all ? 2 * max_shift - 1 : max_shift;
  first = quadrants == Quadrants::all ? Point{1 - max_shift, 1 - max_shift} : Point{};
  Image map({side, side}, Type::f32);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      map.as<float>().at(x, y) = static_cast<float>(10 * (x + first.x) + y + first.y);
  return map;
}

TEST(Profiles, RingsAndDirectionsByHand) {
  Point first;
  const Image map = slope(3, Quadrants::one, first);
  const MapProfiles profiles(map.info().size, first, 3, {0, 90, 45});
  Values values(static_cast<std::size_t>(profiles.values()));
  profiles.measure(map.as<float>(), values.data());
  // Ring 1 is (1,0), (0,1) and (1,1), whose length 1.41 rounds to 1; ring 2 is (2,0), (2,1),
  // (0,2) and (1,2); (2,2) is farther.
  EXPECT_EQ(profiles.curves()[0].counts, (std::vector<int>{1, 3, 4}));
  EXPECT_EQ(Values(values.begin(), values.begin() + 9),
            (Values{0, 22.0 / 3, (20 + 21 + 2 + 12) / 4.0, 0, 10, 20, 0, 1, 2}));
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(values[9U + r], 11 * r * std::sqrt(0.5), 1e-12);
}

TEST(Profiles, AllQuadrants) {
  Point first;
  const Image map = slope(4, Quadrants::all, first);
  const MapProfiles profiles(map.info().size, first, 4, {135, 180, 270});
  Values values(static_cast<std::size_t>(profiles.values()));
  profiles.measure(map.as<float>(), values.data());
  for (int r = 0; r < 4; ++r) {
    EXPECT_NEAR(values[r], 0, 1e-12) << "opposite shifts cancel";
    EXPECT_NEAR(values[4U + r], -9 * r * std::sqrt(0.5), 1e-12);
    EXPECT_EQ(values[8U + r], -10 * r);
    EXPECT_EQ(values[12U + r], -r);
  }
}

TEST(Profiles, Angles) {
  EXPECT_EQ(profile_angles("auto", Quadrants::one), (Values{0, 45, 90}));
  EXPECT_EQ(profile_angles("auto", Quadrants::all), (Values{0, 45, 90, 135}));
  EXPECT_EQ(profile_angles("0,22.5,90", Quadrants::one), (Values{0, 22.5, 90}));
  expect_error([] { profile_angles("135", Quadrants::one); }, ErrorKind::usage,
               "give --quadrants all");
  expect_error([] { profile_angles("0,x", Quadrants::one); }, ErrorKind::usage, "--angles");
  expect_error([] { profile_angles("nan", Quadrants::all); }, ErrorKind::usage, "--angles");
}

class States : public ::testing::Test {
 protected:
  EnsembleState made() const {
    EnsembleState state;
    state.parameters = "correlate 1";
    state.signatures = {"a", "b"};
    state.outcomes = {{"a", "", {"short"}}, {"b", "no image", {}}};
    state.planes = {5, 6, 1, 4};
    state.ran = "plan";
    state.normalised = 1;
    state.ensemble.add(0, Values{0.1, -3e300});
    state.ensemble.add(Ensemble::kBlock, Values{0.7, 2});
    return state;
  }
  bool loads(const std::string& parameters, const std::vector<std::string>& signatures) {
    note_.clear();
    return load_state(path_, parameters, signatures, found_, note_);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("maps.npy.partial");
  EnsembleState found_;
  std::string note_;
};

TEST_F(States, ComeBackWhole) {
  EXPECT_FALSE(loads("correlate 1", {"a", "b"}));
  save_state(path_, made());
  ASSERT_TRUE(loads("correlate 1", {"a", "b", "c"}));
  EXPECT_EQ(found_.ensemble.whole(), made().ensemble.whole());
  EXPECT_EQ(found_.ensemble.open(), made().ensemble.open());
  EXPECT_EQ(found_.ensemble.last(), Ensemble::kBlock);
  EXPECT_EQ(found_.outcomes[0].warnings, std::vector<std::string>{"short"});
  EXPECT_EQ(found_.outcomes[1].error, "no image");
  EXPECT_EQ(found_.planes, (Size{5, 6, 1, 4}));
  EXPECT_EQ(found_.normalised, 1);
}

// One flipped bit of a sum gave a mean of 3.9e78.
TEST_F(States, EveryFlippedBitIsNoticed) {
  save_state(path_, made());
  const std::string bytes = read_bytes(path_);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += run_all() ? 1 : 7) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    write_bytes(path_, flipped);
    ASSERT_FALSE(loads("correlate 1", {"a", "b"})) << bit;
    ASSERT_EQ(note_,
              path_ + ": it is damaged or of an earlier version; all images were read again");
  }
  write_bytes(path_, bytes);
  EXPECT_TRUE(loads("correlate 1", {"a", "b"}));
  EXPECT_EQ(note_, "");
}

TEST_F(States, AreRegularFiles) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_error([&] { loads("correlate 1", {}); }, ErrorKind::input, path_ + ": it is a pipe");
  std::filesystem::remove(path_);
  std::filesystem::create_symlink("/dev/zero", path_);
  expect_error([&] { loads("correlate 1", {}); }, ErrorKind::input, path_ + ": it is a symbolic");
}

TEST_F(States, OfOthersAreNotTaken) {
  save_state(path_, made());
  EXPECT_FALSE(loads("correlate 2", {"a", "b"}));
  EXPECT_FALSE(loads("correlate 1", {"a"}));
  EXPECT_FALSE(loads("correlate 1", {"a", "changed"}));
  const std::string bytes = read_bytes(path_);
  for (const std::string& broken :
       {std::string(), bytes.substr(0, 40), bytes.substr(0, bytes.size() - 1), bytes + "x",
        std::string("{}\n"), std::string("[1,2]\n"), std::string("\n"),
        "{\"kind\":\"tessera correlate, 1\",\"images\":\"x\"}\n" + bytes}) {
    write_bytes(path_, broken);
    EXPECT_FALSE(loads("correlate 1", {"a", "b"})) << broken.substr(0, 50);
  }
}

TEST(SceneFiles, OneOrderWhateverTheWords) {
  const TemporaryFolder folder;
  for (const char* name : {"b.npy", "a.npy", "c.png", "notes.txt"})
    write_bytes(folder.path(name), "x");
  const auto names = [](const std::vector<SceneFiles>& scenes) {
    std::vector<std::string> list;
    for (const SceneFiles& scene : scenes) list.push_back(scene.name());
    return list;
  };
  const std::string a = folder.path("a.npy"), b = folder.path("b.npy"), c = folder.path("c.png");
  const std::vector<std::string> all{a, b, c};
  EXPECT_EQ(names(find_scenes({c, a, b}, 1)), all);
  EXPECT_EQ(names(find_scenes({b, folder.path()}, 1)), all) << "once, though named twice";
  EXPECT_EQ(names(find_scenes({folder.path("*.npy")}, 1)), (std::vector<std::string>{a, b}));
  EXPECT_EQ(names(find_scenes({b, a, c, a}, 2)),
            (std::vector<std::string>{b + "," + a, c + "," + a}));
  expect_error(
      [&] {
        find_scenes({a, b, c}, 2);
      },
      ErrorKind::usage, "3 files cannot be divided into images");
  expect_error([&] { find_scenes({a}, 0); }, ErrorKind::usage, "--stack");
  expect_error([&] { find_scenes({folder.path("*.tif")}, 1); }, ErrorKind::input,
               "no file matches");
  EXPECT_EQ(names(find_scenes({folder.path()}, 1, {a, folder.path("new.npy")})),
            (std::vector<std::string>{b, c}));
  expect_error([&] { find_scenes({b, a}, 1, {a}); }, ErrorKind::usage, "give another output");
  expect_error([&] { find_scenes({folder.path("a*")}, 1, {a}); }, ErrorKind::input,
               "other than those");
}

}  // namespace
}  // namespace tessera::testing
