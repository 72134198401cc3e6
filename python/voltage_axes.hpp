// SPDX-License-Identifier: Apache-2.0
/// Arrays of voltages: which axis is which, and where samples then lie.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "python/raw_arrays.hpp"
#include "tessera/xengine.hpp"

namespace tessera::python {

/// The meaning of dtypes and axes: ci8 of int8, real and imaginary part side by side, and so on.
struct VoltageFormat {
  SampleType samples = SampleType::ci8;
  bool offset_binary = false;
};

/// The samples a dtype stands for if nobody says: ci8 of int8 (uint8: offset binary), ci16, cf16,
/// cf32. TypeError for others.
VoltageFormat format_of(const RawArray& voltages);

/// The array's shape, where antennas and polarisations are axes of their own or `polarisations`
/// says how many there are. ValueError names what the layout wants.
XEngineShape shape_of(const RawArray& voltages, const std::string& layout,
                      const VoltageFormat& format, std::optional<int> polarisations);

/// The meaning of each axis of the array: t time, c channels, a antennas, p polarisations, i
/// inputs, n samples of a group, r real and imaginary part. ValueError as for shape_of.
std::string axes_of(const RawArray& voltages, const std::string& layout,
                    const VoltageFormat& format, std::optional<int> polarisations);

/// The array as a block, in place. TypeError names dtypes, ValueError shapes, that would do.
VoltageBlock block_of(const RawArray& voltages, const std::string& layout,
                      const XEngineShape& shape, const VoltageFormat& format);

/// A mask of a block, on the host: [stretch][input].
struct ValidMask {
  std::vector<unsigned char> valid;
  long long samples = 0;  ///< of a stretch
};
/// (stretches, antennas, polarisations), (stretches, inputs) or (stretches, antennas), of anything
/// that is true or false. Without `length` the stretches are equally long.
/// Messages begin with the operation.
ValidMask mask_of(nb::handle given, const XEngineShape& shape, long long samples,
                  std::optional<long long> length, const std::string& operation = "xengine");

}  // namespace tessera::python
