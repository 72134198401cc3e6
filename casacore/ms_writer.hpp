// SPDX-License-Identifier: Apache-2.0
/// A Measurement Set that grows by rows. Functions throw what casacore throws.
#pragma once

#include <casacore/ms/MeasurementSets/MSMainColumns.h>
#include <casacore/ms/MeasurementSets/MeasurementSet.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "io/ms/ms_interface.h"

namespace tessera {

/// The empty main table with its storage managers, and empty subtables. Tables write what they still
/// have in memory when they are destroyed, and if that fails the process ends: one that could not be
/// made whole is never destroyed.
casacore::MeasurementSet& new_measurement_set(const TesseraMsHeader& header);

/// The rows of subtables that are known before the work.
void fill_subtables(casacore::MeasurementSet& set, const TesseraMsHeader& header);
/// A row of FIELD.
void add_field(casacore::MeasurementSet& set, const TesseraMsField& field);
/// The times that are known only at the end of the work.
void set_times(casacore::MeasurementSet& set, double first, double last);

/// Destroyed only after `close`; whoever gives it up after an error leaves its tables in memory and calls
/// close_files.
class MsWriter {
 public:
  explicit MsWriter(const TesseraMsHeader& header);
  MsWriter(const MsWriter&) = delete;
  MsWriter& operator=(const MsWriter&) = delete;
  ~MsWriter() = default;

  void add(const TesseraMsField& field) { add_field(set_, field); }
  void add(const TesseraMsRows& rows);
  void close(double first, double last);

 private:
  void put_constants(const TesseraMsRows& rows, casacore::rownr_t first);
  void put_weights(const TesseraMsRows& rows, const casacore::Slicer& place);

  casacore::MeasurementSet& set_;
  std::unique_ptr<casacore::MSMainColumns> columns_;
  std::ptrdiff_t products_, channels_;
  std::vector<float> sigmas_, spectrum_;
  std::unique_ptr<bool[]> flags_;  ///< not std::vector<bool>, which has no bools in memory
  long long room_ = 0;             ///< rows that the three above can hold
};

/// Closes and empties all files that this process has open in a folder, whose name is a real path: a
/// full disk has room again before they are removed.
void close_files(const std::string& folder);

}  // namespace tessera
