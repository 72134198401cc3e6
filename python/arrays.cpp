// SPDX-License-Identifier: Apache-2.0
#include "python/arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <array>
#include <climits>
#include <cstdint>
#include <utility>

#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr int kDlpackCpu = 1, kDlpackCuda = 2, kDlpackCudaHost = 3, kDlpackManaged = 13;
constexpr std::array<std::pair<const char*, Type>, 4> kDtypes{
    {{"uint8", Type::u8}, {"uint16", Type::u16}, {"float32", Type::f32}, {"float64", Type::f64}}};

nb::object numpy(const char* name) { return nb::module_::import_("numpy").attr(name); }

[[noreturn]] void throw_dtype(const std::string& what, const std::string& dtype) {
  throw nb::type_error((what + " has dtype " + dtype +
                        "; uint8, uint16, float32 and float64 in this machine's byte order work")
                           .c_str());
}

Type type_from_name(const std::string& what, const std::string& dtype) {
  for (const auto& [name, type] : kDtypes)
    if (dtype == name) return type;
  throw_dtype(what, dtype);
}

Library library_of(nb::handle object) {
  const auto module = nb::cast<std::string>(nb::str(object.type().attr("__module__")));
  const std::string root = module.substr(0, module.find('.'));
  return root == "cupy"    ? Library::cupy
         : root == "torch" ? Library::torch
         : root == "numpy" ? Library::numpy
                           : Library::other;
}

// Steps of a packed array, the last axis fastest.
Shape packed_steps(const Shape& shape) {
  Shape steps(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * shape[i];
  return steps;
}

// Whether steps and address are whole samples; a field of a packed record may have neither.
bool read_strides(Array& array, nb::handle strides) {
  const long long bytes = bytes_of(array.type);
  array.steps = packed_steps(array.shape);
  if (reinterpret_cast<std::uintptr_t>(array.data) % bytes != 0) return false;
  if (strides.is_none()) return true;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    const auto step = nb::cast<long long>(strides[i]);
    if (step % bytes != 0 && array.shape[i] > 1) return false;
    array.steps[i] = step / bytes;
  }
  return true;
}

// The dict of __array_interface__ and of __cuda_array_interface__; false: not whole samples.
bool read_interface(Array& array, const nb::dict& interface, const std::string& what) {
  array.type =
      type_from_name(what, nb::cast<std::string>(nb::str(numpy("dtype")(interface["typestr"]))));
  for (nb::handle extent : nb::cast<nb::tuple>(interface["shape"]))
    array.shape.push_back(nb::cast<long long>(extent));
  array.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["data"][0]));
  array.writable = !nb::cast<bool>(interface["data"][1]);
  return read_strides(
      array, interface.contains("strides") ? nb::object(interface["strides"]) : nb::none());
}

Array look_at_numpy(nb::object object, const std::string& what, bool for_result) {
  Array array{.object = object};
  if (read_interface(array, nb::cast<nb::dict>(object.attr("__array_interface__")), what))
    return array;
  if (for_result)
    throw nb::value_error((what + " is not aligned to its samples; give a plain array").c_str());
  return look_at_numpy(numpy("array")(object, "order"_a = "C"), what, for_result);
}

