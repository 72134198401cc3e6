// SPDX-License-Identifier: Apache-2.0
/// The interface between the fma method's runner and its products, which are compiled once per SIMD
/// target.
#pragma once

namespace tessera {

/// Inputs are packed in panels of `width`: [time][re, im][input]. All inputs of one panel times the
/// conjugates of all of another, summed over time.
template <class T>
struct XEngineFmaTile {
  const T *rows, *columns;
  int row_count;  ///< rows that are wanted
  int samples;
  double* results;  ///< [row][re, im][column]; sums of whole runs are added
  int phase = 0;    ///< samples of the first run that were summed before
  /// Sums of a run that is not whole, in the same order: continued if phase > 0, and left by the
  /// last run. Null: the first run begins here and the last one is as good as whole.
  T* run = nullptr;
};

template <class T>
struct XEngineFma {
  int width;  ///< of a panel, a multiple of 4
  void (*multiply)(const XEngineFmaTile<T>&);
};
/// For the current target; float or double.
template <class T>
XEngineFma<T> xengine_fma();

}  // namespace tessera
