// SPDX-License-Identifier: Apache-2.0
/// Some rows of a filtered image by the reference: all of them would take minutes.
#pragma once

#include <string>
#include <vector>

#include "core/compare.hpp"
#include "study/report_ways.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

class ConvolveSpotCheck {
 public:
  ConvolveSpotCheck(AnyView in, AnyView filter, ConvolveOptions options)
      : largest_(largest_magnitude(in)) {
    options.backend = Backend::cpu;
    options.method = "reference";
    options.output_type = Type::f64;
    const Convolve reference(in.info(), filter, options);
    const Size size = reference.output().size;
    rows_ = some_rows(size.height);
    Stream stream;
    for (const Rows& rows : rows_) {
      truth_.emplace_back(Size{size.width, rows.count(), size.channels}, Type::f64);
      reference(Piece{in, 0}, MutablePiece{truth_.back().view(), rows.first}, stream);
    }
  }

  /// "" or the first pixel that is outside the plan's bound.
  std::string disagreement(const Convolve& plan, AnyView out) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const AnyView found = out.rows(rows_[k].first, rows_[k].count());
      const Comparison seen = compare(truth_[k].view(), found, plan.error_bound(largest_));
      if (!seen.disagreement.empty()) return seen.disagreement;
    }
    return "";
  }

 private:
  double largest_;
  std::vector<Rows> rows_;
  std::vector<Image> truth_;
};

}  // namespace tessera
