// SPDX-License-Identifier: Apache-2.0
#include "python/fresh_arrays.hpp"

#include <nanobind/ndarray.h>

#include <utility>

#include "python/arrays.hpp"
#include "tessera/stream.hpp"

namespace tessera::python {
namespace {

/// Smaller arrays come from memory that malloc keeps itself.
constexpr std::size_t kLeastBytes = std::size_t{1} << 20;

std::size_t bytes_of_array(const nb::tuple& shape, const nb::object& dtype) {
  auto bytes = nb::cast<std::size_t>(dtype.attr("itemsize"));
  for (const nb::handle extent : shape) bytes *= nb::cast<std::size_t>(extent);
  return bytes;
}

nb::handle numpy_empty() {
  static const nb::handle made = numpy("empty").release();
  return made;
}

}  // namespace

nb::object fresh_array(const nb::tuple& shape, const nb::object& dtype) {
  const std::size_t bytes = bytes_of_array(shape, dtype);
  if (bytes < kLeastBytes) return numpy_empty()(shape, dtype);
  auto* owned = new Scratch(thread_stream(kHost).scratch(bytes));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Scratch*>(p); });
  const nb::ndarray<nb::numpy, unsigned char, nb::ndim<1>> memory(owned->data(), {bytes}, owner);
  return nb::cast(memory).attr("view")(dtype).attr("reshape")(shape);
}

}  // namespace tessera::python
