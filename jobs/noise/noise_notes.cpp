// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_notes.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

/// Sums of squares of larger values exceed the range of double.
constexpr double kLargestToSquare = 1e150;

bool is_noise_zero(const std::vector<NoiseProduct>& products, const NoiseSeen& seen) {
  for (const NoiseProduct& product : products)
    if (const NoiseSpan& range = seen.maps[static_cast<std::size_t>(product.plane)];
        product.name == "rms")
      return range.pixels > 0 && range.low == 0 && range.high == 0;
  return false;
}

std::string why_empty(const std::string& name, const std::vector<NoiseProduct>& products,
                      const NoiseSeen& seen, long long pixels) {
  if (name == "snr" && is_noise_zero(products, seen)) return "the noise is 0 everywhere";
  const auto& [blanks, largest] = seen.image;
  if (largest > kLargestToSquare)
    return fmt::format("values up to {:.3g} are too large to be squared and added; scale the image",
                       largest);
  return fmt::format(
      "no box has enough valid pixels, because {} of {} are blank; a smaller --box may have enough",
      blanks, pixels);
}

}  // namespace

std::vector<std::string> noise_notes(const std::vector<NoiseProduct>& products,
                                     const NoiseSeen& seen, long long pixels) {
  std::vector<std::string> notes;
  for (const auto& [name, plane, file] : products) {
    const NoiseSpan& range = seen.maps[static_cast<std::size_t>(plane)];
    if (range.pixels == 0)
      notes.push_back(
          fmt::format("{} has no value: {}", name, why_empty(name, products, seen, pixels)));
    if (range.infinite > 0)
      notes.push_back(
          fmt::format("{} is infinite at {} of its pixels: maps are written as floats, which end "
                      "at 3.4e38; scale the image",
                      name, range.infinite));
  }
  return notes;
}

}  // namespace tessera
