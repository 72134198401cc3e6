// SPDX-License-Identifier: Apache-2.0
/// Options of recordings of voltages.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "tessera/options.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Types of samples that can be made, as help and completion list them.
inline constexpr const char* kVoltagesTypes = "ci8|ci4|ci16|cf32";

/// Whether a recording is made before a filter bank has divided its band.
enum class RawBand : unsigned char { no, complex, real };
template <>
struct Names<RawBand> {
  static constexpr std::array<std::pair<std::string_view, RawBand>, 3> list{
      {{"no", RawBand::no}, {"complex", RawBand::complex}, {"real", RawBand::real}}};
};

struct VoltagesOptions {
  int antennas = 16;
  int polarisations = 2;
  int channels = 64;
  long long samples = 4096;
  SampleType type = SampleType::ci8;
  std::optional<double> rms;
  double frequency = 150e6;
  double channel_width = 100e3;
  double start = 60000;
  double latitude = -26.70331940;
  double longitude = 116.67081524;
  double height = 377.827;
  double radius = 500;
  int sources = 3;
  double field_width = 20;
  double flux_low = 2;
  double flux_high = 10;
  double polarised = 0.3;
  double noise = 10;
  std::optional<double> right_ascension;
  std::optional<double> declination;
  bool tracked = false;
  RawBand raw = RawBand::no;
  bool lower_sideband = false;
  std::optional<double> tone;
  double tone_level = 10;

  bool operator==(const VoltagesOptions&) const = default;
  static constexpr auto fields() {
    using O = VoltagesOptions;
    return std::tuple{
        field("antennas", &O::antennas, "antennas of the array", Range{1, 4096}),
        field("polarisations", &O::polarisations, "1 (X) or 2 (X and Y)", Range{1, 2}),
        field("channels", &O::channels, "frequency channels", Range{1, 1 << 20}),
        field("samples", &O::samples, "samples in time per channel", Range{1, 1e15}),
        field("type", &O::type, "type of a sample: ci8, ci4, ci16 or cf32"),
        field("rms", &O::rms,
              "rms of real and imaginary parts, in levels; auto: 20 for ci8, 2 for ci4, 500 for "
              "ci16, 1 for cf32",
              Range{1e-3, 1e6}),
        field("frequency", &O::frequency, "middle of the lowest channel, Hz", Range{1e3, 1e15}),
        field("channel-width", &O::channel_width, "Hz; also the number of samples per second",
              Range{1e-3, 1e12}),
        field("start", &O::start, "MJD (UTC) of the first sample", Range{0, 1e6}),
        field("latitude", &O::latitude, "of the array's centre, degrees north", Range{-90, 90}),
        field("longitude", &O::longitude, "of the array's centre, degrees east", Range{-360, 360}),
        field("height", &O::height, "of the array's centre above the WGS84 ellipsoid, m",
              Range{-1e4, 1e8}),
        field("radius", &O::radius, "radius of the disc in which antennas lie at random, m",
              Range{0, 1e6}),
        field("sources", &O::sources, "point sources at random positions", Range{0, 10000}),
        field("field", &O::field_width, "width of the field that contains the sources, degrees",
              Range{0, 180}),
        field("flux-low", &O::flux_low, "minimum Stokes I of a source", Range{0, 1e12}),
        field("flux-high", &O::flux_high, "maximum Stokes I", Range{0, 1e12}),
        field("polarised", &O::polarised, "maximum fraction of a source's flux that is polarised",
              Range{0, 1}),
        field("noise", &O::noise, "power of a receiver's noise, in units of flux", Range{0, 1e12}),
        field("right-ascension", &O::right_ascension,
              "of the field's centre, degrees, equinox of date; auto: the zenith's",
              Range{-360, 360}),
        field("declination", &O::declination, "of the field's centre, degrees; auto: the zenith's",
              Range{-90, 90}),
        field("tracked", &O::tracked,
              "remove the delays of the field's centre, as a correlator that tracks it does"),
        field("raw", &O::raw,
              "the undivided band of all channels, of complex or real samples, for `channelise`; "
              "delays shift the samples"),
        field("lower-sideband", &O::lower_sideband,
              "frequencies of raw samples fall as those on the sky grow"),
        field("tone", &O::tone, "a tone in all inputs of a raw recording, Hz on the sky",
              Range{0, 1e16}),
        field("tone-level", &O::tone_level, "its amplitude, in levels", Range{0, 1e6}),
    };
  }
};

/// Throws Error(usage) naming an impossible value.
void check_voltages(const VoltagesOptions& options);

/// As requested, or the usual one for the type.
double voltages_rms(const VoltagesOptions& options);

}  // namespace tessera
