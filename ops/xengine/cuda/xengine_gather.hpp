// SPDX-License-Identifier: Apache-2.0
/// Pieces of time of a host block, copied without gaps: contiguous data stays contiguous.
#pragma once

#include <cstddef>
#include <vector>

#include "core/strided_copy.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// The number of samples from `first` on that can be taken as one piece, at most `most`: within a
/// group of the layout, or whole groups, or the rest.
long long piece_samples(const VoltageLayout& layout, long long samples, long long first,
                        long long most);

/// How `count` samples from `first` on are copied, and their layout afterwards. The block has them
/// in the order of piece_samples.
class XEngineGather {
 public:
  XEngineGather(const XEngineShape& shape, SampleType type, const VoltageBlock& block,
                long long first, long long count);

  const VoltageLayout& layout() const { return layout_; }  ///< of the copy
  std::size_t bytes() const { return bytes_; }
  void copy(void* to, int threads) const;
  /// The bytes in the block, if they already lie there as in the copy; else null.
  const void* in_place() const;

 private:
  const unsigned char* from_;
  VoltageLayout layout_;
  long long item_;  ///< bytes per part, or per sample if both share one byte
  std::vector<CopyAxis> axes_;
  std::size_t bytes_ = 0;
};

}  // namespace tessera
