// SPDX-License-Identifier: Apache-2.0
#include "python/item_arrays.hpp"

#include <cmath>

#include "python/long_call.hpp"
#include "python/noise_arguments.hpp"
#include "python/raw_arrays.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kAllNumbers =
    "bool, int8, int16, int32, uint8, uint16, uint32, float16, float32 and float64 work";
constexpr const char* kDeviceNumbers = "on a device uint8, uint16, float32 and float64 work";

Items items_for(const std::string& what, const RawArray& raw, ItemUse use) {
  const std::optional<Items> items = items_named(raw.dtype, use);
  if (!items) throw_dtype(what, raw.dtype, kAllNumbers, true);
  return *items;
}

/// A plane (rows, columns) of any array, or a row of one with fewer axes.
ItemView plane_items(const Array& array, const std::vector<long long>& index) {
  const long long bytes = array.items.bytes;
  const std::size_t axes = array.shape.size();
  ItemView view{.items = array.items, .size = {1, 1, 1, 1}};
  view.data = static_cast<unsigned char*>(array.data);
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    view.data += index[axis] * array.steps[axis] * bytes;
  if (axes > 0) {
    view.size.width = static_cast<int>(array.shape[axes - 1]);
    view.pixel = array.steps[axes - 1] * bytes;
  }
  if (axes > 1) {
    view.size.height = static_cast<int>(array.shape[axes - 2]);
    view.row = array.steps[axes - 2] * bytes;
  }
  return view;
}

/// The same dtype as the library names it: torch has dtypes of its own.
nb::object on_its_device(const Array& array) {
  const char* const dtype = dtype_name(array.type);
  if (array.library == Library::torch)
    return array.object.attr("to")(nb::getattr(nb::module_::import_("torch"), dtype));
  const CupyDevice current(array.device);
  return array.object.attr("astype")(dtype);
}

/// `known`: what the message says of other dtypes.
Array look_at_plain(nb::handle object, const std::string& what, const char* known) {
  const RawArray raw = look_at_raw(object, what, false, true);
  const std::optional<Items> items = items_named(raw.dtype, ItemUse::values);
  if (!items || !items->plain()) throw_dtype(what, raw.dtype, known, false);
  return as_samples(what, array_of(raw, *items, what, false));
}

Array look_anywhere(nb::handle handle, const std::string& what, ItemUse use) {
  const RawArray raw = look_at_raw(handle, what, false, true);
  return array_of(raw, items_for(what, raw, use), what, false);
}

}  // namespace

Array look_at_numbers(nb::handle handle, const std::string& what, ItemUse use) {
  const Array array = look_anywhere(handle, what, use);
  if (array.device != kHost && !array.shows_samples())
    throw_dtype(what, dtype_name(array.items), kDeviceNumbers, true);
  return array;
}

Array look_at_integers(nb::handle object, const std::string& what) {
  return look_at_plain(object, what, "uint8 and uint16 work");
}

Array look_at_samples(nb::handle object, const std::string& what) {
  return look_at_plain(object, what, "uint8, uint16, float32 and float64 work");
}

Array expected_numbers(const std::string& operation, nb::handle shape, nb::handle dtype,
                       ItemUse use) {
  const std::string name = dtype_text(dtype);
  const std::optional<Items> items = items_named(name, use);
  if (!items) throw_dtype(operation + ": image", name, kAllNumbers, false);
  Array array = expected_array(operation, shape, nb::str(dtype_name(items->type)));
  array.items = *items;
  return array;
}

void check_constant(const std::string& what, const Array& like, Border border, double constant) {
  if (border != Border::constant || !std::isnan(constant) || like.items.kind == ItemKind::floating)
    return;
  throw Error(ErrorKind::usage, what + " is nan, which " + dtype_name(like.items) +
                                    " does not have; give a number, or an image of float32");
}

bool is_dtype(nb::handle output) {
  return PyType_Check(output.ptr()) || PyUnicode_Check(output.ptr()) ||
         nb::isinstance(output, numpy("dtype"));
}

bool names_own_dtype(const Array& like, nb::handle wanted) {
  return !like.items.plain() && !wanted.is_none() && !wanted.equal(nb::str("auto")) &&
         dtype_text(wanted) == dtype_name(like.items);
}

bool same_dtype(const Items& a, const Items& b) { return a.kind == b.kind && a.bytes == b.bytes; }

void check_numbers(const std::string& what, const Array& array, const Shape& shape,
                   const Items& items) {
  if (array.shape == shape && same_dtype(array.items, items)) return;
  throw Error(ErrorKind::usage, what + " is " + shape_text(array.shape) + " of " +
                                    dtype_name(array.items) + "; it must be " + shape_text(shape) +
                                    " of " + dtype_name(items));
}

Array result_of_numbers(const std::string& what, nb::handle out, const Array& input,
                        const Shape& shape, const Items& items) {
  nb::object given = nb::borrow(out);
  if (given.is_none()) given = make_empty(input, shape, dtype_name(items));
  const RawArray raw = look_at_raw(given, what, true);
  Items found = items_for(what, raw, ItemUse::values);
  if (same_dtype(found, items)) found.type = items.type;
  Array result = array_of(raw, found, what, true);
  check_numbers(what, result, shape, items);
  check_result(what, result, input);
  return result;
}

ItemView item_view_of(const std::string& what, const Array& array, const Axes& axes, bool planar) {
  const long long bytes = array.items.bytes;
  const auto step = [&](std::optional<int> axis) { return axis ? array.steps[*axis] * bytes : 0; };
  ItemView view{.data = static_cast<unsigned char*>(array.data), .items = array.items};
  view.size = size_of(what, array.shape, axes, planar);
  view.channel = step(axes.channel);
  view.pixel = step(axes.column);
  view.row = step(axes.row);
  const bool channels_are_planes = planar && axes.channel && array.shape[*axes.channel] > 1;
  view.plane = step(channels_are_planes ? axes.channel : axes.batch);
  return view;
}

void run_item_rows(const RowsPlan& plan, const ItemView& in, int first_in, const ItemView& out,
                   int first_out, Stream& stream) {
  Image from(in.info()), to(out.info());
  ItemSource(in, stream.threads()).read({0, in.size.height}, from.view());
  plan({AnyView(from.view()), first_in}, {to.view(), first_out}, stream);
  stream.wait();
  ItemSink(out, stream.threads()).write({0, out.size.height}, AnyView(to.view()));
}

Array as_samples(const std::string& what, const Array& array) {
  if (array.shows_samples()) return array;
  if (array.device != kHost) return look_at(on_its_device(array), what);
  const Array made = make_like(Array(), array.shape, array.type);
  const std::size_t axes = array.shape.size();
  Shape planes = array.shape;
  while (planes.size() < 2) planes.insert(planes.begin(), 1);
  size_of(what, {planes[axes < 2 ? 0 : axes - 2], planes.back()}, {}, false);  // not too large
  auto* to = static_cast<unsigned char*>(made.data);
  const LongCall unlocked;
  for (long long plane = 0; plane < count_planes(planes); ++plane) {
    const ItemView view = plane_items(array, axes < 2 ? Shape() : plane_index(array.shape, plane));
    const AnyMutableView samples = packed(to, view.info());
    ItemSource(view, thread_stream().threads()).read({0, view.size.height}, samples);
    to += bytes_of(view.info());
  }
  return made;
}

Array look_at_values(nb::handle object, const std::string& what) {
  return as_samples(what, look_anywhere(object, what, ItemUse::values));
}

}  // namespace tessera::python
