// SPDX-License-Identifier: Apache-2.0
/// What `tessera noise` takes beside the operation's own options.
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

/// A program whose habits are followed where no option says otherwise.
enum class NoiseLike : unsigned char { none, bane };
template <>
struct Names<NoiseLike> {
  static constexpr std::array<std::pair<std::string_view, NoiseLike>, 2> list{
      {{"none", NoiseLike::none}, {"bane", NoiseLike::bane}}};
};

/// Which files are made: "bkg,rms,snr", or some of them.
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
              "the plane of a file with several, along the third and fourth axis, counted from 0"),
        field("mask", &C::mask,
              "an image of the same size, or one HDU of a file as FILE[N]: what is not 0 there is "
              "blank"),
        field("fill", &C::fill, "give pixels without a value that of the nearest with one"),
        field("like", &C::like,
              "bane: its grid and box by the beam, clipped means, two passes; options given "
              "beside it count"),
        field("only", &C::only, "which files to make; auto: all, with --like bane bkg,rms"),
        field("picture", &C::picture, "a picture of image and maps to draw, .png or .svg"),
    };
  }
};

}  // namespace tessera