std::string dlpack_name(nb::dlpack::dtype dtype) {
  const char* kinds[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const std::string kind = dtype.code < std::size(kinds) ? kinds[dtype.code] : "unknown";
  return kind == "bool" ? kind : kind + std::to_string(dtype.bits);
}

// Looks through DLPack. Work runs on the current stream of CuPy or torch, so nobody need wait
// (stream=-1); for others it runs on the default stream (1), which they make wait for their work.
Array look_at_dlpack(const nb::object& object, const std::string& what, bool for_result) {
  const Library library = library_of(object);
  if (for_result && library == Library::other)
    throw nb::type_error((what + " must be a NumPy, CuPy or torch array").c_str());
  const auto device_type = nb::cast<int>(object.attr("__dlpack_device__")()[0]);
  const bool on_device = device_type == kDlpackCuda || device_type == kDlpackManaged;
  if (!on_device && device_type != kDlpackCpu && device_type != kDlpackCudaHost)
    throw nb::type_error((what + " lies on a device that is neither the CPU nor CUDA").c_str());
  nb::object capsule =
      on_device ? object.attr("__dlpack__")("stream"_a = library == Library::other ? 1 : -1)
                : nb::object(object.attr("__dlpack__")());
  nb::ndarray<nb::ro> tensor;
  if (!nb::try_cast(capsule, tensor))
    throw nb::type_error((what + " gives a DLPack capsule that cannot be read").c_str());
  Array array{.object = object};
  array.type = type_from_name(what, dlpack_name(tensor.dtype()));
  array.data = const_cast<void*>(static_cast<const void*>(tensor.data()));
  for (std::size_t i = 0; i < tensor.ndim(); ++i) {
    array.shape.push_back(static_cast<long long>(tensor.shape(i)));
    array.steps.push_back(tensor.stride(i));
  }
  array.device = on_device ? tensor.device_id() : kHost;
  array.library = library;
  return array;
}

// CuPy and torch come through DLPack; here are those that speak only __cuda_array_interface__,
// which does not say the device.
Array look_at_cuda_interface(const nb::object& object, const std::string& what) {
  Array array{.object = object, .device = 0, .library = library_of(object)};
  const auto interface = nb::cast<nb::dict>(object.attr("__cuda_array_interface__"));
  if (!read_interface(array, interface, what))
    throw nb::value_error((what + " has steps that are not whole samples").c_str());
  if (interface.contains("stream") && !interface["stream"].is_none())
    array.cuda_stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["stream"]));
  return array;
}

// CuPy makes arrays on the current device.
class CupyDevice {
 public:
  explicit CupyDevice(int device)
      : device_(nb::module_::import_("cupy").attr("cuda").attr("Device")(device)) {
    device_.attr("__enter__")();
  }
  ~CupyDevice() { device_.attr("__exit__")(nb::none(), nb::none(), nb::none()); }
  CupyDevice(const CupyDevice&) = delete;
  CupyDevice& operator=(const CupyDevice&) = delete;

 private:
  nb::object device_;
};

}  // namespace

nb::object resolved(nb::handle handle, const std::string& what, bool for_result) {
  nb::object tensor = nb::borrow(handle);
  if (library_of(tensor) != Library::torch) return tensor;
  const auto is = [&](const char* bit) { return nb::cast<bool>(tensor.attr(bit)()); };
  if (!is("is_conj") && !is("is_neg")) return tensor;
  if (for_result)
    throw nb::value_error((what + " is a conjugated or negated view; give a plain tensor").c_str());
  return tensor.attr("resolve_conj")().attr("resolve_neg")();
}

Array look_at(nb::handle handle, const std::string& what, bool for_result) {
  nb::object object = resolved(handle, what, for_result);
  if (nb::isinstance(object, numpy("ndarray"))) return look_at_numpy(object, what, for_result);
  if (nb::hasattr(object, "__dlpack_device__")) return look_at_dlpack(object, what, for_result);
  if (nb::hasattr(object, "__cuda_array_interface__")) return look_at_cuda_interface(object, what);
  if (for_result) throw nb::type_error((what + " must be an array that can be written").c_str());
  return look_at_numpy(numpy("asarray")(object), what, for_result);
}

nb::object make_empty(const Array& array, const Shape& extents, const char* dtype) {
  const nb::tuple shape = to_tuple(extents);
  if (array.library == Library::torch) {
    const auto torch = nb::module_::import_("torch");
    return torch.attr("empty")(shape, "dtype"_a = torch.attr(dtype),
                               "device"_a = array.object.attr("device"));
  }
  if (array.library == Library::cupy) {
    const CupyDevice current(array.device);
    return nb::module_::import_("cupy").attr("empty")(shape, "dtype"_a = dtype);
  }
  if (array.device == kHost) return numpy("empty")(shape, "dtype"_a = dtype);
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
      if (nb::cast<std::string>(dtype) == name) return type;
  return type_from_name(what, nb::cast<std::string>(nb::str(numpy("dtype")(dtype))));
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

nb::tuple to_tuple(const Shape& shape) {
  nb::list extents;
  for (const long long extent : shape) extents.append(extent);
  return nb::tuple(extents);
}

}  // namespace tessera::python
