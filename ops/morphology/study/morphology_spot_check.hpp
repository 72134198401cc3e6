// SPDX-License-Identifier: Apache-2.0
/// Some rows of an eroded image by the reference: all of them would take minutes.
#pragma once

#include <string>
#include <vector>

#include "core/compare.hpp"
#include "study/report_ways.hpp"
#include "tessera/morphology.hpp"

namespace tessera {

class ErosionSpotCheck {
 public:
  ErosionSpotCheck(AnyView in, AnyView element) : rows_(some_rows(in.size.height)) {
    const Morphology reference(MorphologyKind::erode, in.info(), element,
                               {.backend = Backend::cpu, .method = "reference"});
    Stream stream;
    for (const Rows& rows : rows_) {
      Image made({in.size.width, rows.count()}, in.type);
      reference(Piece{in, 0}, MutablePiece{made.view(), rows.first}, stream);
      truth_.push_back(as_double(made.view()));
    }
  }

  /// "" or the first pixel that differs.
  std::string disagreement(AnyView out) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const AnyView found = out.rows(rows_[k].first, rows_[k].count());
      const Comparison seen = compare(truth_[k].view(), found, 0);
      if (!seen.disagreement.empty()) return seen.disagreement;
    }
    return "";
  }

 private:
  std::vector<Rows> rows_;
  std::vector<Image> truth_;
};

}  // namespace tessera
