// SPDX-License-Identifier: Apache-2.0
#include "python/arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <utility>

#include "python/fresh_arrays.hpp"
#include "python/raw_arrays.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

struct Dtype {
  const char* name;
  ItemKind kind;
  int bytes;
};
constexpr Dtype kDtypes[] = {{"uint8", ItemKind::whole, 1},      {"uint16", ItemKind::whole, 2},
                             {"float32", ItemKind::floating, 4}, {"float64", ItemKind::floating, 8},
                             {"bool", ItemKind::boolean, 1},     {"int8", ItemKind::with_sign, 1},
                             {"int16", ItemKind::with_sign, 2},  {"int32", ItemKind::with_sign, 4},
                             {"uint32", ItemKind::whole, 4},     {"float16", ItemKind::floating, 2},
                             {"int64", ItemKind::with_sign, 8},  {"uint64", ItemKind::whole, 8}};

/// The dtype of a name, and whether its bytes are in the other order: NumPy calls that ">i2".
struct NamedDtype {
  const Dtype* dtype = nullptr;
  bool swapped = false;
};
NamedDtype find_dtype(const std::string& name) {
  for (const Dtype& known : kDtypes)
    if (name == known.name) return {&known, false};
  if (name.size() != 3 || (name[0] != '>' && name[0] != '<')) return {};
  for (const Dtype& known : kDtypes) {
    const char letter = known.kind == ItemKind::whole       ? 'u'
                        : known.kind == ItemKind::with_sign ? 'i'
                        : known.kind == ItemKind::floating  ? 'f'
                                                            : '?';
    if (name[1] == letter && name[2] - '0' == known.bytes) return {&known, true};
  }
  return {};
}

/// The advice for an array of that dtype; `what` ends in its name: "noise: image".
std::string advice_for(const std::string& what, const std::string& dtype) {
  const Dtype* const known = find_dtype(dtype).dtype;
  if (!known) return "";
  const std::string name = what.substr(what.rfind(' ') + 1);
  const bool is_long = known->bytes == 8 && known->kind != ItemKind::floating;
  const auto items = items_of(known->kind, known->bytes, false, ItemUse::values);
  const Type best = items ? items->type : Type::f64;
  return "; " + name + ".astype(\"" + (is_integer(best) ? "u" : "f") +
         std::to_string(bytes_of(best)) + "\") " +
         (is_long ? "is right for whole numbers up to 2^53" : "is right");
}

constexpr const char* kNumbers =
    "uint8, uint16, float32 and float64 in this machine's byte order work";

/// Results may also be signed integers.
std::optional<Type> type_named(const std::string& dtype, bool for_result = false) {
  for (const Type type : {Type::i16, Type::i32})
    if (for_result && dtype == dtype_name(items_of(type))) return type;
  const std::optional<Items> items = items_named(dtype, ItemUse::values);
  return items && items->plain() && !items->swapped ? std::optional(items->type) : std::nullopt;
}

/// Made once: NumPy would look at the letters of the name in every call.
nb::object numpy_dtype(const char* name) {
  static const auto& made = *new std::array<nb::object, std::size(kDtypes)>([] {
    std::array<nb::object, std::size(kDtypes)> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = numpy("dtype")(kDtypes[i].name);
    return list;
  }());
  for (std::size_t i = 0; i < made.size(); ++i)
    if (std::string_view(name) == kDtypes[i].name) return made[i];
  return numpy("dtype")(name);
}

// Steps of a packed array, the last axis fastest.
Shape packed_steps(const Shape& shape) {
  Shape steps(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * shape[i];
  return steps;
}

// Whether steps and address are whole samples; a field of a packed record may have neither.
bool whole_steps(const RawArray& raw, Shape& steps) {
  if (reinterpret_cast<std::uintptr_t>(raw.data) % raw.bytes != 0) return false;
  for (std::size_t i = 0; i < raw.shape.size(); ++i) {
    if (raw.steps[i] % raw.bytes != 0 && raw.shape[i] > 1) return false;
    steps.push_back(raw.steps[i] / raw.bytes);
  }
  return true;
}

}  // namespace

nb::object numpy(const char* name) {
  // Looked up once: a call of a small image takes as long as importing does.
  static const nb::handle module = nb::module_::import_("numpy").release();
  return module.attr(name);
}

void throw_usage(const std::string& text) { throw Error(ErrorKind::usage, text); }

CupyDevice::CupyDevice(int device)
    : device_(nb::module_::import_("cupy").attr("cuda").attr("Device")(device)) {
  device_.attr("__enter__")();
}
CupyDevice::~CupyDevice() { device_.attr("__exit__")(nb::none(), nb::none(), nb::none()); }

std::optional<Items> items_named(const std::string& dtype, ItemUse use) {
  const auto [known, swapped] = find_dtype(dtype);
  return known ? items_of(known->kind, known->bytes, swapped, use) : std::nullopt;
}

void throw_dtype(const std::string& what, const std::string& dtype, const std::string& right,
                 bool with_advice) {
  const std::string advice = with_advice ? advice_for(what, dtype) : "";
  throw nb::type_error((what + " has dtype " + dtype + "; " + right + advice).c_str());
}

Array array_of(const RawArray& raw, const Items& items, const std::string& what, bool for_result) {
  Array array{.object = raw.object, .data = raw.data, .type = items.type};
  array.items = items;
  array.memory = raw.memory;
  array.shape = raw.shape;
  array.device = raw.device;
  array.writable = raw.writable;
  array.library = raw.library;
  array.cuda_stream = raw.cuda_stream;
  if (whole_steps(raw, array.steps)) return array;
  if (raw.device != kHost)
    throw nb::value_error((what + " has steps that are not whole samples").c_str());
  if (for_result)
    throw nb::value_error((what + " is not aligned to its samples; give a plain array").c_str());
  const nb::object packed = numpy("array")(raw.object, "order"_a = "C");
  return array_of(look_at_raw(packed, what, false, true), items, what, false);
}

