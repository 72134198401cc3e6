// SPDX-License-Identifier: Apache-2.0
/// Options of `tessera noise` besides those of the operation.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "jobs/noise/noise_slice.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// A program whose settings are the defaults of all options not given.
enum class NoiseLike : unsigned char { none, bane };
template <>
struct Names<NoiseLike> {
  static constexpr std::array<std::pair<std::string_view, NoiseLike>, 2> list{
      {{"none", NoiseLike::none}, {"bane", NoiseLike::bane}}};
};

/// The files to make: "bkg,rms,snr", or some of them.
struct NoiseProducts {
  bool background = true, rms = true, snr = true;
  bool operator==(const NoiseProducts&) const = default;
  static constexpr const char* kHint = "bkg,rms,snr";
};
std::string to_text(NoiseProducts value);
void from_text(std::string_view what, std::string_view text, NoiseProducts& value);

struct NoiseChoices {
  std::optional<NoiseSlice> slice;
  std::string mask;
  bool fill = false;
  NoiseLike like = NoiseLike::none;
  std::optional<NoiseProducts> only;
  std::string picture;

  static constexpr auto fields() {
    using C = NoiseChoices;
    return std::tuple{
        field("slice", &C::slice,
              "one plane of a file with several, along the third and fourth axis, counted from 0; "
              "auto: all planes"),
        field("mask", &C::mask,
              "an image of the same size, or one HDU of a file as FILE[N]; pixels where it is not "
              "0 are blank"),
        field("fill", &C::fill, "fill pixels without a value with the nearest value"),
        field("like", &C::like,
              "bane: grid and box derived from the beam, clipped means, two passes; other options "
              "given override these"),
        field("only", &C::only, "which files to make; auto: all, or bkg,rms with --like bane"),
        field("picture", &C::picture, "a picture of image and maps to draw, .png or .svg"),
    };
  }
};

}  // namespace tessera
