// SPDX-License-Identifier: Apache-2.0
/// Where the rows of a unit lie in the file of a part.
#pragma once

#include <algorithm>

#include "io/packed_rows.hpp"
#include "jobs/parts/part_record.hpp"

namespace tessera {

struct UnitPlace {
  int part;          ///< that has the unit, counted from 1
  long long offset;  ///< of the first of these rows, in the file of the part
  long long plane;   ///< bytes from plane to plane
};

/// `rows` are some of one unit of an output.
inline UnitPlace place_of(const KeptStream& stream, const ImageInfo& output, Rows rows, int parts) {
  const int unit = rows.first / stream.unit_rows, first = unit * stream.unit_rows;
  const long long row = row_bytes(output);
  const int height = std::min(stream.unit_rows, output.size.height - first);
  return {
      unit % parts + 1,
      (1LL * (unit / parts) * stream.unit_rows * output.size.planes + (rows.first - first)) * row,
      height * row};
}

}  // namespace tessera
