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

double double_at(const std::string& bytes, std::size_t at) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < 8; ++k) bits = bits << 8 | static_cast<unsigned char>(bytes[at + k]);
  return std::bit_cast<double>(bits);
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
  valid[4 + 3] = 0;
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
    const auto count = static_cast<float>(valid[static_cast<std::size_t>(4 + places[s])]);
    const float sum = count > 0 ? 10101.0F + 10 * static_cast<float>(places[s]) : 0;
    EXPECT_EQ(float_at(bytes, data + 12 * s), count > 0 ? sum / count : 0);
    EXPECT_EQ(float_at(bytes, data + 12 * s + 4), count > 0 ? (-sum - 1) / count : 0);
    EXPECT_EQ(float_at(bytes, data + 12 * s + 8), count);
  }
  EXPECT_EQ(float_at(bytes, data + 48), 101.0F / 8);
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
  // RAEPO is of ICRS, RAAPP of date.
  const std::size_t row = (bytes.find("END ", table) + 2879) / 2880 * 2880;
  EXPECT_EQ(double_at(bytes, row + 64), 10);
  const SkyPlace date = EarthAt(60000.75).of_date({10, 5});
  EXPECT_EQ(double_at(bytes, row + 88), date.right_ascension);
  EXPECT_EQ(double_at(bytes, row + 96), date.declination);
  EXPECT_GT(date.right_ascension, 10.2);  // 23 years of precession
}

TEST(Uvfits, WhatItCannotHoldIsSaid) {
  const testing::TemporaryFolder folder;
  UvfitsHeader many = header(65537), poles = header(2);
  poles.polarisations = 3;
  expect_error([&] { UvfitsFile(folder.path("v.uvf"), false, many); }, ErrorKind::usage,
               "up to 65536 antennas; there are 65537");
  expect_error([&] { UvfitsFile(folder.path("v.uvf"), false, poles); }, ErrorKind::usage,
               "1 or 2 polarisations; there are 3");
  { const UvfitsFile given_up(folder.path("v.uvf"), false, header(2)); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// 255 antennas are the last that BASELINE can number without loss.
TEST(Uvfits, ManyAntennasHaveTheirOwnParameters) {
  const testing::TemporaryFolder folder;
  for (const int antennas : {255, 256}) {
    const std::string path = folder.path(std::to_string(antennas) + ".uvfits");
    const int baselines = antennas * (antennas + 1) / 2;
    const auto values = told(1, baselines);
    UvfitsFile file(path, false, header(antennas, 1));
    file.write({.values = values.data(), .samples = 1, .middle = 60000.9, .centre = {"z", 1, 2}});
    file.prepare();
    file.finish();
    const std::string bytes = read_bytes(path);
    const std::size_t start = uvfits_header_bytes(header(antennas, 1), {}).size();
    const std::size_t parameters = antennas > 255 ? 10 : 8;
    const std::size_t last =
        start + static_cast<std::size_t>(baselines - 2) * (parameters + 12) * 4 + 20;
    if (antennas == 255) {
      EXPECT_EQ(float_at(bytes, last), 256 * 254 + 255);
      EXPECT_EQ(bytes.find("'ANTENNA1'"), std::string::npos);
    } else {
      EXPECT_EQ(float_at(bytes, last), 255);
      EXPECT_EQ(float_at(bytes, last + 4), 256);
      EXPECT_EQ(float_at(bytes, last + 8), 1);  // the subarray
      EXPECT_EQ(float_at(bytes, last + 12), 1);
      EXPECT_EQ(bytes.find("'BASELINE'"), std::string::npos);
      for (const char* name : {"PTYPE6  = 'ANTENNA1'", "PTYPE7  = 'ANTENNA2'",
                               "PTYPE8  = 'SUBARRAY'", "PCOUNT  =                   10"})
        EXPECT_NE(bytes.find(name), std::string::npos) << name;
    }
  }
}

TEST(Uvfits, MeansStayAsTheyAre) {
  const testing::TemporaryFolder folder;
  const double values[] = {3, 4, 0, 0, 0, 0, 5, 0};
  UvfitsFile file(folder.path("v.uvfits"), false, header(1, 1));
  file.write({.values = values,
              .type = VisibilityType::f64,
              .means = true,
              .samples = 10,
              .middle = 60000.9,
              .centre = {"z", 1, 2}});
  file.prepare();
  file.finish();
  const std::string bytes = read_bytes(folder.path("v.uvfits"));
  const std::size_t data = uvfits_header_bytes(header(1, 1), {}).size() + 32;
  EXPECT_EQ(float_at(bytes, data), 3);
  EXPECT_EQ(float_at(bytes, data + 4), -4);
  EXPECT_EQ(float_at(bytes, data + 8), 10);
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

// The same with UT1 0.5 s later.
TEST(UvfitsSky, TurnsByUt1) {
  constexpr double kTenth = 0.1 / 206265;
  const double wanted[3] = {0.82607672, 0.56355426, -0.00195861};
  const Vector3 x = EarthAt(60389.6, 0.5).to_sky({1, 0, 0});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], wanted[i], kTenth);
  EXPECT_GT(std::abs(x[1] - EarthAt(60389.6).to_sky({1, 0, 0})[1]), 50 * kTenth);
}

// From SOFA (atci13, right ascension from the equinox), which also bends light: 0.004 arcseconds.
TEST(UvfitsSky, PlacesOfDateAreSofasApparentPlaces) {
  const EarthAt earth(60389.6);
  const SkyPlace date = earth.of_date({123.4, -31.2});
  EXPECT_NEAR(date.right_ascension, 123.643817, 0.3 / 3600);
  EXPECT_NEAR(date.declination, -31.276230, 0.2 / 3600);
  for (const SkyPlace& place : {SkyPlace{123.4, -31.2}, {0.01, 89}, {359.99, -5}}) {
    const SkyPlace back = earth.from_date(earth.of_date(place));
    EXPECT_NEAR(back.right_ascension, place.right_ascension, 1e-4);  // 2e-8 rad of aberration
    EXPECT_NEAR(back.declination, place.declination, 1e-5);
  }
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
