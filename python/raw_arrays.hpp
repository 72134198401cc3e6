// SPDX-License-Identifier: Apache-2.0
/// Arrays as they come, of any dtype; `look_at` (arrays.hpp) takes those that images are made of.
#pragma once

#include <string>

#include "python/arrays.hpp"

namespace tessera::python {

struct RawArray {
  nb::object object;
  nb::object memory;  ///< owns `data`, if that is not the object
  void* data = nullptr;
  std::string dtype;             ///< NumPy's name: "int8", ">f4", "[('re', 'i1'), ('im', 'i1')]"
  long long bytes = 1;           ///< of an element
  Shape shape = {}, steps = {};  ///< steps in bytes
  int device = kHost;
  bool writable = true;
  Library library = Library::numpy;
  void* cuda_stream = nullptr;  ///< the one __cuda_array_interface__ named
  bool allocated = false;       ///< by NumPy: it is there
  std::string what;             ///< as messages name it: "xengine: voltages"
};

/// Looks at an object where it lies. Lists and the like become NumPy arrays, unless they are to
/// take a result: TypeError. Unless `any_order`, arrays in the other byte order become copies.
RawArray look_at_raw(nb::handle object, const std::string& what, bool for_result = false,
                     bool any_order = false);

/// Whether elements lie one after the other, the last axis fastest.
bool is_packed(const RawArray& array);

/// The part of an array that streams and new arrays of the same library are made by.
Array family_of(const RawArray& array);

/// NumPy arrays in the other byte order, such as those of FITS files, become copies in this
/// machine's; all others stay as they are.
nb::object in_native_order(const nb::object& array);

}  // namespace tessera::python
