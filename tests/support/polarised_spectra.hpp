// SPDX-License-Identifier: Apache-2.0
/// Faraday spectra for tests: sources of known depth with noise, made by the reference.
#pragma once

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera::testing {

struct Spectra {
  Image real, imaginary;
};

inline FaradayAxes test_axes(int channels, const std::string& depths) {
  FaradayChannels list;
  for (int k = 0; k < channels; ++k) list.frequency.push_back(8e8 + 3e8 * k / channels);
  return faraday_axes(list, {.phi = depths});
}

inline Spectra reference_spectra(const Image& q, const Image& u, const FaradayAxes& axes) {
  const FaradaySynth plan(q.info(), axes, {.backend = Backend::cpu, .method = "reference"});
  Spectra made{Image(plan.output()), Image(plan.output())};
  plan(q.view(), u.view(), made.real.view(), made.imaginary.view());
  return made;
}

/// Pixels with one to three sources of 0.1 to 1 and noise of 0.2 per channel.
template <class Real>
Spectra random_spectra(const FaradayAxes& axes, int width, int height, unsigned seed) {
  Image q(Size{width, height, 1, axes.channels()}, TypeOf<Real>::value), u(q.info());
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> even(0, 1);
  std::normal_distribution<double> noise(0, 0.2);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::vector<std::complex<double>> sum(static_cast<std::size_t>(axes.channels()));
      for (auto& value : sum) value = {noise(random), noise(random)};
      for (int sources = 1 + static_cast<int>(random() % 3); sources > 0; --sources) {
        const double depth = axes.phi.front() + even(random) * (axes.phi.back() - axes.phi.front());
        const double angle = 6.28 * even(random), height_of = 0.1 + 0.9 * even(random);
        for (std::size_t k = 0; k < sum.size(); ++k)
          sum[k] += std::polar(height_of, angle + 2 * depth * axes.lambda2[k]);
      }
      for (int k = 0; k < axes.channels(); ++k) {
        q.as<Real>().at(x, y, 0, k) = static_cast<Real>(sum[static_cast<std::size_t>(k)].real());
        u.as<Real>().at(x, y, 0, k) = static_cast<Real>(sum[static_cast<std::size_t>(k)].imag());
      }
    }
  return reference_spectra(q, u, axes);
}

/// RM-Tools' spectrum (tests/data/rmtools) in double, as one pixel.
struct KnownSpectrum {
  FaradayChannels channels;
  Image q, u;

  KnownSpectrum() {
    std::ifstream file(std::string(TESSERA_SOURCE_DIR) +
                       "/tests/data/rmtools/RMsynth1D_testdata.dat");
    std::vector<double> qs, us;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      double frequency, i, q_value, u_value;
      if (!(words >> frequency >> i >> q_value >> u_value)) continue;
      channels.frequency.push_back(frequency);
      qs.push_back(q_value);
      us.push_back(u_value);
    }
    const Size size{1, 1, 1, static_cast<int>(qs.size())};
    q = copy(packed(qs.data(), size));
    u = copy(packed(us.data(), size));
  }
};

}  // namespace tessera::testing
