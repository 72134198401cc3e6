// SPDX-License-Identifier: Apache-2.0
// The description that tifffile writes: {"shape": [12, 2, 240, 320], "axes": "TCYX"}, in which the
// names of the axes may be missing.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/tiff/tiff_axes.hpp"

namespace tessera {
namespace {

constexpr std::string_view kShape = "\"shape\": [", kNames = "\"axes\": \"";

/// The text behind `opening`, up to `closing`.
std::string_view text_between(std::string_view text, std::string_view opening, char closing) {
  const std::size_t start = text.find(opening);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + opening.size());
  const std::size_t end = text.find(closing);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

std::vector<long long> shape_of(std::string_view description) {
  std::vector<long long> shape;
  std::string_view text = text_between(description, kShape, ']');
  while (!text.empty()) {
    long long size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) return {};
    shape.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
  }
  return shape;
}

struct PageAxis {
  int size;
  char name;  ///< a blank if it has none
};

/// The axes of more than one page, slowest first; none if the shape does not fit the pages. The
/// last two or three of the shape are those of a page.
std::vector<PageAxis> page_axes(const TiffStack& stack) {
  const std::vector<long long> shape = shape_of(stack.description);
  const std::string_view names = text_between(stack.description, kNames, '"');
  const bool named = names.size() == shape.size();
  std::vector<PageAxis> axes;
  long long pages = 1;
  for (std::size_t i = 0; i + 2 < shape.size() && pages < stack.planes; ++i) {
    if (shape[i] < 1 || shape[i] > stack.planes) return {};
    pages *= shape[i];
    if (shape[i] > 1) axes.push_back({static_cast<int>(shape[i]), named ? names[i] : ' '});
  }
  return pages == stack.planes ? axes : std::vector<PageAxis>();
}

std::string axes_text(const std::vector<PageAxis>& axes) {
  std::string text;
  for (const PageAxis& axis : axes)
    text += fmt::format("{}{}{}", text.empty() ? "" : " x ", axis.size,
                        axis.name == ' ' ? "" : fmt::format(" {}", axis.name));
  return text;
}

}  // namespace

bool is_tifffile(std::string_view description) {
  return description.starts_with('{') && description.find(kShape) != std::string_view::npos;
}

StackAxes tifffile_axes(const TiffStack& stack) {
  const std::vector<PageAxis> axes = page_axes(stack);
  std::string order;  // fastest first
  int frames = 1, slices = 1, channels = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    int* const size = axis->name == 'T'   ? &frames
                      : axis->name == 'Z' ? &slices
                      : axis->name == 'C' ? &channels
                                          : nullptr;
    if (!size || *size > 1) {
      StackAxes unclear;  // one axis is that of frames, whatever it is called
      if (axes.size() > 1)
        unclear.wrong = fmt::format(
            "its axes are not clear: its {} pages are {}, of which it does not say which are "
            "frames (T), slices (Z) and channels (C); save it as an ImageJ or OME stack, or name "
            "them to tifffile, as in metadata={{'axes': 'TCYX'}}",
            stack.planes, axes_text(axes));
      return unclear;
    }
    *size = axis->size;
    order += axis->name;
  }
  if (order.empty()) return {};
  for (const char letter : {'C', 'Z', 'T'})
    if (order.find(letter) == std::string::npos) order += letter;
  StackAxes found = axes_in_order(order, frames, slices, channels);
  found.from = "tifffile";
  return found;
}

}  // namespace tessera
