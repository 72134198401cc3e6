// SPDX-License-Identifier: Apache-2.0
/// Some rows of a result by the reference: all of them would take minutes.
#pragma once

#include <string>
#include <vector>

#include "core/compare.hpp"
#include "study/report_ways.hpp"

namespace tessera {

class SpotRows {
 public:
  /// reference(piece, stream) makes the rows of a piece of the result.
  template <class Reference>
  SpotRows(const ImageInfo& result, Reference reference) : rows_(some_rows(result.size.height)) {
    Stream stream;
    for (const Rows& rows : rows_) {
      Size size = result.size;
      size.height = rows.count();
      Image made(size, result.type);
      reference(MutablePiece{made.view(), rows.first}, stream);
      truth_.push_back(as_double(made.view()));
    }
  }

  /// "" or the first pixel that is outside the bound.
  std::string disagreement(AnyView out, double bound) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const AnyView found = out.rows(rows_[k].first, rows_[k].count());
      const Comparison seen = compare(truth_[k].view(), found, bound);
      if (!seen.disagreement.empty()) return seen.disagreement;
    }
    return "";
  }

 private:
  std::vector<Rows> rows_;
  std::vector<Image> truth_;
};

}  // namespace tessera
