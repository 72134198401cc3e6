// SPDX-License-Identifier: Apache-2.0
#include "python/raw_arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>

#include "python/array_checks.hpp"
#include "python/options_python.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr int kDlpackCpu = 1, kDlpackCuda = 2, kDlpackCudaHost = 3, kDlpackManaged = 13;

Library library_of(nb::handle object) {
  const std::string module = shown(object.type().attr("__module__"));
  const std::string root = module.substr(0, module.find('.'));
  return root == "cupy"    ? Library::cupy
         : root == "torch" ? Library::torch
         : root == "numpy" ? Library::numpy
                           : Library::other;
}

// In unsigned numbers, because the shape may be a lie that check_memory has not seen yet.
Shape packed_byte_steps(const RawArray& array) {
  Shape steps(array.shape.size(), array.bytes);
  for (std::size_t i = steps.size(); i-- > 1;)
    steps[i - 1] = static_cast<long long>(static_cast<std::uint64_t>(steps[i]) *
                                          static_cast<std::uint64_t>(array.shape[i]));
  return steps;
}

long long whole(const std::string& what, const char* field, nb::handle given) {
  long long value = 0;
  const nb::object index = index_of(given);
  if (!index.is_valid() || !nb::try_cast(index, value))
    throw nb::type_error((what + " has an array interface whose " + field + " holds " +
                          shown_as_code(given) + "; it must hold whole numbers")
                             .c_str());
  return value;
}

Shape wholes(const std::string& what, const char* field, nb::handle given) {
  if (!nb::isinstance<nb::tuple>(given) && !nb::isinstance<nb::list>(given))
    throw nb::type_error((what + " has an array interface whose " + field + " is " +
                          shown_as_code(given) + "; it must be a tuple of whole numbers")
                             .c_str());
  Shape values;
  for (nb::handle each : nb::tuple(nb::borrow(given))) values.push_back(whole(what, field, each));
  return values;
}

// The dict of __array_interface__ and of __cuda_array_interface__.
void read_interface(const std::string& what, RawArray& array, const nb::dict& interface,
                    nb::handle dtype) {
  array.dtype = shown(dtype);
  array.bytes = nb::cast<long long>(dtype.attr("itemsize"));
  array.shape = wholes(what, "shape", interface["shape"]);
  const nb::object data = interface["data"];
  if (!nb::isinstance<nb::tuple>(data) || nb::len(data) != 2)
    throw nb::type_error((what + " has an array interface whose data is " + shown_as_code(data) +
                          "; it must be (address, whether it is read-only)")
                             .c_str());
  std::uintptr_t address = 0;
  const nb::object index = index_of(nb::object(data[0]));
  if (!index.is_valid() || !nb::try_cast(index, address))
    throw nb::type_error((what + " has an array interface with the address " +
                          shown_as_code(nb::object(data[0])) + "; it must be a whole number")
                             .c_str());
  array.data = reinterpret_cast<void*>(address);
  array.writable = PyObject_IsTrue(nb::object(data[1]).ptr()) == 0;
  array.steps = packed_byte_steps(array);
  const nb::object strides = interface.attr("get")("strides");
  if (strides.is_none()) return;
  array.steps = wholes(what, "strides", strides);
  if (array.steps.size() != array.shape.size())
    throw nb::value_error((what + " has an array interface of shape " + shape_text(array.shape) +
                           " with " + std::to_string(array.steps.size()) +
                           " strides; there must be one per axis")
                              .c_str());
}

nb::dict interface_dict(const std::string& what, const nb::object& object, const char* name) {
  const nb::object interface = object.attr(name);
  if (!nb::isinstance<nb::dict>(interface))
    throw nb::type_error(
        (what + " has " + name + " " + shown_as_code(interface) + "; it must be a dict").c_str());
  return nb::borrow<nb::dict>(interface);
}

