// SPDX-License-Identifier: Apache-2.0
// RICE_1 of the FITS standard: the first sample as it is; then blocks of differences. The high bits
// of a difference are stored in unary, followed by its low bits; each block says how many bits are
// low.
#include <algorithm>

#include "io/fits/fits_bits.hpp"
#include "io/fits/fits_tiles.hpp"

namespace tessera {

bool rice_ends(std::span<const unsigned char> bytes, long long pixels, const FitsRice& rice) {
  const int sample_bits = static_cast<int>(8 * rice.bytes);
  const int split_bits = rice.bytes == 1 ? 3 : rice.bytes == 2 ? 4 : 5;
  const int plain = rice.bytes == 1 ? 6 : rice.bytes == 2 ? 14 : 25;  // a code would not be shorter
  BitWalk walk(bytes);
  if (!walk.skip(sample_bits)) return false;
  for (long long done = 0; done < pixels; done += rice.block) {
    const long long count = std::min(rice.block, pixels - done);
    const int split = walk.take(split_bits) - 1;
    if (split < -1) return false;
    if (split == -1) continue;  // all differences are 0
    if (split == plain) {
      if (!walk.skip(count * sample_bits)) return false;
      continue;
    }
    for (long long i = 0; i < count; ++i)
      if (!walk.skip_unary() || !walk.skip(split)) return false;
  }
  return walk.bytes_left() == 0;
}

}  // namespace tessera
