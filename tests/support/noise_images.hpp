// SPDX-License-Identifier: Apache-2.0
/// Images that are hard on quantiles, and every method that noise maps can be made by.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/samples.hpp"
#include "ops/noise/noise_problem.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"
#include "tessera/noise.hpp"

namespace tessera::testing {

inline const std::vector<std::string>& noise_fillings() {
  static const std::vector<std::string> names{
      "normal",    "ties",       "equal",      "denormals",      "zeros of both signs",
      "any scale", "1 % blank",  "half blank", "90 % blank",     "all blank",
      "ramp",      "far from 0", "sources",    "one value apart"};
  return names;
}

class NoiseFilling {
 public:
  NoiseFilling(std::string name, unsigned seed) : name_(std::move(name)), random_(seed) {}

  double next(int x, int y) {
    const double normal = normal_(random_), unit = unit_(random_);
    if (name_ == "ties") return std::floor(4 * unit);
    if (name_ == "equal") return 7;
    if (name_ == "denormals") return std::floor(64 * unit - 32) * 1.4012984643248171e-45;
    if (name_ == "zeros of both signs") return unit < 0.4 ? -0.0 : unit < 0.8 ? 0.0 : normal;
    if (name_ == "any scale") return (normal < 0 ? -1 : 1) * std::pow(10, 60 * unit - 30);
    if (name_ == "1 % blank") return unit < 0.01 ? blank() : normal;
    if (name_ == "half blank") return unit < 0.5 ? blank() : normal;
    if (name_ == "90 % blank") return unit < 0.9 ? blank() : normal;
    if (name_ == "all blank") return blank();
    if (name_ == "ramp") return 3 * x + y;
    if (name_ == "far from 0") return 12345 + normal;
    if (name_ == "sources") return unit < 0.02 ? 1000 * unit * unit * 2500 : normal;
    if (name_ == "one value apart") return x == 5 && y == 3 ? 90 : 40;
    return normal;
  }

 private:
  double blank() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (random_() % 3) {
      case 0:
        return kInfinity;
      case 1:
        return -kInfinity;
      default:
        return std::numeric_limits<double>::quiet_NaN();
    }
  }

  std::string name_;
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> unit_;
};

/// Integers have the same about 100, ten times as wide.
inline Image noise_image(Size size, Type type, const std::string& filling, unsigned seed) {
  Image image(size, type);
  NoiseFilling values(filling, seed);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double value = values.next(x, y);
      store_sample(image.view(), x, y, 0, 0, is_integer(type) ? 100 + 10 * value : value);
    }
  return image;
}

/// The plan of a method, or nothing if it refuses the problem.
template <class Make>
auto if_offered(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const Error& error) {
    if (std::string(error.what()).find("no method can run this") == std::string::npos) throw;
    return {};
  }
}

inline std::optional<Noise> noise_plan(const NoiseMethod& method, const ImageInfo& image,
                                       NoiseOptions options) {
  options.backend = method.backend;
  options.method = method.name;
  return if_offered([&] { return Noise(image, options); });
}

}  // namespace tessera::testing
