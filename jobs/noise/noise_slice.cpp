// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_slice.hpp"

#include <fmt/format.h>

#include "io/header_cards.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Planes along the third and the fourth axis; only FITS has both.
struct PlaneAxes {
  int third = 1, fourth = 1;
};

PlaneAxes plane_axes(const ImageSource& file) {
  const int planes = file.info().size.planes;
  const HeaderCards header(file.header());
  const double third = header.number("ZNAXIS3").value_or(header.number("NAXIS3").value_or(planes));
  const bool divides = third >= 1 && third <= planes && planes % static_cast<int>(third) == 0;
  if (!divides) return {planes, 1};
  return {static_cast<int>(third), planes / static_cast<int>(third)};
}

std::string axes_text(const Size& size, const PlaneAxes& axes) {
  std::string text = fmt::format("{} x {} x {}", size.width, size.height, axes.third);
  return axes.fourth > 1 ? text + fmt::format(" x {}", axes.fourth) : text;
}

/// "--slice N with N from 0 to 9".
std::string what_is_right(const PlaneAxes& axes) {
  if (axes.third > 1 && axes.fourth > 1)
    return fmt::format("--slice N,M with N from 0 to {} and M from 0 to {}", axes.third - 1,
                       axes.fourth - 1);
  return fmt::format("--slice N with N from 0 to {}", axes.third * axes.fourth - 1);
}

}  // namespace

std::string to_text(NoiseSlice value) {
  std::string text = fmt::format("{}", value.third);
  return value.fourth ? text + fmt::format(",{}", *value.fourth) : text;
}

void from_text(std::string_view what, std::string_view text, NoiseSlice& value) {
  const std::size_t comma = text.find(',');
  value = {};
  from_text(what, text.substr(0, comma), value.third);
  if (comma == std::string_view::npos) return;
  int fourth = 0;
  from_text(what, text.substr(comma + 1), fourth);
  value.fourth = fourth;
}

PlaneRange planes_of_slice(const std::string& operation, const std::string& name,
                           const ImageSource& file, const std::optional<NoiseSlice>& slice) {
  const Size size = file.info().size;
  if (!slice) return {0, size.planes};
  if (size.planes == 1 && (slice->third != 0 || slice->fourth.value_or(0) != 0))
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: {} has one plane, but --slice {} asks for another; leave out --slice",
                    operation, name, to_text(*slice)));
  const PlaneAxes axes = plane_axes(file);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage, fmt::format("{}: {} is {}, {}; give {}", operation, name,
                                              axes_text(size, axes), what, what_is_right(axes)));
  };
  const bool both = axes.third > 1 && axes.fourth > 1;
  if (both && !slice->fourth) refuse("so one number does not select a plane");
  // If only one axis is longer than 1, a single number counts along it.
  const PlaneAxes counted = slice->fourth ? axes : PlaneAxes{size.planes, 1};
  const int fourth = slice->fourth.value_or(0);
  if (slice->third < 0 || slice->third >= counted.third || fourth < 0 || fourth >= counted.fourth)
    refuse(fmt::format("so it has no plane {}", to_text(*slice)));
  const int plane = fourth * counted.third + slice->third;
  return {plane, plane + 1};
}

}  // namespace tessera
