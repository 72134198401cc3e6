// SPDX-License-Identifier: Apache-2.0
/// Stokes I of the rows of a catalogue: the model or the fit that divided Q and U.
#pragma once

#include <vector>

#include "jobs/faraday/catalogue_rows.hpp"
#include "jobs/faraday/faraday_input.hpp"

namespace tessera {

/// At the frequency that the spectra refer to. A fit also gives errors; `frequency` of rows is
/// where the values apply. Rows without a pixel stay as they are.
void add_stokes_i(const FaradayFiles& files, FaradayInput& input, const FaradayAxes& axes,
                  std::vector<CatalogueRow>& rows);

}  // namespace tessera
