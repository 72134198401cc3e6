// SPDX-License-Identifier: Apache-2.0
/// Images for tests: random inputs, and outputs that are poisoned and guarded.
#pragma once

#include <cstdlib>
#include <vector>

#include "tessera/image.hpp"

namespace tessera::testing {

/// Seeded, so that failures repeat. Floats lie in [-1, 1), integers fill their range.
Image random_image(Size size, Type type, unsigned seed);

/// An output with a frame of guard samples round every row, all poisoned: unwritten samples and
/// writes outside are both seen.
class Guarded {
 public:
  /// `pixel_gap` more samples between pixels, as in a view of some channels of an image.
  Guarded(Size size, Type type, int pixel_gap = 0);
  AnyMutableView view() const { return view_; }
  bool untouched_outside() const;
  bool fully_written() const;  ///< no poisoned sample is left; a result of exactly poison fails too

 private:
  bool is_poison(const unsigned char* sample) const;

  std::vector<unsigned char> memory_;
  AnyMutableView view_;
};

/// All bytes of a view, packed: for the bits test.
std::vector<unsigned char> bytes_of_view(AnyView view);

/// TESSERA_TEST_ALL=1: sweeps run the full product, not every value once.
inline bool run_all() { return std::getenv("TESSERA_TEST_ALL") != nullptr; }
/// TESSERA_TEST_SMALL=1: sizes and sweeps small enough for sanitizers, on the CPU and the GPU.
inline bool run_small() { return std::getenv("TESSERA_TEST_SMALL") != nullptr; }

}  // namespace tessera::testing
