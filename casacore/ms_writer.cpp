// SPDX-License-Identifier: Apache-2.0
#include "casacore/ms_writer.hpp"

#include <casacore/casa/Arrays/Array.h>
#include <casacore/casa/Arrays/Slicer.h>
#include <casacore/casa/Arrays/Vector.h>

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

using casacore::IPosition;
using Index = casacore::rownr_t;

/// An array of somebody else's values, which casacore only reads.
template <class T>
casacore::Array<T> shared(const IPosition& shape, const void* values) {
  return {shape, static_cast<T*>(const_cast<void*>(values)), casacore::SHARE};
}

}  // namespace

MsWriter::MsWriter(const TesseraMsHeader& header)
    : set_(new_measurement_set(header)),
      columns_(set_),
      products_(header.polarisations * header.polarisations),
      channels_(header.channels) {
  fill_subtables(set_, header);
}

// The incremental storage manager keeps a value for all rows until another is put.
void MsWriter::put_constants(const TesseraMsRows& rows, Index first) {
  columns_.time().put(first, rows.time);
  columns_.timeCentroid().put(first, rows.time);
  columns_.interval().put(first, rows.seconds);
  columns_.exposure().put(first, rows.seconds);
  columns_.fieldId().put(first, rows.field);
  columns_.scanNumber().put(first, rows.scan);
  if (first > 0) return;
  columns_.arrayId().put(0, 0);
  columns_.dataDescId().put(0, 0);
  columns_.feed1().put(0, 0);
  columns_.feed2().put(0, 0);
  columns_.observationId().put(0, 0);
  columns_.processorId().put(0, 0);
  columns_.stateId().put(0, 0);
  columns_.flagCategory().put(0, casacore::Array<bool>(IPosition(3, products_, channels_, 0)));
}

// All channels of a product have the same number of samples.
void MsWriter::put_weights(const TesseraMsRows& rows, const casacore::Slicer& place) {
  const std::ptrdiff_t count = rows.count, cells = count * products_;
  if (rows.count > room_) {
    sigmas_.resize(static_cast<std::size_t>(cells));
    spectrum_.resize(static_cast<std::size_t>(cells * channels_));
    flags_ = std::make_unique<bool[]>(static_cast<std::size_t>(cells * channels_));
    room_ = rows.count;
  }
  casacore::Vector<bool> rows_without(static_cast<std::size_t>(count));
  for (std::ptrdiff_t row = 0, at = 0; row < count; ++row) {
    const float* const weights = rows.weights + row * products_;
    bool any = false;
    for (std::ptrdiff_t k = 0; k < products_; ++k) {
      any = any || weights[k] > 0;
      sigmas_[static_cast<std::size_t>(row * products_ + k)] =
          weights[k] > 0 ? 1 / std::sqrt(weights[k]) : 0;
    }
    rows_without[row] = !any;
    for (std::ptrdiff_t channel = 0; channel < channels_; ++channel)
      for (std::ptrdiff_t k = 0; k < products_; ++k, ++at) {
        spectrum_[static_cast<std::size_t>(at)] = weights[k];
        flags_[static_cast<std::size_t>(at)] = !(weights[k] > 0);
      }
  }
  const IPosition cell(2, products_, count), spectrum(3, products_, channels_, count);
  columns_.flagRow().putColumnRange(place, rows_without);
  columns_.weight().putColumnRange(place, shared<float>(cell, rows.weights));
  columns_.sigma().putColumnRange(place, shared<float>(cell, sigmas_.data()));
  columns_.weightSpectrum().putColumnRange(place, shared<float>(spectrum, spectrum_.data()));
  columns_.flag().putColumnRange(place, shared<bool>(spectrum, flags_.get()));
}

void MsWriter::add(const TesseraMsRows& rows) {
  const Index first = set_.nrow();
  const std::ptrdiff_t count = rows.count;
  set_.addRow(static_cast<Index>(rows.count));
  const casacore::Slicer place(IPosition(1, static_cast<std::ptrdiff_t>(first)),
                               IPosition(1, count));
  put_constants(rows, first);
  const auto numbers = [&](const int* antennas) {
    return casacore::Vector<int>(shared<int>(IPosition(1, count), antennas));
  };
  columns_.antenna1().putColumnRange(place, numbers(rows.antenna1));
  columns_.antenna2().putColumnRange(place, numbers(rows.antenna2));
  columns_.uvw().putColumnRange(place, shared<double>(IPosition(2, 3, count), rows.uvw));
  columns_.data().putColumnRange(
      place, shared<casacore::Complex>(IPosition(3, products_, channels_, count), rows.data));
  put_weights(rows, place);
}

void MsWriter::finish(double first, double last) {
  set_times(set_, first, last);
  set_.flush();
}

}  // namespace tessera
