// SPDX-License-Identifier: Apache-2.0
#include "python/raw_arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr int kDlpackCpu = 1, kDlpackCuda = 2, kDlpackCudaHost = 3, kDlpackManaged = 13;

nb::object numpy(const char* name) { return nb::module_::import_("numpy").attr(name); }

Library library_of(nb::handle object) {
  const auto module = nb::cast<std::string>(nb::str(object.type().attr("__module__")));
  const std::string root = module.substr(0, module.find('.'));
  return root == "cupy"    ? Library::cupy
         : root == "torch" ? Library::torch
         : root == "numpy" ? Library::numpy
                           : Library::other;
}

Shape packed_byte_steps(const RawArray& array) {
  Shape steps(array.shape.size(), array.bytes);
  for (std::size_t i = steps.size(); i-- > 1;) steps[i - 1] = steps[i] * array.shape[i];
  return steps;
}

// The dict of __array_interface__ and of __cuda_array_interface__.
void read_interface(RawArray& array, const nb::dict& interface, nb::handle dtype) {
  array.dtype = nb::cast<std::string>(nb::str(dtype));
  array.bytes = nb::cast<long long>(dtype.attr("itemsize"));
  for (nb::handle extent : nb::cast<nb::tuple>(interface["shape"]))
    array.shape.push_back(nb::cast<long long>(extent));
  array.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["data"][0]));
  array.writable = !nb::cast<bool>(interface["data"][1]);
  array.steps = packed_byte_steps(array);
  if (!interface.contains("strides") || interface["strides"].is_none()) return;
  for (std::size_t i = 0; i < array.shape.size(); ++i)
    array.steps[i] = nb::cast<long long>(interface["strides"][i]);
}

RawArray look_at_numpy(const nb::object& object) {
  RawArray array{.object = object};
  // The interface's typestr knows no fields of records; the dtype does.
  read_interface(array, nb::cast<nb::dict>(object.attr("__array_interface__")),
                 nb::object(object.attr("dtype")));
  return array;
}

std::string dlpack_name(nb::dlpack::dtype dtype) {
  const char* kinds[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const std::string kind = dtype.code < std::size(kinds) ? kinds[dtype.code] : "unknown";
  return kind == "bool" ? kind : kind + std::to_string(dtype.bits);
}

// Looks through DLPack. Work runs on the current stream of CuPy or torch, so nobody need wait
// (stream=-1); for others it runs on the default stream (1), which they make wait for their work.
RawArray look_at_dlpack(const nb::object& object, const std::string& what, bool for_result) {
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
  RawArray array{.object = object};
  array.dtype = dlpack_name(tensor.dtype());
  array.bytes = (tensor.dtype().bits * tensor.dtype().lanes + 7) / 8;
  array.data = const_cast<void*>(static_cast<const void*>(tensor.data()));
  for (std::size_t i = 0; i < tensor.ndim(); ++i) {
    array.shape.push_back(static_cast<long long>(tensor.shape(i)));
    array.steps.push_back(tensor.stride(i) * array.bytes);
  }
  array.device = on_device ? tensor.device_id() : kHost;
  array.library = library;
  return array;
}

// CuPy and torch come through DLPack; here are those that speak only __cuda_array_interface__,
// which does not say the device.
RawArray look_at_cuda_interface(const nb::object& object) {
  RawArray array{.object = object, .device = 0, .library = library_of(object)};
  const auto interface = nb::cast<nb::dict>(object.attr("__cuda_array_interface__"));
  read_interface(array, interface, numpy("dtype")(interface["typestr"]));
  if (interface.contains("stream") && !interface["stream"].is_none())
    array.cuda_stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["stream"]));
  return array;
}

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

RawArray look_at_raw(nb::handle handle, const std::string& what, bool for_result) {
  const nb::object object = resolved(handle, what, for_result);
  if (nb::isinstance(object, numpy("ndarray"))) return look_at_numpy(object);
  if (nb::hasattr(object, "__dlpack_device__")) return look_at_dlpack(object, what, for_result);
  if (nb::hasattr(object, "__cuda_array_interface__")) return look_at_cuda_interface(object);
  if (for_result) throw nb::type_error((what + " must be an array that can be written").c_str());
  return look_at_numpy(numpy("asarray")(object));
}

bool is_packed(const RawArray& array) {
  const Shape packed = packed_byte_steps(array);
  for (std::size_t i = 0; i < packed.size(); ++i)
    if (array.shape[i] > 1 && array.steps[i] != packed[i]) return false;
  return true;
}

Array family_of(const RawArray& array) {
  Array family{.object = array.object};
  family.device = array.device;
  family.library = array.library;
  family.cuda_stream = array.cuda_stream;
  return family;
}

}  // namespace tessera::python
