// SPDX-License-Identifier: Apache-2.0
// Masks of voltages, from arrays of any library to bytes on the host.
#include <algorithm>

#include "python/voltage_axes.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// Packed bytes of 0 and 1 in host memory.
RawArray on_the_host(nb::handle given, const std::string& what) {
  const RawArray raw = look_at_raw(given, what);
  nb::object host = raw.object;
  if (raw.device != kHost && raw.library == Library::other)
    throw nb::type_error((what + " lies on a device; give an array of the host").c_str());
  if (raw.library == Library::cupy) host = host.attr("get")();
  if (raw.library == Library::torch) host = host.attr("cpu")().attr("numpy")();
  return look_at_raw(
      nb::module_::import_("numpy").attr("ascontiguousarray")(host, "dtype"_a = "bool"), what);
}

/// How often a value of the mask counts: for all polarisations of an antenna, or for one input.
int inputs_a_value(const RawArray& mask, const XEngineShape& shape) {
  const Shape& given = mask.shape;
  if (given.size() == 3 && given[1] == shape.antennas && given[2] == shape.polarisations) return 1;
  if (given.size() == 2 && given[1] == shape.inputs()) return 1;
  if (given.size() == 2 && given[1] == shape.antennas) return shape.polarisations;
  throw_usage(mask.what + " has shape " + shape_text(given) + "; it must be (stretches of time, " +
              std::to_string(shape.antennas) + " antennas, " + std::to_string(shape.polarisations) +
              " polarisations), or have one axis for all inputs, or one value per antenna");
}

long long length_of_stretches(const std::string& what, long long stretches, long long samples) {
  if (stretches > 0 && samples % stretches == 0) return samples / stretches;
  throw_usage(what + " has " + std::to_string(stretches) + " stretches for " +
              std::to_string(samples) +
              " samples, which are not equally long; say how long they are with valid_samples=");
}

}  // namespace

ValidMask mask_of(nb::handle given, const XEngineShape& shape, long long samples,
                  std::optional<long long> length, const std::string& operation) {
  if (given.is_none()) return {};
  const RawArray mask = on_the_host(given, operation + ": valid");
  const int repeat = inputs_a_value(mask, shape);
  const long long stretches = mask.shape[0];
  ValidMask result;
  const bool told = length && stretches > 0;  // no stretch at all would pass for no mask
  result.samples = told           ? *length
                   : samples == 0 ? 1
                                  : length_of_stretches(mask.what, stretches, samples);
  const auto* bytes = static_cast<const unsigned char*>(mask.data);
  const long long values = stretches * shape.inputs() / repeat;
  result.valid.reserve(static_cast<std::size_t>(values * repeat));
  for (long long k = 0; k < values; ++k) result.valid.insert(result.valid.end(), repeat, bytes[k]);
  return result;
}

}  // namespace tessera::python
