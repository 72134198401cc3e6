// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// Bytes of page-locked memory, seen as an array of any dtype.
nb::object pinned(nb::handle shape, nb::handle dtype) {
  const nb::object type = numpy("dtype")(dtype);
  if (nb::cast<bool>(type.attr("hasobject")))
    throw nb::type_error("pinned: an array of Python objects cannot be shared with a device");
  // NumPy's own checks of the shape, without memory: the array repeats one element.
  const nb::object like = numpy("broadcast_to")(numpy("empty")(nb::make_tuple(), type), shape);
  const auto bytes = nb::cast<long long>(like.attr("nbytes"));
  constexpr long long kRow = 1LL << 30;  // an image row has as many bytes as an int can count
  Image memory;
  {
    const LongCall unlocked;
    memory = page_locked_image(
        {{static_cast<int>(std::min(bytes, kRow)), static_cast<int>((bytes + kRow - 1) / kRow)},
         Type::u8,
         kHost});
  }
  const nb::object all = to_numpy(std::move(memory)).attr("reshape")(-1);
  const nb::object used = all[nb::slice(nb::int_(0), nb::int_(bytes), nb::none())];
  return used.attr("view")(type).attr("reshape")(like.attr("shape"));
}

}  // namespace

void add_memory(nb::module_& module) {
  module.def(
      "pinned", pinned, "shape"_a, "dtype"_a = "float32",
      nb::sig("def pinned(shape: int | collections.abc.Sequence[int], "
              "dtype: numpy.typing.DTypeLike = \"float32\") -> numpy.typing.NDArray[typing.Any]"),
      "A NumPy array of zeros in page-locked memory, which devices read and write at the full "
      "speed of their link: for inputs and results (out=) of many calls. Ordinary memory if there "
      "is no device or the system refuses. Its memory is kept for the next such array when it is "
      "no longer used; clear_cache() frees it.\n\n"
      ">>> image = tessera.pinned((4096, 4096), \"float32\")\n"
      ">>> image[:] = exposure");
  module.def(
      "clear_cache",
      [] {
        const LongCall unlocked;
        clear_cache();
      },
      nb::sig("def clear_cache() -> None"),
      "Frees what is kept for later calls and not in use: the plans of the last calls, host "
      "memory, page-locked memory, memory of devices. The next call makes its plan again.");
}

}  // namespace tessera::python
