// SPDX-License-Identifier: Apache-2.0
// The description that ImageJ and Fiji write, as ImageJ's own FileOpener understands it.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/counted.hpp"
#include "io/tiff/tiff_axes.hpp"
#include "io/units.hpp"

namespace tessera {
namespace {

/// The value of the first line "NAME=VALUE".
std::string_view imagej_value(std::string_view description, std::string_view name) {
  while (!description.empty()) {
    const std::string_view line = description.substr(0, description.find_first_of("\r\n"));
    if (line.starts_with(name) && line.substr(name.size()).starts_with('='))
      return line.substr(name.size() + 1);
    description.remove_prefix(std::min(description.size(), line.size() + 1));
  }
  return {};
}

template <class Number>
Number imagej_number(std::string_view description, std::string_view name, Number otherwise) {
  const std::string_view text = imagej_value(description, name);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

/// Channels, slices or frames; ImageJ leaves out those that are 1.
int imagej_size(std::string_view description, const char* name) {
  const int size = imagej_number(description, name, 1);
  return size > 0 ? size : 1;
}

/// If the sizes do not fit the pages, for example because pages were cut out of a stack, pages are
/// frames only where no others were named.
StackAxes sizes_of(const TiffStack& stack) {
  const std::string& text = stack.description;
  const int channels = imagej_size(text, "channels"), slices = imagej_size(text, "slices"),
            frames = imagej_size(text, "frames");
  const double named = 1.0 * channels * slices * frames;
  if (named == stack.planes) return axes_in_order("CZT", frames, slices, channels);
  const std::string names =
      fmt::format("ImageJ names {}, {} and {}, which are {:.0f} images; it has {}",
                  counted(channels, "channel"), counted(slices, "slice"), counted(frames, "frame"),
                  named, stack.planes);
  if (stack.planes > 1 && (channels > 1 || (slices > 1 && frames > 1))) {
    StackAxes unclear;
    unclear.wrong = fmt::format(
        "its axes are not clear: {}; save the film again as an ImageJ or OME stack", names);
    return unclear;
  }
  StackAxes axes = axes_in_order("CZT", stack.planes, 1, 1);
  if (named == 1 && imagej_images(text) > stack.planes)
    axes.notes.push_back(fmt::format("ImageJ names {}; it has {}, which are taken as frames",
                                     counted(imagej_images(text), "image"), stack.planes));
  if (named > 1) axes.notes.push_back(names + ", which are taken as frames");
  return axes;
}

void read_pixel_size(const TiffStack& stack, StackAxes& axes) {
  const std::string_view unit = imagej_value(stack.description, "unit");
  const std::string_view unit_of_y = imagej_value(stack.description, "yunit");
  std::optional<double> um = micrometres_of(unit);
  if (!um)
    axes.notes.push_back(
        fmt::format("its pixel size is in '{}', which is not a known unit of length", unit));
  if (um.value_or(0) == 0 || stack.x_per_unit <= 0) return;
  // ImageJ reads this combination, which other programs write, as pixels per centimetre.
  if (stack.resolution_unit == 3 && unit == "um") um = 1e4;
  const double um_of_y =
      unit_of_y.empty() ? *um : micrometres_of(unit_of_y).value_or(0);  // 0: not known
  set_pixel_size(*um / stack.x_per_unit, stack.y_per_unit > 0 ? um_of_y / stack.y_per_unit : 0,
                 axes);
}

// `fps` is the rate at which ImageJ plays the stack. Its AVI reader sets both.
void read_interval(const std::string& text, StackAxes& axes) {
  const double interval = imagej_number(text, "finterval", 0.0);
  const double rate = imagej_number(text, "fps", 0.0);
  if (interval > 0 && std::isfinite(interval)) {
    const std::string_view unit = imagej_value(text, "tunit");
    const std::optional<double> seconds = seconds_of(unit.empty() ? "sec" : unit);
    if (seconds)
      axes.seconds_per_frame = interval * *seconds;
    else
      axes.notes.push_back(
          fmt::format("its frame interval is in '{}', which is not a known unit of time", unit));
  } else if (rate > 0 && std::isfinite(rate)) {
    axes.seconds_per_frame = 1 / rate;
    axes.notes.push_back(
        fmt::format("it has no frame interval; the {:.6g} frames per second at which ImageJ plays "
                    "it are taken as its rate",
                    rate));
  }
}

}  // namespace

bool is_imagej(std::string_view description) { return description.starts_with("ImageJ="); }

long long imagej_images(std::string_view description) {
  return is_imagej(description) ? imagej_number(description, "images", 0LL) : 0;
}

StackAxes imagej_axes(const TiffStack& stack) {
  StackAxes axes = sizes_of(stack);
  axes.from = "ImageJ";
  read_pixel_size(stack, axes);
  read_interval(stack.description, axes);
  return axes;
}

}  // namespace tessera
