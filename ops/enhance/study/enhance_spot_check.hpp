// SPDX-License-Identifier: Apache-2.0
/// Some rows of an enhanced image by the reference: all of them would take minutes. The limits
/// of contrast are those of the whole image.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "study/report_ways.hpp"
#include "tessera/enhance.hpp"

namespace tessera {

class EnhanceSpotCheck {
 public:
  EnhanceSpotCheck(AnyView in, const std::string& steps) {
    const Enhance reference({in.size, in.type, kHost},
                            {.steps = steps, .backend = Backend::cpu, .method = "reference"});
    Stream stream;
    const EnhanceState state = reference.examine(in, stream);
    output_ = reference.output();
    rows_ = some_rows(output_.size.height);
    for (const Rows& rows : rows_) {
      truth_.emplace_back(Size{output_.size.width, rows.count(), output_.size.channels},
                          output_.type);
      reference(state, Piece{in, 0}, MutablePiece{truth_.back().view(), rows.first}, stream);
    }
  }

  /// Whether `out`, which is packed, has the same bytes in those rows.
  bool agrees(AnyView out) const {
    if (!(out.size == output_.size)) return false;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const auto* const right = static_cast<const unsigned char*>(truth_[k].view().data);
      const auto* const found = out.rows(rows_[k].first, rows_[k].count()).address(0, 0);
      if (!std::equal(right, right + bytes_of(truth_[k].info()), found)) return false;
    }
    return true;
  }

 private:
  ImageInfo output_;
  std::vector<Rows> rows_;
  std::vector<Image> truth_;
};

}  // namespace tessera
