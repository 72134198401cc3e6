// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_image.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/refuse.hpp"

namespace tessera {
namespace {

FitsNumbers numbers_of(const FitsHdu& hdu) {
  const FitsHeader& header = hdu.header;
  const std::string keyword = hdu.is_tiled() ? "ZBITPIX" : "BITPIX";
  const int bitpix = static_cast<int>(header.needed_integer(keyword, -64, 64));
  constexpr int kKnown[] = {8, 16, 32, 64, -32, -64};
  if (std::ranges::count(kKnown, bitpix) == 0)
    refuse_input(
        hdu.header.name(),
        fmt::format("its card {} is {}; it must be 8, 16, 32, 64, -32 or -64", keyword, bitpix));
  FitsNumbers numbers{bitpix, header.real("BSCALE").value_or(1), header.real("BZERO").value_or(0)};
  if (bitpix > 0) numbers.blank = header.integer("BLANK");
  if (bitpix > 0 && hdu.is_tiled() && !numbers.blank) numbers.blank = header.integer("ZBLANK");
  return numbers;
}

// Axes after the fourth say only where the image is.
ClaimedSize size_of_axes(const FitsHdu& hdu, const std::vector<long long>& axes) {
  if (axes.empty()) refuse_input(hdu.header.name(), "it has no axes; an image has 1 to 4");
  ClaimedSize size{axes[0], axes.size() > 1 ? axes[1] : 1};
  for (size_t i = 2; i < axes.size(); ++i) {
    if (i >= 4 && axes[i] != 1)
      refuse_input(hdu.header.name(),
                   fmt::format("its axes are {}; only the first 4 can be longer than 1",
                               fmt::join(axes, " x ")));
    if (__builtin_mul_overflow(size.planes, axes[i], &size.planes))
      refuse_input(hdu.header.name(), fmt::format("its axes are {}, which is more than 2^63 planes",
                                                  fmt::join(axes, " x ")));
  }
  return size;
}

void check_groups(const FitsHdu& hdu) {
  if (hdu.is_tiled()) return;
  const long long extra = hdu.header.integer("PCOUNT").value_or(0),
                  groups = hdu.header.integer("GCOUNT").value_or(1);
  if (extra != 0 || groups != 1)
    refuse_input(
        hdu.header.name(),
        fmt::format("its PCOUNT is {} and its GCOUNT {}; an image has 0 and 1", extra, groups));
}

std::string axes_detail(const FitsHdu& hdu, const FitsImage& image) {
  std::string text;
  for (size_t i = 0; i < image.axes.size(); ++i) {
    const std::string kind = hdu.header.text(fmt::format("CTYPE{}", i + 1));
    text += fmt::format("{}{}", i ? " x " : "", image.axes[i]);
    if (!kind.empty()) text += fmt::format(" {}", kind);
  }
  return text;
}

}  // namespace

FitsImage fits_image(const std::string& path, const FitsHdu& hdu, const ReadLimits& limits) {
  check_groups(hdu);
  const FitsNumbers numbers = numbers_of(hdu);
  const std::vector<long long> axes = fits_axes(hdu.header, hdu.is_tiled() ? "Z" : "");
  return {numbers, axes, checked_info(path, size_of_axes(hdu, axes), numbers.type(), limits)};
}

std::vector<FileDetail> fits_details(const FitsHdu& hdu, const FitsImage& image) {
  const FitsHeader& header = hdu.header;
  const std::string name = header.text("EXTNAME");
  std::vector<FileDetail> details{
      {"HDU", fmt::format("{} {}{}{}", hdu.number, hdu.kind(), name.empty() ? "" : " ", name)},
      {"BITPIX", fmt::format("{}", image.numbers.bitpix)},
      {"axes", axes_detail(hdu, image)}};
  if (image.numbers.scaled())
    details.push_back(
        {"scaling", fmt::format("BSCALE {} BZERO {}", image.numbers.scale, image.numbers.zero)});
  if (image.numbers.blank) details.push_back({"BLANK", fmt::format("{}", *image.numbers.blank)});
  details.push_back({"compression", hdu.is_tiled() ? header.text("ZCMPTYPE") : "none"});
  details.push_back({"cards", fmt::format("{}", header.cards().size())});
  for (const char* keyword : {"OBJECT", "BUNIT"})
    if (header.has(keyword)) details.push_back({keyword, header.text(keyword)});
  return details;
}

}  // namespace tessera
