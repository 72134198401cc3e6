// SPDX-License-Identifier: Apache-2.0
/// Arrays that grow along their first axis while they are written: one integration after the other,
/// as NPY or as plain bytes.
#pragma once

#include <string>
#include <vector>

#include "io/output.hpp"

namespace tessera {

/// Items of one integration, in this machine's byte order.
struct ArrayItems {
  char kind = 'i';  ///< NumPy's: i, f or c
  int bytes = 8;
  std::vector<long long> shape;  ///< without the first axis

  long long total_bytes() const;
  /// "<i8": byte order, kind, bytes.
  std::string descr() const;
};

class VisibilityArray {
 public:
  /// `npy`: with NumPy's header. Throws Error(usage) as Output does.
  VisibilityArray(const std::string& path, bool force, ArrayItems items, bool npy);

  /// Adds one integration along the first axis.
  void add(const void* items);
  long long length() const { return length_; }
  const ArrayItems& items() const { return items_; }
  /// Everything except the name is on disk: nothing can fail after this.
  void prepare();
  void finish() { output_.finish(); }

 private:
  Output output_;
  ArrayItems items_;
  long long start_ = 0;  ///< bytes before the items
  long long length_ = 0;
};

}  // namespace tessera
