// SPDX-License-Identifier: Apache-2.0
// The subtables. POINTING and FLAG_CMD stay empty: a recording does not say where its antennas
// point.
#include <casacore/casa/Arrays/Matrix.h>
#include <casacore/casa/Arrays/Vector.h>
#include <casacore/measures/Measures/MFrequency.h>
#include <casacore/measures/Measures/Stokes.h>
#include <casacore/ms/MeasurementSets/MSAntennaColumns.h>
#include <casacore/ms/MeasurementSets/MSDataDescColumns.h>
#include <casacore/ms/MeasurementSets/MSFeedColumns.h>
#include <casacore/ms/MeasurementSets/MSFieldColumns.h>
#include <casacore/ms/MeasurementSets/MSHistoryColumns.h>
#include <casacore/ms/MeasurementSets/MSObsColumns.h>
#include <casacore/ms/MeasurementSets/MSPolColumns.h>
#include <casacore/ms/MeasurementSets/MSProcessorColumns.h>
#include <casacore/ms/MeasurementSets/MSSpWindowColumns.h>
#include <casacore/ms/MeasurementSets/MSStateColumns.h>

#include <algorithm>
#include <cmath>

#include "casacore/ms_writer.hpp"

namespace tessera {
namespace {

using casacore::Complex;
using casacore::MeasurementSet;
using Index = casacore::rownr_t;
template <class T>
using Matrix = casacore::Matrix<T>;
template <class T>
using Vector = casacore::Vector<T>;

constexpr double kAlways = 1e30;  // an interval around any time, seconds

void fill_antennas(MeasurementSet& set, const TesseraMsHeader& header) {
  casacore::MSAntenna& table = set.antenna();
  casacore::MSAntennaColumns row(table);
  row.setPositionRef(casacore::MPosition::ITRF);
  table.addRow(static_cast<Index>(header.antenna_count));
  for (int a = 0; a < header.antenna_count; ++a) {
    const auto at = static_cast<Index>(a);
    const auto& [x, y, z] = header.antennas[a].position;
    row.name().put(at, header.antennas[a].name);
    row.station().put(at, header.antennas[a].name);
    row.type().put(at, "GROUND-BASED");
    row.mount().put(at, "ALT-AZ");
    row.position().put(at, Vector<double>(std::vector<double>{x, y, z}));
    row.offset().put(at, Vector<double>(3, 0));
    row.dishDiameter().put(at, 0);
    row.flagRow().put(at, false);
  }
}

void fill_feeds(MeasurementSet& set, const TesseraMsHeader& header) {
  const auto receptors = static_cast<std::size_t>(header.polarisations);
  casacore::MSFeed& table = set.feed();
  table.addRow(static_cast<Index>(header.antenna_count));
  casacore::MSFeedColumns row(table);
  Vector<casacore::String> types(receptors, "X");
  if (receptors > 1) types[1] = "Y";
  Matrix<Complex> response(receptors, receptors, Complex(0));
  response.diagonal() = Complex(1);
  for (int a = 0; a < header.antenna_count; ++a) {
    const auto at = static_cast<Index>(a);
    row.antennaId().put(at, a);
    row.feedId().put(at, 0);
    row.spectralWindowId().put(at, -1);
    row.time().put(at, 0);
    row.interval().put(at, kAlways);
    row.numReceptors().put(at, header.polarisations);
    row.beamId().put(at, -1);
    row.beamOffset().put(at, Matrix<double>(2, receptors, 0.0));
    row.polarizationType().put(at, types);
    row.polResponse().put(at, response);
    row.position().put(at, Vector<double>(3, 0));
    row.receptorAngle().put(at, Vector<double>(receptors, 0.0));
  }
}

void fill_window(MeasurementSet& set, const TesseraMsHeader& header) {
  const auto channels = static_cast<std::size_t>(header.channels);
  set.spectralWindow().addRow();
  casacore::MSSpWindowColumns row(set.spectralWindow());
  Vector<double> frequencies(
      std::vector<double>(header.frequencies, header.frequencies + channels));
  const double width = std::abs(header.channel_width);
  row.name().put(0, "band");
  row.numChan().put(0, header.channels);
  row.refFrequency().put(0, frequencies[0]);
  row.chanFreq().put(0, frequencies);
  row.chanWidth().put(0, Vector<double>(channels, header.channel_width));
  row.effectiveBW().put(0, Vector<double>(channels, width));
  row.resolution().put(0, Vector<double>(channels, width));
  row.totalBandwidth().put(0, width * header.channels);
  row.measFreqRef().put(0, casacore::MFrequency::TOPO);
  row.netSideband().put(0, header.channel_width < 0 ? -1 : 1);
  row.ifConvChain().put(0, 0);
  row.freqGroup().put(0, 0);
  row.freqGroupName().put(0, "");
  row.flagRow().put(0, false);
}

void fill_polarisations(MeasurementSet& set, const TesseraMsHeader& header) {
  using casacore::Stokes;
  constexpr int kTypes[] = {Stokes::XX, Stokes::XY, Stokes::YX, Stokes::YY};
  const int p = header.polarisations;
  Vector<int> types(static_cast<std::size_t>(p * p));
  Matrix<int> receptors(2, types.size());
  for (int k = 0; k < p * p; ++k) {
    types[k] = kTypes[k];
    receptors(0, k) = k / p;
    receptors(1, k) = k % p;
  }
  set.polarization().addRow();
  casacore::MSPolarizationColumns row(set.polarization());
  row.numCorr().put(0, p * p);
  row.corrType().put(0, types);
  row.corrProduct().put(0, receptors);
  row.flagRow().put(0, false);
  set.dataDescription().addRow();
  casacore::MSDataDescColumns description(set.dataDescription());
  description.spectralWindowId().put(0, 0);
  description.polarizationId().put(0, 0);
  description.flagRow().put(0, false);
}

void fill_observation(MeasurementSet& set, const TesseraMsHeader& header) {
  set.observation().addRow();
  casacore::MSObservationColumns row(set.observation());
  row.telescopeName().put(0, header.telescope);
  row.observer().put(0, "");
  row.project().put(0, "");
  row.log().put(0, Vector<casacore::String>(1, ""));
  row.schedule().put(0, Vector<casacore::String>(1, ""));
  row.scheduleType().put(0, "");
  row.releaseDate().put(0, 0);
  row.timeRange().put(0, Vector<double>(2, 0));
  row.flagRow().put(0, false);
}

void fill_makers(MeasurementSet& set, const TesseraMsHeader& header) {
  set.processor().addRow();
  casacore::MSProcessorColumns processor(set.processor());
  processor.type().put(0, "CORRELATOR");
  processor.subType().put(0, header.maker);
  processor.typeId().put(0, -1);
  processor.modeId().put(0, -1);
  processor.flagRow().put(0, false);
  set.state().addRow();
  casacore::MSStateColumns state(set.state());
  state.sig().put(0, true);
  state.ref().put(0, false);
  state.cal().put(0, 0);
  state.load().put(0, 0);
  state.subScan().put(0, 0);
  state.obsMode().put(0, "");
  state.flagRow().put(0, false);
}

void fill_history(MeasurementSet& set, const TesseraMsHeader& header) {
  set.history().addRow(static_cast<Index>(header.history_lines));
  casacore::MSHistoryColumns row(set.history());
  for (int k = 0; k < header.history_lines; ++k) {
    const auto at = static_cast<Index>(k);
    row.time().put(at, header.written);
    row.observationId().put(at, 0);
    row.message().put(at, header.history[k]);
    row.priority().put(at, "INFO");
    row.origin().put(at, "tessera");
    row.objectId().put(at, 0);
    row.application().put(at, header.maker);
    row.cliCommand().put(at, Vector<casacore::String>(1, header.command));
    row.appParams().put(at, Vector<casacore::String>(1, ""));
  }
}

}  // namespace

void fill_subtables(MeasurementSet& set, const TesseraMsHeader& header) {
  fill_antennas(set, header);
  fill_feeds(set, header);
  fill_window(set, header);
  fill_polarisations(set, header);
  fill_observation(set, header);
  fill_makers(set, header);
  fill_history(set, header);
  casacore::MSFieldColumns(set.field()).setDirectionRef(casacore::MDirection::ICRS);
}

void add_field(MeasurementSet& set, const TesseraMsField& field) {
  const Index at = set.field().nrow();
  set.field().addRow();
  casacore::MSFieldColumns row(set.field());
  Matrix<double> direction(2, 1);
  direction(0, 0) = field.direction[0];
  direction(1, 0) = field.direction[1];
  row.name().put(at, field.name);
  row.code().put(at, "");
  row.time().put(at, field.time);
  row.numPoly().put(at, 0);
  row.delayDir().put(at, direction);
  row.phaseDir().put(at, direction);
  row.referenceDir().put(at, direction);
  row.sourceId().put(at, -1);
  row.flagRow().put(at, false);
}

void set_times(MeasurementSet& set, double first, double last) {
  casacore::MSObservationColumns observation(set.observation());
  observation.timeRange().put(0, Vector<double>(std::vector<double>{first, last}));
  casacore::MSFeedColumns feeds(set.feed());
  feeds.time().fillColumn((first + last) / 2);
}

}  // namespace tessera