// A subclass may say anything of itself: NumPy's own view of it is looked at.
RawArray look_at_numpy(const nb::object& object, const std::string& what, bool for_result,
                       bool any_order) {
  nb::object plain = numpy("asarray")(object);
  if (!for_result && !any_order) plain = in_native_order(plain);
  RawArray array{.object = for_result ? object : plain};
  if (!array.object.is(plain)) array.memory = plain;
  // The interface's typestr knows no fields of records; the dtype does.
  read_interface(what, array, interface_dict(what, plain, "__array_interface__"),
                 nb::object(plain.attr("dtype")));
  return array;
}

/// The dtypes that images have, by the letters of the buffer protocol; null for others.
const char* dtype_of_format(const char* format) {
  if (!format || format[0] == 0 || format[1] != 0) return nullptr;
  switch (format[0]) {
    case 'B':
      return "uint8";
    case 'H':
      return "uint16";
    case '?':
      return "bool";
    case 'b':
      return "int8";
    case 'h':
      return "int16";
    case 'i':
      return "int32";
    case 'e':
      return "float16";
    case 'f':
      return "float32";
    case 'd':
      return "float64";
    default:
      return nullptr;
  }
}

/// A buffer of an object, returned when this ends.
struct BorrowedBuffer {
  Py_buffer buffer{};
  bool found;
  explicit BorrowedBuffer(nb::handle object)
      : found(PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_RECORDS_RO) == 0) {
    if (!found) PyErr_Clear();
  }
  BorrowedBuffer(const BorrowedBuffer&) = delete;
  BorrowedBuffer& operator=(const BorrowedBuffer&) = delete;
  ~BorrowedBuffer() {
    if (found) PyBuffer_Release(&buffer);
  }
};

/// Whether NumPy made the memory of an array, or of the array that it is a part of. Others show
/// memory that somebody else names.
bool has_own_memory(nb::handle array) {
  static PyObject* const name = PyUnicode_InternFromString("base");
  const auto base_of = [](nb::handle of) { return nb::steal(PyObject_GetAttr(of.ptr(), name)); };
  const nb::object base = base_of(array);
  return base.is_none() || (is_plain_ndarray(base) && base_of(base).is_none());
}

/// NumPy's own arrays of the dtypes that images have, by the buffer protocol: the array interface
/// makes a dict and tuples, which takes longer than filtering a very small image.
bool look_at_plain(nb::handle object, RawArray& array) {
  if (!is_plain_ndarray(object)) return false;
  const BorrowedBuffer borrowed(object);
  const char* dtype = borrowed.found ? dtype_of_format(borrowed.buffer.format) : nullptr;
  if (!dtype) return false;
  const Py_buffer& buffer = borrowed.buffer;
  array.object = nb::borrow(object);
  array.data = buffer.buf;
  array.dtype = dtype;
  array.bytes = buffer.itemsize;
  array.shape.assign(buffer.shape, buffer.shape + buffer.ndim);
  array.steps.assign(buffer.strides, buffer.strides + buffer.ndim);
  array.writable = buffer.readonly == 0;
  array.allocated = has_own_memory(object);
  return true;
}

