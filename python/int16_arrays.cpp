// SPDX-License-Identifier: Apache-2.0
#include "python/int16_arrays.hpp"

#include <string>

#include "python/arrays.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

// NumPy calls it ">i2" if its bytes are in the other order.
bool is_int16(const std::string& dtype) {
  return dtype == "int16" || dtype == ">i2" || dtype == "<i2" || dtype == "i2";
}

}  // namespace

nb::object without_int16(nb::handle object) {
  if (!nb::hasattr(object, "dtype")) return nb::borrow(object);
  const std::string dtype = shown(nb::getattr(object, "dtype"));
  if (dtype == "torch.int16") return nb::getattr(object, "float")();
  return is_int16(dtype) && nb::hasattr(object, "astype") ? nb::getattr(object, "astype")("float32")
                                                          : nb::borrow(object);
}

nb::object dtype_without_int16(nb::handle dtype) {
  const bool text = nb::isinstance<nb::str>(dtype);  // may be "f32", which NumPy does not know
  const std::string name = shown(text ? nb::borrow(dtype) : numpy("dtype")(dtype));
  return is_int16(name) ? nb::object(nb::str("float32")) : nb::borrow(dtype);
}

}  // namespace tessera::python
