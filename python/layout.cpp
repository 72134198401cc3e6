// SPDX-License-Identifier: Apache-2.0
// Shapes and steps of arrays as sizes and steps of views.
#include <algorithm>
#include <climits>

#include "python/arrays.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

int axis_of(const std::string& what, const char* name, int axis, int axes) {
  if (axis < -axes || axis >= axes)
    throw_usage(what + " has " + std::to_string(axes) + " axes; " + name + " " +
                std::to_string(axis) + " must be between " + std::to_string(-axes) + " and " +
                std::to_string(axes - 1));
  return axis < 0 ? axis + axes : axis;
}

long long extent(const Shape& shape, std::optional<int> axis) { return axis ? shape[*axis] : 1; }
long long step(const Array& array, std::optional<int> axis) {
  return axis ? array.steps[*axis] : 0;
}

int checked_extent(const std::string& what, long long value, const char* of) {
  if (value > INT_MAX)
    throw_usage(what + " has " + std::to_string(value) + " " + of + "; at most " +
                std::to_string(INT_MAX));
  return static_cast<int>(value);
}

}  // namespace

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (const long long e : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(e);
  return text + (shape.size() == 1 ? ",)" : ")");
}

Axes find_axes(const std::string& what, const Shape& shape, std::optional<int> channel_axis,
               std::optional<int> batch_axis) {
  const int axes = static_cast<int>(shape.size());
  Axes found;
  if (channel_axis) found.channel = axis_of(what, "channel_axis", *channel_axis, axes);
  if (batch_axis) found.batch = axis_of(what, "batch_axis", *batch_axis, axes);
  if (found.channel && found.channel == found.batch)
    throw_usage(what + ": channel_axis and batch_axis are both axis " +
                std::to_string(*found.channel) + "; give two different ones");
  std::vector<int> rest;
  for (int axis = 0; axis < axes; ++axis)
    if (found.channel != axis && found.batch != axis) rest.push_back(axis);
  if (rest.size() != 2)
    throw_usage(what + " has shape " + shape_text(shape) + ", which leaves " +
                std::to_string(rest.size()) +
                " axes for rows and columns; give (rows, columns), or say which axis holds the "
                "colours with channel_axis=-1 and which the images with batch_axis=0");
  found.row = rest[0];
  found.column = rest[1];
  return found;
}

std::optional<int> line_axis(const Shape& shape, std::optional<int> channel_axis,
                             std::optional<int> batch_axis) {
  const auto axes = static_cast<int>(shape.size());
  const auto is = [&](std::optional<int> other, int axis) {
    return other && (*other == axis || *other == axis - axes);
  };
  std::optional<int> found;
  for (int axis = 0; axis < axes; ++axis) {
    if (is(channel_axis, axis) || is(batch_axis, axis)) continue;
    if (found) return std::nullopt;
    found = axis;
  }
  return found;
}

Array with_row_axis(Array array, int axis) {
  array.shape.insert(array.shape.begin() + axis, 1);
  array.steps.insert(array.steps.begin() + axis, 0);
  return array;
}

bool channels_adjacent(const Array& array, const Axes& axes) {
  const long long channels = extent(array.shape, axes.channel);
  return channels <= kMostChannels && (channels == 1 || step(array, axes.channel) == 1);
}

namespace {

// Channels of a batch are one row of planes only where the next image follows the last channel.
bool planes_in_line(const Array& array, const Axes& axes) {
  const long long channels = extent(array.shape, axes.channel);
  return extent(array.shape, axes.batch) <= 1 || channels <= 1 ||
         step(array, axes.batch) == channels * step(array, axes.channel);
}

}  // namespace

Layout common_layout(const Array& a, const Array& b, const Axes& axes) {
  if (channels_adjacent(a, axes) && channels_adjacent(b, axes)) return Layout::adjacent;
  return planes_in_line(a, axes) && planes_in_line(b, axes) ? Layout::planes
                                                            : Layout::image_by_image;
}

Layout packed_layout(const Shape& shape, const Axes& axes) {
  if (extent(shape, axes.channel) <= kMostChannels) return Layout::adjacent;
  return extent(shape, axes.batch) <= 1 ? Layout::planes : Layout::image_by_image;
}

Array only_image(const Array& array, const Axes& axes, long long image) {
  Array one = array;
  one.shape[*axes.batch] = 1;
  one.data = static_cast<unsigned char*>(array.data) +
             image * array.steps[*axes.batch] * array.items.bytes;
  return one;
}

Array with_channels_last(const std::string& what, const Array& array, Axes& axes) {
  if (!axes.channel || channels_adjacent(array, axes)) return array;
  if (array.device != kHost)
    throw_usage(what + " has its channels on axis " + std::to_string(*axes.channel) +
                ", not side by side; give a packed array with channel_axis=-1");
  const nb::module_ numpy = nb::module_::import_("numpy");
  const bool is_numpy = nb::isinstance(array.object, numpy.attr("ndarray"));
  const nb::object image = is_numpy ? array.object : numpy.attr("from_dlpack")(array.object);
  const nb::object moved = numpy.attr("moveaxis")(image, *axes.channel, -1);
  const Array copy = look_at(numpy.attr("ascontiguousarray")(moved), what);
  std::optional<int> batch = axes.batch;
  if (batch && *batch > *axes.channel) --*batch;
  axes = find_axes(what, copy.shape, -1, batch);
  return copy;
}

Array make_with_channels_adjacent(const Array& array, Shape shape, Type type, const Axes& axes) {
  const int last = static_cast<int>(shape.size()) - 1, channel = axes.channel.value_or(last);
  if (channel == last) return make_like(array, shape, type);
  std::rotate(shape.begin() + channel, shape.begin() + channel + 1, shape.end());
  Shape order(shape.size());  // of the packed array's axes, the channels where they are wanted
  for (int axis = 0; axis <= last; ++axis)
    order[axis] = axis == channel ? last : axis - (axis > channel ? 1 : 0);
  const Array packed = make_like(array, shape, type);
  const char* turn = array.library == Library::torch ? "permute" : "transpose";
  return look_at(packed.object.attr(turn)(to_tuple(order)), "result", true);
}

Size size_of(const std::string& what, const Shape& shape, const Axes& axes, bool planar) {
  const long long channels = extent(shape, axes.channel), images = extent(shape, axes.batch);
  return {checked_extent(what, shape[axes.column], "columns"),
          checked_extent(what, shape[axes.row], "rows"),
          planar ? 1 : checked_extent(what, channels, "channels"),
          checked_extent(what, planar ? channels * images : images, "planes")};
}

AnyMutableView view_of(const std::string& what, const Array& array, const Axes& axes, bool planar) {
  AnyMutableView view;
  view.data = array.data;
  view.type = array.type;
  view.size = size_of(what, array.shape, axes, planar);
  view.pixel = array.steps[axes.column];
  view.row = array.steps[axes.row];
  view.plane = step(array, axes.batch);
  view.device = array.device;
  if (!planar) return view;
  const long long channels = extent(array.shape, axes.channel);
  if (channels > 1) view.plane = step(array, axes.channel);
  return view;
}

}  // namespace tessera::python
