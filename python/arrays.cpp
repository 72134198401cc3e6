// SPDX-License-Identifier: Apache-2.0
#include "python/arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <utility>

#include "python/raw_arrays.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr std::array<std::pair<const char*, Type>, 4> kDtypes{
    {{"uint8", Type::u8}, {"uint16", Type::u16}, {"float32", Type::f32}, {"float64", Type::f64}}};

/// "f4" for ">f4", which FITS files give; the smallest that holds all values. "" for what is not a
/// plain number.
std::string dtype_that_works(const std::string& dtype) {
  constexpr std::array<std::pair<const char*, const char*>, 16> kBest{{{"bool", "u1"},
                                                                       {"int8", "f4"},
                                                                       {"int16", "f4"},
                                                                       {"float16", "f4"},
                                                                       {"int32", "f8"},
                                                                       {"uint32", "f8"},
                                                                       {"int64", "f8"},
                                                                       {"uint64", "f8"},
                                                                       {">u2", "u2"},
                                                                       {">i2", "f4"},
                                                                       {">f2", "f4"},
                                                                       {">f4", "f4"},
                                                                       {">i4", "f8"},
                                                                       {">u4", "f8"},
                                                                       {">i8", "f8"},
                                                                       {">f8", "f8"}}};
  for (const auto& [name, best] : kBest)
    if (dtype == name) return best;
  return {};
}

/// The advice for an array of that dtype; `what` ends in its name: "noise: image".
std::string advice_for(const std::string& what, const std::string& dtype) {
  const std::string best = dtype_that_works(dtype), name = what.substr(what.rfind(' ') + 1);
  if (best.empty()) return "";
  const bool long_numbers = dtype.ends_with("int64") || dtype.ends_with("i8");
  return "; " + name + ".astype(\"" + best + "\") " +
         (long_numbers ? "is right for whole numbers up to 2^53" : "is right");
}

constexpr const char* kNumbers = "uint8, uint16, float32 and float64";
constexpr const char* kIntegers = "uint8 and uint16";

[[noreturn]] void throw_dtype(const std::string& what, const std::string& dtype,
                              const std::string& right, const std::string& advice) {
  throw nb::type_error(
      (what + " has dtype " + dtype + "; " + right + " in this machine's byte order work" + advice)
          .c_str());
}

std::optional<Type> type_named(const std::string& dtype) {
  for (const auto& [name, type] : kDtypes)
    if (dtype == name) return type;
  return std::nullopt;
}

nb::handle numpy_empty() {
  static const nb::handle made = numpy("empty").release();
  return made;
}

/// Made once: NumPy would look at the letters of the name in every call.
nb::object numpy_dtype(const char* name) {
  static const auto& made = *new std::array<nb::object, kDtypes.size()>([] {
    std::array<nb::object, kDtypes.size()> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = numpy("dtype")(kDtypes[i].first);
    return list;
  }());
  for (std::size_t i = 0; i < made.size(); ++i)
    if (std::string_view(name) == kDtypes[i].first) return made[i];
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

/// The type must be one that works.
Array array_of(const RawArray& raw, const std::string& what, bool for_result) {
  Array array{.object = raw.object, .data = raw.data, .type = *type_named(raw.dtype)};
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
  return array_of(look_at_raw(packed, what, for_result), what, for_result);
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

Array look_at(nb::handle handle, const std::string& what, bool for_result) {
  const RawArray raw = look_at_raw(handle, what, for_result);
  if (!type_named(raw.dtype))
    throw_dtype(what, raw.dtype, kNumbers, for_result ? "" : advice_for(what, raw.dtype));
  return array_of(raw, what, for_result);
}

Array look_at_integers(nb::handle handle, const std::string& what) {
  const RawArray raw = look_at_raw(handle, what, false);
  if (!type_named(raw.dtype)) throw_dtype(what, raw.dtype, kIntegers, "");
  return array_of(raw, what, false);
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
  if (array.device == kHost) return numpy_empty()(shape, numpy_dtype(dtype));
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
                                      nb::dtype<float>(), nb::dtype<double>()};
  const auto type = static_cast<int>(image.info().type);
  auto* owned = new Image(std::move(image));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Image*>(p); });
  return nb::cast(nb::ndarray<nb::numpy>(owned->view().data, shape.size(), shape.data(), owner,
                                         nullptr, dtypes[type]));
}

const char* dtype_name(Type type) {
  for (const auto& [name, candidate] : kDtypes)
    if (candidate == type) return name;
  return "?";
}

Type type_from_python(const std::string& what, nb::handle dtype) {
  if (nb::isinstance<nb::str>(dtype))
    for (const auto& [name, type] : Names<Type>::list)
      if (shown(dtype) == name) return type;
  // Arrays in the other byte order are copied into this machine's.
  const std::string name = shown(numpy("dtype")(dtype).attr("newbyteorder")("="));
  if (const std::optional<Type> type = type_named(name)) return *type;
  throw_dtype(what, name, kNumbers, "");
}

Array expected_array(const std::string& operation, nb::handle shape, nb::handle dtype) {
  if (!nb::isinstance<nb::sequence>(shape) || nb::isinstance<nb::str>(shape))
    throw nb::type_error((operation + ": shape must be (rows, columns) or longer").c_str());
  Array array;
  array.type = type_from_python(operation + ": image", dtype);
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

Array result_array(const std::string& what, nb::handle out, const Array& input, const Shape& shape,
                   Type type) {
  if (out.is_none()) return make_like(input, shape, type);
  Array result = look_at(out, what, true);
  check_array(what, result, shape, type);
  if (!result.writable)
    throw Error(ErrorKind::usage, what + " is read-only; give one that can be written");
  if (result.device != input.device)
    throw Error(ErrorKind::usage,
                what + " must lie where the input lies: both in host memory or both on one device");
  return result;
}

nb::tuple to_tuple(const Shape& shape) {
  nb::list extents;
  for (const long long extent : shape) extents.append(extent);
  return nb::tuple(extents);
}

}  // namespace tessera::python
