// SPDX-License-Identifier: Apache-2.0
/// The rows of a run that is done in parts, at different times (Ranks::part_rows): each part keeps
/// those it makes, and the process that joins the parts fetches all of them.
#pragma once

#include <span>
#include <vector>

#include "core/strips.hpp"

namespace tessera {

class PartRows {
 public:
  virtual ~PartRows() = default;

  /// Begins the rows of the next call of stream_rows.
  virtual void begin(const std::vector<ImageInfo>& outputs, const RowUnits& units) = 0;
  /// Keeps rows of one unit, of every output.
  virtual void keep(Rows rows, std::span<const AnyMutableView> outputs) = 0;
  /// Fills `outputs` with rows of one unit.
  virtual void fetch(Rows rows, std::span<const AnyMutableView> outputs) = 0;
  virtual void end() = 0;
};

}  // namespace tessera
