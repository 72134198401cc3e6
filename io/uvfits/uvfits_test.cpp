// SPDX-License-Identifier: Apache-2.0
#include "io/uvfits/uvfits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include "io/header_card.hpp"
#include "io/uvfits/uvfits_parts.hpp"
#include "io/uvfits/uvfits_sky.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::read_bytes;

float float_at(const std::string& bytes, std::size_t at) {
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < 4; ++k) bits = bits << 8 | static_cast<unsigned char>(bytes[at + k]);
  return std::bit_cast<float>(bits);
}

UvfitsHeader header(int antennas, int channels = 2) {
  UvfitsHeader made{.channels = channels,
                    .frequency = 1.4e9,
                    .channel_step = -1e6,
                    .first_time = 60000.75,
                    .telescope = "IT'S"};
  for (int a = 0; a < antennas; ++a)
    made.antennas.push_back({"A" + std::to_string(a), {5e6 + a, 2e6 - a, -3e6}});
  return made;
}

/// Values that encode their place: channel, baseline, polarisations, part.
std::vector<std::int64_t> told(int channels, int baselines) {
  std::vector<std::int64_t> values;
  for (int c = 0; c < channels; ++c)
    for (int k = 0; k < baselines; ++k)
      for (int p = 0; p < 4; ++p)
        for (int part = 0; part < 2; ++part)
          values.push_back(10000 * c + 100 * k + 10 * p + part + 1);
  return values;
}

TEST(Uvfits, GroupsHoldConjugatesInAscendingFrequency) {
  const testing::TemporaryFolder folder;
  const auto values = told(2, 3);
  std::vector<long long> valid(12, 8);
  valid[4 + 1] = 2;  // baseline 1, p of a 0, p of b 1
  const std::vector<std::array<double, 3>> uvw(3, {299792458.0, 0, -299792458.0});
  UvfitsFile file(folder.path("v.uvfits"), false, header(2));
  file.write({.values = values.data(),
              .samples = 8,
              .valid = valid,
              .middle = 60001.25,
              .seconds = 2,
              .centre = {"there", 83, 22},
              .uvw = uvw});
  file.prepare();
  EXPECT_TRUE(!std::filesystem::exists(folder.path("v.uvfits")));
  file.finish();
  const std::string bytes = read_bytes(folder.path("v.uvfits"));
  EXPECT_EQ(bytes.size() % 2880, 0);
  const std::size_t start = uvfits_header_bytes(header(2), {}).size();
  const std::size_t group = (8 + 2 * 4 * 3) * 4;
  const std::size_t second = start + group;  // antennas 1 and 2
  EXPECT_EQ(float_at(bytes, second), 1);
  EXPECT_EQ(float_at(bytes, second + 8), -1);
  EXPECT_EQ(float_at(bytes, second + 12) + float_at(bytes, second + 16), 1.25F);  // of day 60000
  EXPECT_EQ(float_at(bytes, second + 20), 256 + 2);
  EXPECT_EQ(float_at(bytes, second + 24), 1);
  EXPECT_EQ(float_at(bytes, second + 28), 2);
  const std::size_t data = second + 32;  // the lower channel is the second of the input
  const int places[] = {0, 3, 2, 1};     // XX, YY; XY is [p of a = Y][p of b = X]
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(float_at(bytes, data + 12 * s), 10101.0F + 10 * static_cast<float>(places[s]));
    EXPECT_EQ(float_at(bytes, data + 12 * s + 4), -10102.0F - 10 * static_cast<float>(places[s]));
    EXPECT_EQ(float_at(bytes, data + 12 * s + 8), s == 3 ? 0.25F : 1.0F);
  }
  EXPECT_EQ(float_at(bytes, data + 48), 101);
  EXPECT_NE(bytes.find("GCOUNT  =                    3"), std::string::npos);
  EXPECT_NE(bytes.find("CRVAL4  =         1399000000.0"), std::string::npos);
  EXPECT_NE(bytes.find("'IT''S   '"), std::string::npos);
}

TEST(Uvfits, CentresThatMoveAreATable) {
  const testing::TemporaryFolder folder;
  const auto values = told(2, 1);
  UvfitsFile file(folder.path("v.uvfits"), false, header(1));
  for (const double right_ascension : {10.0, 10.0, 11.0})
    file.write({.values = values.data(),
                .samples = 1,
                .middle = 60000.9,
                .centre = {"z", right_ascension, 5}});
  file.prepare();
  file.finish();
  const std::string bytes = read_bytes(folder.path("v.uvfits"));
  const std::size_t table = bytes.find("TTYPE1  = 'ID. NO. '");
  ASSERT_NE(table, std::string::npos);
  EXPECT_EQ(bytes.find("NAXIS2  =                    2", table - 400), table - 4 * 80);
  EXPECT_NE(bytes.find("OBJECT  = 'MULTI   '"), std::string::npos);
}