std::string dlpack_name(nb::dlpack::dtype dtype) {
  const char* kinds[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const std::string kind = dtype.code < std::size(kinds) ? kinds[dtype.code] : "unknown";
  const std::string name = kind == "bool" ? kind : kind + std::to_string(dtype.bits);
  return dtype.lanes == 1 ? name : name + "x" + std::to_string(dtype.lanes);
}

// The capsule's memory lives as long as its tensor does, which need not be that of the object: some
// make a copy for every capsule.
nb::object keeper_of(const nb::ndarray<nb::ro>& tensor) {
  using Tensor = nb::ndarray<nb::ro>;
  return nb::capsule(new Tensor(tensor),
                     [](void* kept) noexcept { delete static_cast<Tensor*>(kept); });
}

// Looks through DLPack. Work runs on the current stream of CuPy or torch, so nobody need wait
// (stream=-1); for others it runs on the default stream (1), which they make wait for their work.
RawArray look_at_dlpack(const nb::object& object, const std::string& what, bool for_result) {
  const Library library = library_of(object);
  if (for_result && library == Library::other)
    throw nb::type_error((what + " must be a NumPy, CuPy or torch array").c_str());
  const nb::object device = object.attr("__dlpack_device__")();
  if (!nb::isinstance<nb::tuple>(device) || nb::len(device) != 2)
    throw nb::type_error(
        (what + " has the DLPack device " + shown_as_code(device) + "; it must be (type, number)")
            .c_str());
  const long long device_type = whole(what, "DLPack device", nb::object(device[0]));
  const bool on_device = device_type == kDlpackCuda || device_type == kDlpackManaged;
  if (!on_device && device_type != kDlpackCpu && device_type != kDlpackCudaHost)
    throw nb::type_error((what + " lies on a device that is neither the CPU nor CUDA").c_str());
  nb::object capsule =
      on_device ? object.attr("__dlpack__")("stream"_a = library == Library::other ? 1 : -1)
                : nb::object(object.attr("__dlpack__")());
  nb::ndarray<nb::ro> tensor;
  if (!PyCapsule_CheckExact(capsule.ptr()) || !nb::try_cast(capsule, tensor) ||
      tensor.device_type() != device_type)
    throw nb::type_error((what + " gives a DLPack capsule that cannot be read").c_str());
  RawArray array{.object = object, .memory = keeper_of(tensor)};
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
RawArray look_at_cuda_interface(const nb::object& object, const std::string& what) {
  RawArray array{.object = object, .device = 0, .library = library_of(object)};
  const nb::dict interface = interface_dict(what, object, "__cuda_array_interface__");
  // nanobind ends the process if a member that is looked up as an argument is not there.
  const nb::object typestr = interface["typestr"];
  read_interface(what, array, interface, numpy("dtype")(typestr));
  const nb::object stream = interface.attr("get")("stream");
  if (!stream.is_none())
    array.cuda_stream =
        reinterpret_cast<void*>(static_cast<std::uintptr_t>(whole(what, "stream", stream)));
  return array;
}

RawArray look_through_door(const nb::object& object, const std::string& what, bool for_result,
                           bool any_order) {
  if (nb::isinstance(object, numpy("ndarray")))
    return look_at_numpy(object, what, for_result, any_order);
  if (nb::hasattr(object, "__dlpack_device__")) return look_at_dlpack(object, what, for_result);
  if (nb::hasattr(object, "__cuda_array_interface__")) return look_at_cuda_interface(object, what);
  if (for_result) throw nb::type_error((what + " must be an array that can be written").c_str());
  return look_at_numpy(object, what, false, any_order);
}

}  // namespace

nb::object in_native_order(const nb::object& array) {
  const nb::object dtype = nb::getattr(array, "dtype", nb::none());
  if (!nb::hasattr(dtype, "isnative") || nb::cast<bool>(dtype.attr("isnative"))) return array;
  if (shown(dtype.attr("kind")).find_first_of("iufc") == std::string::npos) return array;
  return array.attr("astype")(dtype.attr("newbyteorder")("="));
}

nb::object resolved(nb::handle handle, const std::string& what, bool for_result) {
  nb::object tensor = nb::borrow(handle);
  if (library_of(tensor) != Library::torch) return tensor;
  const auto is = [&](const char* bit) { return nb::cast<bool>(tensor.attr(bit)()); };
  if (!is("is_conj") && !is("is_neg")) return tensor;
  if (for_result)
    throw nb::value_error((what + " is a conjugated or negated view; give a plain tensor").c_str());
  return tensor.attr("resolve_conj")().attr("resolve_neg")();
}

RawArray look_at_raw(nb::handle handle, const std::string& what, bool for_result, bool any_order) {
  RawArray array;
  if (!look_at_plain(handle, array)) {
    const nb::object object = resolved(handle, what, for_result);
    refuse_mask(what, object);
    array = look_through_door(object, what, for_result, any_order);
  }
  check_memory(what, array);
  array.what = what;
  return array;
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
