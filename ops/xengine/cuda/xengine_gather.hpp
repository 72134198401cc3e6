// SPDX-License-Identifier: Apache-2.0
/// Pieces of time of a host block, copied together without gaps: what lies side by side stays so.
#pragma once

#include <cstddef>
#include <vector>

#include "core/strided_copy.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Samples from `first` on that can be taken as one piece, at most `most`: within a group of the
/// layout, or whole groups, or the rest.
long long piece_samples(const VoltageLayout& layout, long long samples, long long first,
                        long long most);

/// How `count` samples from `first` on are copied, and where they lie then. The block has them as
/// piece_samples says.
class XEngineGather {
 public:
  XEngineGather(const XEngineShape& shape, SampleType type, const VoltageBlock& block,
                long long first, long long count);

  const VoltageLayout& layout() const { return layout_; }  ///< of the copy
  std::size_t bytes() const { return bytes_; }
  void copy(void* to, int threads) const;

 private:
  const unsigned char* from_;
  VoltageLayout layout_;
  long long item_;  ///< bytes of a part, or of both in one byte
  std::vector<CopyAxis> axes_;
  std::size_t bytes_ = 0;
};

}  // namespace tessera