TEST(Uvfits, WhatItCannotHoldIsSaid) {
  const testing::TemporaryFolder folder;
  UvfitsHeader many = header(2048), poles = header(2);
  poles.polarisations = 3;
  expect_error([&] { UvfitsFile(folder.path("v.uvf"), false, many); }, ErrorKind::usage,
               "up to 2047 antennas; there are 2048");
  expect_error([&] { UvfitsFile(folder.path("v.uvf"), false, poles); }, ErrorKind::usage,
               "1 or 2 polarisations; there are 3");
  { const UvfitsFile given_up(folder.path("v.uvf"), false, header(2)); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Uvfits, TextsAreCutAtAWholePairOfQuotes) {
  EXPECT_EQ(text_card("OBJECT", "IT'S"), "OBJECT  = 'IT''S   '" + std::string(60, ' '));
  for (const std::size_t letters : {0, 59, 60, 66, 67, 68, 90}) {
    const std::string card = text_card("OBJECT", std::string(letters, 'a') + "''");
    EXPECT_EQ(card.size(), 80u);
    const std::string value = fits_value(card).value_or("");
    EXPECT_TRUE(value.ends_with('\'')) << card;
    EXPECT_EQ(std::ranges::count(value, '\'') % 2, 0) << card;
    EXPECT_EQ(fits_unquoted(value).substr(0, letters),
              std::string(std::min<std::size_t>(letters, 68), 'a'));
  }
}

TEST(Uvfits, Dates) {
  EXPECT_EQ(uvfits_date(0), "1858-11-17");
  EXPECT_EQ(uvfits_date(51544.9), "2000-01-01");
  EXPECT_EQ(uvfits_date(60369), "2024-02-29");
  EXPECT_EQ(uvfits_date(60370), "2024-03-01");
}

TEST(Uvfits, EvenSpacing) {
  EXPECT_TRUE(evenly_spaced({1e9}));
  EXPECT_TRUE(evenly_spaced({3, 2, 1}));
  EXPECT_FALSE(evenly_spaced({1, 2, 4}));
  EXPECT_FALSE(evenly_spaced({2, 2}));
}

// From SOFA (erfa 2.0, c2t06a, gst06a, epv00) with UT1 equal to UTC and no polar motion.
TEST(UvfitsSky, AgreesWithSofaToATenthOfAnArcsecond) {
  constexpr double kTenth = 0.1 / 206265;
  const EarthAt earth(60389.6);
  const double wanted[2][3] = {{0.826097272, 0.563524145, -0.001958655},
                               {0.002344605, 0.000038646, 0.999997251}};
  const Vector3 x = earth.to_sky({1, 0, 0}), z = earth.to_sky({0, 0, 1});
  const double seen[3] = {-0.470883674, 0.714039048, -0.518089571};
  const Vector3 s = earth.seen({123.4, -31.2});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(x[i], wanted[0][i], kTenth);
    EXPECT_NEAR(z[i], wanted[1][i], kTenth);
    EXPECT_NEAR(s[i], seen[i], kTenth);
  }
  EXPECT_NEAR(greenwich_sidereal_degrees(60389.6), 34.609030, 0.3 / 3600);
}

TEST(UvfitsSky, UvwIsATurn) {
  const EarthAt earth(60389.6);
  const Vector3 middle{-2559454.08, 5095372.14, -2849057.18};
  const SkyPlace zenith = earth.zenith(middle);
  const Vector3 uvw = earth.uvw({300, -200, 100}, zenith);
  EXPECT_NEAR(std::hypot(uvw[0], uvw[1], uvw[2]), std::hypot(300.0, 200.0, 100.0), 1e-9);
  // East of the array is u; its zenith has no u or v.
  const double length = std::hypot(middle[0], middle[1]);
  const Vector3 east = earth.uvw({-middle[1] / length, middle[0] / length, 0}, zenith);
  EXPECT_NEAR(east[0], 1, 1e-4);
  EXPECT_NEAR(east[2], 0, 1e-8);  // aberration is corrected to first order
}

}  // namespace
}  // namespace tessera
