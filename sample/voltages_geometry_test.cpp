// SPDX-License-Identifier: Apache-2.0
// Positions and directions compared with astropy 5 and arithmetic by hand.
#include "sample/voltages_geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera {
namespace {

void expect_near(const EarthVector& a, const EarthVector& b, double bound) {
  EXPECT_NEAR(a.x, b.x, bound);
  EXPECT_NEAR(a.y, b.y, bound);
  EXPECT_NEAR(a.z, b.z, bound);
}

TEST(VoltagesGeometry, PlacesAreAstropys) {
  // EarthLocation.from_geodetic(116.67081524, -26.7033194, 377.827).
  expect_near(earth_place(-26.70331940, 116.67081524, 377.827),
              {-2559454.07927308, 5095372.143756529, -2849057.1847964027}, 1e-6);
  expect_near(earth_place(90, 0, 0), {0, 0, 6356752.314245179}, 1e-6);
}

TEST(VoltagesGeometry, UpIsTheNormalOfTheEllipsoid) {
  for (const double latitude : {-90.0, -26.7, 0.0, 1e-9, 45.0, 89.9999})
    for (const double longitude : {-170.0, 0.0, 33.0}) {
      const LocalAxes axes = local_axes(earth_place(latitude, longitude, 500));
      const EarthVector higher =
          earth_place(latitude, longitude, 1500) - earth_place(latitude, longitude, 500);
      expect_near(axes.up * 1000, higher, 1e-6);
      EXPECT_NEAR(dot(axes.east, axes.up), 0, 1e-15);
      EXPECT_NEAR(dot(axes.north, axes.up), 0, 1e-15);
      EXPECT_NEAR(dot(axes.east, axes.north), 0, 1e-15);
      EXPECT_NEAR(dot(axes.north, axes.north), 1, 1e-14);
      EXPECT_GE(axes.north.z, -1e-12);
    }
  // At Greenwich's meridian on the equator: up is x, east y, north z.
  expect_near(local_axes({7e6, 0, 0}).east, {0, 1, 0}, 0);
  expect_near(local_axes({7e6, 0, 0}).north, {0, 0, 1}, 0);
}

TEST(VoltagesGeometry, HorizontalDirections) {
  const LocalAxes axes = local_axes({7e6, 0, 0});
  expect_near(horizontal_direction(axes, 0, 0), {0, 0, 1}, 1e-15);
  expect_near(horizontal_direction(axes, 90, 0), {0, 1, 0}, 1e-15);
  expect_near(horizontal_direction(axes, 45, 90), {1, 0, 0}, 1e-15);
  expect_near(horizontal_direction(axes, 180, 30), {0.5, 0, -std::sqrt(0.75)}, 1e-15);
}

// Time(60000.25, format="mjd", scale="ut1").sidereal_time("mean", "greenwich", model="IAU1982").
TEST(VoltagesGeometry, WhatCulminatesAtGreenwichHasItsSiderealTime) {
  expect_near(equatorial_direction(244.8483566416094, 0, 60000.25), {1, 0, 0}, 1e-9);
  expect_near(equatorial_direction(244.8483566416094 + 90, 0, 60000.25), {0, 1, 0}, 1e-9);
  expect_near(equatorial_direction(10, -90, 60000.25), {0, 0, -1}, 1e-15);
  const SkyAngles angles = sky_angles(equatorial_direction(301.5, -12.25, 59000.7), 59000.7);
  EXPECT_NEAR(angles.right_ascension, 301.5, 1e-9);
  EXPECT_NEAR(angles.declination, -12.25, 1e-9);
}

TEST(VoltagesGeometry, OffsetsGrowWithRightAscensionAndDeclination) {
  const EarthVector centre = equatorial_direction(80, 30, 60000);
  // The definitions of l and m for a field around (80, 30) degrees.
  const double step = 0.3 * 3.14159265358979 / 180, dec = 30 * 3.14159265358979 / 180;
  const double l = std::cos(dec + step) * std::sin(step);
  const double m =
      std::sin(dec + step) * std::cos(dec) - std::cos(dec + step) * std::sin(dec) * std::cos(step);
  expect_near(offset_direction(centre, l, m), equatorial_direction(80.3, 30.3, 60000), 1e-13);
  const SkyOffset back = sky_offset(centre, equatorial_direction(80.3, 30.3, 60000));
  EXPECT_NEAR(back.l, l, 1e-13);
  EXPECT_NEAR(back.m, m, 1e-13);
}

}  // namespace
}  // namespace tessera
