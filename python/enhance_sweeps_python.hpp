// SPDX-License-Identifier: Apache-2.0
/// Plans of enhance over Python arrays, for whole images and for pieces of them. Steps that measure
/// the image sweep over it before rows can be made: what a sweep found in pieces are counts, which
/// are added, and the counts of all finished sweeps are what later ones need to know.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "python/image_plan.hpp"
#include "tessera/enhance.hpp"

namespace tessera::python {

class EnhancePlan : public ImagePlan<Enhance> {
 public:
  EnhancePlan(const std::string& operation, const Array& like, const EnhanceOptions& own,
              const RunOptions& run, nb::handle weights);

  /// Arrays of counts, one for each sweep that is finished.
  using Found = std::vector<nb::object>;

  /// The counts of the next sweep in these rows, from a piece that begins with row `first_row`.
  nb::object look(nb::handle piece, int first_row, Rows rows, const Found& found);
  /// The counts of pieces, as counts of all their rows.
  nb::object add_counts(const std::vector<nb::object>& counts, const Found& found);
  /// Rows of the result, after all sweeps.
  nb::object run_rows(nb::handle piece, int first_row, Rows wanted, const Found& found);

 private:
  struct ColourPiece;
  EnhanceState state_of(const Enhance& plan, const Found& found) const;
};

void add_enhance_rows(nb::class_<EnhancePlan>& plan);

}  // namespace tessera::python
