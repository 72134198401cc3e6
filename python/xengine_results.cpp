// SPDX-License-Identifier: Apache-2.0
#include "python/xengine_results.hpp"

#include <algorithm>
#include <cstdint>

#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kXEngineOut = "xengine: out";

bool is_tiled(const XEngine& plan) { return plan.output().order == VisibilityOrder::register_tile; }
bool of_integers(const XEngine& plan) {
  return plan.output().type == VisibilityType::i64 || plan.output().type == VisibilityType::i32;
}

/// The axes of a channel's values.
Shape value_shape(const XEngine& plan) {
  const XEngineShape& shape = plan.shape();
  switch (plan.output().order) {
    case VisibilityOrder::full:
      return {shape.inputs(), shape.inputs()};
    case VisibilityOrder::register_tile:
      return {plan.output().values};
    default:
      return {shape.baselines(), shape.polarisations, shape.polarisations};
  }
}

void check_out(const RawArray& out, const Shape& shape, const char* dtype) {
  if (out.shape != shape || out.dtype != dtype)
    throw_usage(std::string(kXEngineOut) + " is " + shape_text(out.shape) + " of " + out.dtype +
                "; it must be " + shape_text(shape) + " of " + dtype);
  if (!out.writable || !is_packed(out))
    throw_usage(std::string(kXEngineOut) + (out.writable ? " has gaps" : " is read-only") +
                "; give a packed array that can be written");
}

/// Memory of a new NumPy array.
template <class T>
T* filled_by(const nb::object& array) {
  return static_cast<T*>(look_at_raw(array, "result").data);
}

}  // namespace

Shape visibility_shape(const XEngine& plan) {
  Shape shape = value_shape(plan);
  shape.insert(shape.begin(), plan.output().channels);
  if (is_tiled(plan))
    shape.insert(shape.begin(), 2);
  else if (of_integers(plan))
    shape.push_back(2);
  return shape;
}

const char* visibility_dtype(const XEngine& plan) {
  switch (plan.output().type) {
    case VisibilityType::i32:
      return "int32";
    case VisibilityType::f64:
      return is_tiled(plan) ? "float64" : "complex128";
    case VisibilityType::f32:
      return is_tiled(plan) ? "float32" : "complex64";
    default:
      return "int64";
  }
}

RawArray visibility_array(const XEngine& plan, nb::handle out, const Array& family) {
  const Shape shape = visibility_shape(plan);
  const char* const dtype = visibility_dtype(plan);
  if (out.is_none()) return look_at_raw(make_empty(family, shape, dtype), kXEngineOut, true);
  RawArray array = look_at_raw(out, kXEngineOut, true);
  check_out(array, shape, dtype);
  return array;
}

nb::object as_complex_array(const XEngine& plan, const RawArray& visibilities) {
  const nb::object array = visibilities.object;
  if (!is_tiled(plan) && !of_integers(plan)) return array;
  const nb::object unit = nb::module_::import_("builtins").attr("complex")(0.0, 1.0);
  if (is_tiled(plan)) return array[0] + unit * array[1];
  if (visibilities.library == Library::torch) {
    const nb::module_ torch = nb::module_::import_("torch");
    return torch.attr("view_as_complex")(array.attr("to")(nb::getattr(torch, "float64")));
  }
  return array.attr("astype")("float64").attr("view")("complex128").attr("squeeze")(-1);
}

nb::object counts_array(const XEngine& plan, const XEngineDump& dump) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const Shape shape = value_shape(plan);
  if (dump.valid.empty())
    return numpy.attr("full")(to_tuple(shape), dump.samples * plan.options().average,
                              "dtype"_a = "int64");
  const nb::object counts = numpy.attr("empty")(to_tuple(shape), "dtype"_a = "int64");
  std::copy(dump.valid.begin(), dump.valid.end(), filled_by<std::int64_t>(counts));
  return counts;
}

nb::object baselines_array(int antennas) {
  if (antennas < 1)
    throw_usage("baselines: there are " + std::to_string(antennas) + " antennas; give 1 or more");
  const XEngineShape shape{.antennas = antennas};
  const nb::object pairs = nb::module_::import_("numpy").attr("empty")(
      to_tuple({shape.baselines(), 2}), "dtype"_a = "int32");
  auto* pair = filled_by<std::int32_t>(pairs);
  for (int a = 0; a < antennas; ++a)
    for (int b = 0; b <= a; ++b) {
      *pair++ = a;
      *pair++ = b;
    }
  return pairs;
}

}  // namespace tessera::python
