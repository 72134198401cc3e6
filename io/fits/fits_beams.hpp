// SPDX-License-Identifier: Apache-2.0
/// The table BEAMS that CASA puts behind a cube whose planes have different beams.
#pragma once

#include "io/beam_table.hpp"
#include "io/fits/fits_hdu.hpp"

namespace tessera {

/// Empty if the header of the image does not announce a table (CASAMBM). It never throws for a bad
/// table: only callers that need the beams care, and they read what is wrong.
BeamTable read_beam_table(FitsBytes& bytes, const FitsHdu& image, const ReadOptions& options);

}  // namespace tessera
