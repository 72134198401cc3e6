// SPDX-License-Identifier: Apache-2.0
/// Projections of the sphere onto a plane, after Calabretta and Greisen (2002), Representations of
/// celestial coordinates in FITS.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Native longitude and latitude, degrees: the pole is the centre of zenithal projections, the
/// equator goes through that of all others.
struct NativePoint {
  double longitude = 0, latitude = 0;
};
/// Projected coordinates, degrees.
struct PlanePoint {
  double x = 0, y = 0;
};

class SkyProjection {
 public:
  /// By the code in CTYPE ("SIN", "TAN" …) with its parameters PV1_1 and PV1_2 of latitude, 0 if
  /// there are none. Nothing if the code is not one of codes().
  static std::optional<SkyProjection> of(const std::string& code, double first, double second);
  static const std::vector<std::string>& codes();

  /// Whether the reference point is the native pole.
  bool is_zenithal() const { return zenithal_; }
  /// Nothing for points that the plane does not show: the far side of SIN and TAN.
  std::optional<PlanePoint> project(NativePoint native) const;
  /// Nothing for points of the plane outside the sphere's picture.
  std::optional<NativePoint> deproject(PlanePoint plane) const;

 private:
  enum class Code : unsigned char { sin, tan, arc, stg, zea, car, sfl, cea, mer, ait };
  SkyProjection(Code code, bool zenithal, double first, double second)
      : code_(code), zenithal_(zenithal), first_(first), second_(second) {}

  std::optional<PlanePoint> project_zenithal(NativePoint native) const;
  std::optional<NativePoint> deproject_zenithal(PlanePoint plane) const;
  std::optional<NativePoint> deproject_slant(PlanePoint plane) const;

  Code code_;
  bool zenithal_;
  double first_, second_;
};

}  // namespace tessera
