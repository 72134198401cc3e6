// SPDX-License-Identifier: Apache-2.0
/// A Measurement Set that grows by rows. Functions throw what casacore throws.
#pragma once

#include <casacore/ms/MeasurementSets/MSMainColumns.h>
#include <casacore/ms/MeasurementSets/MeasurementSet.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "io/ms/ms_interface.h"

namespace tessera {

/// The empty main table with its storage managers, and empty subtables.
casacore::MeasurementSet new_measurement_set(const TesseraMsHeader& header);

/// The rows of subtables that are known before the work.
void fill_subtables(casacore::MeasurementSet& set, const TesseraMsHeader& header);
/// A row of FIELD.
void add_field(casacore::MeasurementSet& set, const TesseraMsField& field);
/// The times that are known only at the end of the work.
void set_times(casacore::MeasurementSet& set, double first, double last);

class MsWriter {
 public:
  explicit MsWriter(const TesseraMsHeader& header);
  MsWriter(const MsWriter&) = delete;
  MsWriter& operator=(const MsWriter&) = delete;
  ~MsWriter() = default;

  void add(const TesseraMsField& field) { add_field(set_, field); }
  void add(const TesseraMsRows& rows);
  /// Everything is in the files.
  void finish(double first, double last);

 private:
  void put_constants(const TesseraMsRows& rows, casacore::rownr_t first);
  void put_weights(const TesseraMsRows& rows, const casacore::Slicer& place);

  casacore::MeasurementSet set_;
  casacore::MSMainColumns columns_;
  std::ptrdiff_t products_, channels_;
  std::vector<float> sigmas_, spectrum_;
  std::unique_ptr<bool[]> flags_;  ///< not std::vector<bool>, which has no bools in memory
  long long room_ = 0;             ///< rows that the three above can hold
};

}  // namespace tessera