Array look_at(nb::handle handle, const std::string& what, bool for_result) {
  const RawArray raw = look_at_raw(handle, what, for_result);
  const std::optional<Type> type = type_named(raw.dtype, for_result);
  if (!type) throw_dtype(what, raw.dtype, kNumbers, !for_result);
  return array_of(raw, items_of(*type), what, for_result);
}

nb::object make_empty(const Array& array, const Shape& extents, const char* dtype) {
  const nb::tuple shape = to_tuple(extents);
  if (array.library == Library::torch) {
    const auto torch = nb::module_::import_("torch");
    return torch.attr("empty")(shape, "dtype"_a = nb::getattr(torch, dtype),
                               "device"_a = nb::getattr(array.object, "device"));
  }
  if (array.library == Library::cupy) {
    const CupyDevice current(array.device);
    return nb::module_::import_("cupy").attr("empty")(shape, "dtype"_a = dtype);
  }
  if (array.device == kHost) return fresh_array(shape, numpy_dtype(dtype));
  throw nb::type_error("this library's arrays on a device can be read, not made; give out=");
}

Array make_like(const Array& array, const Shape& shape, Type type) {
  return look_at(make_empty(array, shape, dtype_name(type)), "result", true);
}

Stream library_stream(const Array& array) {
  void* stream = array.cuda_stream;
  if (array.library == Library::torch) {
    const nb::object current = nb::module_::import_("torch").attr("cuda").attr("current_stream")(
        array.object.attr("device"));
    stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(current.attr("cuda_stream")));
  } else if (array.library == Library::cupy) {
    const CupyDevice device(array.device);
    const nb::object current =
        nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")();
    stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(current.attr("ptr")));
  }
  return Stream::borrow(array.device, stream);
}

nb::object to_numpy(Image image) {
  const auto [width, height, channels, planes] = image.info().size;
  std::vector<std::size_t> shape;
  if (planes > 1) shape.push_back(planes);
  shape.insert(shape.end(), {static_cast<std::size_t>(height), static_cast<std::size_t>(width)});
  if (channels > 1) shape.push_back(channels);
  const nb::dlpack::dtype dtypes[] = {nb::dtype<std::uint8_t>(), nb::dtype<std::uint16_t>(),
                                      nb::dtype<float>(),        nb::dtype<double>(),
                                      nb::dtype<std::int16_t>(), nb::dtype<std::int32_t>()};
  const auto type = static_cast<int>(image.info().type);
  auto* owned = new Image(std::move(image));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Image*>(p); });
  return nb::cast(nb::ndarray<nb::numpy>(owned->view().data, shape.size(), shape.data(), owner,
                                         nullptr, dtypes[type]));
}

const char* dtype_name(const Items& items) {
  for (const Dtype& known : kDtypes)
    if (known.kind == items.kind && known.bytes == items.bytes) return known.name;
  return "?";
}

std::string dtype_text(nb::handle dtype) {
  if (nb::isinstance<nb::str>(dtype))
    for (const auto& [name, type] : Names<Type>::list)
      if (shown(dtype) == name) return dtype_name(type);
  return shown(numpy("dtype")(dtype).attr("newbyteorder")("="));
}

Type type_from_python(const std::string& what, nb::handle dtype, bool for_result) {
  const std::string name = dtype_text(dtype);
  if (const std::optional<Type> type = type_named(name, for_result)) return *type;
  throw_dtype(what, name, kNumbers, false);
}

Array expected_array(const std::string& operation, nb::handle shape, nb::handle dtype) {
  if (!nb::isinstance<nb::sequence>(shape) || nb::isinstance<nb::str>(shape))
    throw nb::type_error((operation + ": shape must be (rows, columns) or longer").c_str());
  Array array;
  array.type = type_from_python(operation + ": image", dtype);
  array.items = items_of(array.type);
  for (nb::handle extent : shape) {
    long long value = -1;
    if (!nb::try_cast(extent, value) || value < 0)
      throw nb::value_error((operation + ": shape must hold whole numbers, 0 or more").c_str());
    array.shape.push_back(value);
  }
  array.steps = packed_steps(array.shape);
  return array;
}

void check_array(const std::string& what, const Array& array, const Shape& shape, Type type) {
  if (array.shape == shape && array.type == type) return;
  throw Error(ErrorKind::usage, what + " is " + shape_text(array.shape) + " of " +
                                    dtype_name(array.type) + "; it must be " + shape_text(shape) +
                                    " of " + dtype_name(type));
}

void check_result(const std::string& what, const Array& result, const Array& input) {
  if (!result.writable)
    throw Error(ErrorKind::usage, what + " is read-only; give one that can be written");
  if (result.device != input.device)
    throw Error(ErrorKind::usage,
                what + " must lie where the input lies: both in host memory or both on one device");
}

Array result_array(const std::string& what, nb::handle out, const Array& input, const Shape& shape,
                   Type type) {
  if (out.is_none()) return make_like(input, shape, type);
  Array result = look_at(out, what, true);
  check_array(what, result, shape, type);
  check_result(what, result, input);
  return result;
}

nb::tuple to_tuple(const Shape& shape) {
  nb::list extents;
  for (const long long extent : shape) extents.append(extent);
  return nb::tuple(extents);
}

}  // namespace tessera::python
