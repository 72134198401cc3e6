// SPDX-License-Identifier: Apache-2.0
/// Some pixels of spectra by the reference: all of them would take minutes.
#pragma once

#include <cmath>

#include "tessera/faraday.hpp"

namespace tessera {

inline constexpr int kSpotChannels = 300;
inline constexpr double kSpotStep = 5;  ///< of the depths, rad/m^2

/// Channels from 0.8 GHz on.
inline FaradayChannels spot_channels(int count) {
  FaradayChannels channels;
  for (int k = 0; k < count; ++k) channels.frequency.push_back(0.8e9 + 288e6 * k / count);
  return channels;
}

/// The talk's channels and 401 depths.
inline FaradayAxes spot_axes() {
  return faraday_axes(spot_channels(kSpotChannels),
                      FaradayOptions{.phi_max = 200 * kSpotStep, .dphi = kSpotStep});
}

/// The largest error that the product promises, as a share of a pixel's mean |Q + i U|.
inline double faraday_bound(Type type) { return type == Type::f64 ? 1e-12 : 1e-5; }

/// One pixel of a cube, as an image.
inline AnyView pixel_of(AnyView image, int x, int y) { return image.region(x, y, 1, 1); }

inline double value_at(AnyView image, int x, int y, int p) {
  return image.type == Type::f64 ? image.as<const double>().at(x, y, 0, p)
                                 : double{image.as<const float>().at(x, y, 0, p)};
}

inline bool spectra_agree(AnyView q, AnyView u, const FaradayAxes& axes, AnyView real,
                          AnyView imaginary) {
  const double bound = faraday_bound(q.type);
  for (const int at : {0, q.size.width / 3, q.size.width - 1}) {
    const FaradaySynth reference(pixel_of(q, at, at).info(), axes,
                                 {.backend = Backend::cpu, .method = "reference"});
    Image re(reference.output()), im(reference.output());
    reference(pixel_of(q, at, at), pixel_of(u, at, at), re.view(), im.view());
    double mean = 0;
    for (int k = 0; k < q.size.planes; ++k)
      mean += std::hypot(value_at(q, at, at, k), value_at(u, at, at, k)) / q.size.planes;
    for (int p = 0; p < axes.depths(); ++p)
      if (!(std::hypot(value_at(real, at, at, p) - value_at(re.view(), 0, 0, p),
                       value_at(imaginary, at, at, p) - value_at(im.view(), 0, 0, p)) <=
            bound * mean))
        return false;
  }
  return true;
}

}  // namespace tessera
