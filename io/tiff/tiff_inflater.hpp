// SPDX-License-Identifier: Apache-2.0
/// Deflate, Zstandard and LZMA, each by its own library. libtiff stops as soon as a block's pixels
/// are there: it notices neither that the data goes on nor, then, that its checksum is wrong.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tessera {

class TiffInflater {
 public:
  using Stored = std::span<const unsigned char>;
  using Bytes = std::span<unsigned char>;

  /// Null for the compressions that libtiff decodes.
  static std::unique_ptr<TiffInflater> of(int compression);
  virtual ~TiffInflater() = default;

  struct Result {
    std::size_t used = 0, made = 0;  ///< bytes of `stored` and of `to`
    bool ended = false;              ///< the data is complete, and its checksum right
    std::string wrong;               ///< what is damaged
  };
  /// Everything at once. If `to` is full before the data has `ended`, nothing is `wrong`.
  virtual Result whole(Stored stored, Bytes to) = 0;
  /// The same in parts: `begin`, then some bytes each time. The data is cut short if a part with
  /// room and without further bytes makes nothing.
  virtual void begin() = 0;
  virtual Result part(Stored stored, Bytes to) = 0;
};

}  // namespace tessera
