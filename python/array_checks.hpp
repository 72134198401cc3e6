// SPDX-License-Identifier: Apache-2.0
/// What an array says of itself is checked before its memory is touched.
#pragma once

#include <string>

#include "python/raw_arrays.hpp"

namespace tessera::python {

/// Whether it is exactly numpy.ndarray, not a subclass, which may say anything of itself.
bool is_plain_ndarray(nb::handle object);

/// Throws TypeError if an array has masked values, which would count as if they were not. One whose
/// mask hides nothing passes.
void refuse_mask(const std::string& what, nb::handle object);

/// numpy.asarray(object, dtype), but masks are not dropped in silence and memory is checked.
nb::object unmasked_array(const std::string& what, nb::handle object, const char* dtype = nullptr);

/// Throws ValueError if shape, steps and address cannot be those of an array, or if an array in
/// host memory begins or ends where the process has no memory.
void check_memory(const std::string& what, const RawArray& array);

}  // namespace tessera::python
