// SPDX-License-Identifier: Apache-2.0
/// Cubes of Q and U in a folder, and the tool that is run on them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tessera/faraday.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {

using Words = std::vector<std::string>;
inline constexpr double kLight = 299792458;
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Two cubes of 24 channels with one source per pixel, each at its own depth, and noise.
class CliFaraday : public ::testing::Test {
 protected:
  static constexpr int kChannels = 24;
  static constexpr Size kSize{13, 11, 1, kChannels};

  void SetUp() override {
    for (int k = 0; k < kChannels; ++k) channels_.frequency.push_back(1.1e9 + 1.7e7 * k);
    std::string lines = "# channels\n";
    for (const double f : channels_.frequency) lines += fmt::format("{}  # Hz\n\n", f);
    write_text(list_, lines);
    q_ = random_image(kSize, Type::f32, 1);
    u_ = random_image(kSize, Type::f32, 2);
    for (int k = 0; k < kChannels; ++k)
      for (int y = 0; y < kSize.height; ++y)
        for (int x = 0; x < kSize.width; ++x) {
          const double wavelength = kLight / channels_.frequency[static_cast<std::size_t>(k)];
          const double angle = 2 * (20.0 * x - 15 * y) * wavelength * wavelength;
          float &q = q_.as<float>().at(x, y, 0, k), &u = u_.as<float>().at(x, y, 0, k);
          q = static_cast<float>(5 * std::cos(angle)) + 0.1F * std::fmod(q, 1.0F);
          u = static_cast<float>(5 * std::sin(angle)) + 0.1F * std::fmod(u, 1.0F);
        }
  }
  void write_text(const std::string& path, const std::string& text) const {
    std::ofstream(path) << text;
  }
  void write_cubes(const std::string& ending = ".npy") const {
    write_image(cube("q", ending), q_.view(), {.force = true});
    write_image(cube("u", ending), u_.view(), {.force = true});
  }
  std::string cube(const std::string& name, const std::string& ending = ".npy") const {
    return folder_.path(name + ending);
  }
  Words synth(const std::string& prefix, const Words& more = {},
              const std::string& ending = ".npy") const {
    Words words{"faraday",
                "synth",
                cube("q", ending),
                cube("u", ending),
                list_,
                "-o",
                folder_.path(prefix),
                "-l",
                "400",
                "-d",
                "10"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Image made(const std::string& name) const { return read_image(folder_.path(name)); }
  FaradaySpectra expected(const std::string& method = "auto") const {
    FaradayOptions options;
    options.phi_max = 400;
    options.dphi = 10;
    options.method = method;
    return faraday_synth(q_.view(), u_.view(), channels_, options);
  }

  TemporaryFolder folder_;
  std::string list_ = folder_.path("list.txt");
  FaradayChannels channels_;
  Image q_, u_;
};

}  // namespace tessera::testing
