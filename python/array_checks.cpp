// SPDX-License-Identifier: Apache-2.0
#include "python/array_checks.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr std::size_t kMostAxes = 64;
/// Larger than any address space, small enough that sums of 64 of them fit.
constexpr long long kMostBytes = 1LL << 56;

[[noreturn]] void throw_value(const std::string& text) { throw nb::value_error(text.c_str()); }

/// Bytes from the address of the first element to the first and behind the last byte of the array.
struct Span {
  long long first = 0, end = 0;
};

bool too_far(long long count, long long step) {
  long long product = 0;
  return __builtin_mul_overflow(count, step, &product) || product > kMostBytes ||
         product < -kMostBytes;
}

Span span_of(const std::string& what, const RawArray& array) {
  Span span{0, array.bytes};
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    const long long last = array.shape[i] - 1;
    if (too_far(last, array.steps[i]))
      throw_value(what + " says that its shape is " + shape_text(array.shape) + " with steps of " +
                  shape_text(array.steps) + " bytes, which no memory holds");
    (array.steps[i] < 0 ? span.first : span.end) += last * array.steps[i];
  }
  return span;
}

/// Whether the process has memory at both ends; true if the system does not tell.
bool is_mapped(std::uintptr_t first, std::uintptr_t last) {
  char bytes[2];
  iovec to{bytes, 2};
  iovec from[2]{{reinterpret_cast<void*>(first), 1}, {reinterpret_cast<void*>(last), 1}};
  const ssize_t read = ::process_vm_readv(::getpid(), &to, 1, from, 2, 0);
  return read == 2 || (read < 0 && errno != EFAULT);
}

bool has_true(nb::handle mask) {
  const nb::object any = numpy("any")(mask);
  return PyObject_IsTrue(any.ptr()) == 1;
}

/// The mask of an array that has one: numpy.ma's, those of other subclasses, and the member of the
/// array interfaces. None if there is none.
nb::object mask_of_array(nb::handle object) {
  if (PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject*>(numpy("ndarray").ptr())))
    return nb::getattr(object, "mask", nb::none());
  for (const char* name : {"__array_interface__", "__cuda_array_interface__"}) {
    const nb::object interface = nb::getattr(object, name, nb::none());
    if (nb::isinstance<nb::dict>(interface) && nb::borrow<nb::dict>(interface).contains("mask"))
      return interface["mask"];
  }
  return nb::none();
}

}  // namespace

bool is_plain_ndarray(nb::handle object) {
  static const PyObject* const type = numpy("ndarray").release().ptr();
  return reinterpret_cast<const PyObject*>(Py_TYPE(object.ptr())) == type;
}

void refuse_mask(const std::string& what, nb::handle object) {
  if (is_plain_ndarray(object)) return;
  const nb::object mask = mask_of_array(object);
  if (mask.is_none() || !has_true(mask)) return;
  const std::string name = what.substr(what.rfind(' ') + 1);
  throw nb::type_error((what +
                        " has masked values, which would count as if they were not; fill "
                        "them first: " +
                        name + ".filled(value)")
                           .c_str());
}

nb::object unmasked_array(const std::string& what, nb::handle object, const char* dtype) {
  refuse_mask(what, object);
  const nb::object array = numpy("asarray")(object);
  look_at_raw(array, what);  // before NumPy converts what is not there
  const bool objects = shown(array.attr("dtype").attr("kind")) == "O";
  if (objects && !nb::cast<bool>(array.attr("flags").attr("owndata")))
    throw nb::type_error(
        (what + " shows memory as Python objects; give an array of numbers").c_str());
  return dtype ? numpy("asarray")(array, "dtype"_a = dtype) : array;
}

void check_memory(const std::string& what, const RawArray& array) {
  if (array.shape.size() > kMostAxes)
    throw_value(what + " has " + std::to_string(array.shape.size()) + " axes; it can have " +
                std::to_string(kMostAxes));
  bool empty = array.bytes < 1;
  for (const long long extent : array.shape) {
    if (extent < 0)
      throw_value(what + " says that its shape is " + shape_text(array.shape) +
                  "; extents cannot be negative");
    empty = empty || extent == 0;
  }
  if (empty) return;
  const Span span = span_of(what, array);
  const auto address = reinterpret_cast<std::uintptr_t>(array.data);
  const std::uintptr_t first = address + static_cast<std::uintptr_t>(span.first),
                       last = address + static_cast<std::uintptr_t>(span.end - 1);
  const bool wraps = first > address || last < address;
  const bool known = array.allocated || array.device != kHost;
  if (address == 0 || wraps || (!known && !is_mapped(first, last)))
    throw_value(what + " says that its " + shape_text(array.shape) +
                " values lie where this "
                "process has no memory; give an array that owns its memory");
}

}  // namespace tessera::python
