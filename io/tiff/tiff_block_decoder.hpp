// SPDX-License-Identifier: Apache-2.0
/// The decoder of one page's blocks.
#pragma once

#include <memory>
#include <string>

#include "io/tiff/tiff_page.hpp"

namespace tessera {

class TiffBlockDecoder {
 public:
  virtual ~TiffBlockDecoder() = default;

  /// A whole strip or tile from its stored bytes, which may be changed. False, with a `message`, if
  /// anything is wrong with it: what was decoded is then not the image.
  virtual bool decode_block(long long block, unsigned char* stored, long long stored_bytes,
                            unsigned char* to, long long bytes) = 0;
  /// Decodes rows of a striped page, fastest in ascending order. Returns how many could be decoded.
  virtual int decode_rows(int plane, Rows rows, unsigned char* to) = 0;
  virtual std::string message() const = 0;
};

/// `file` and `page` outlive it. `cut_short`: strips that end past the file are decoded as far as
/// they go. Throws Error(input) if the page's compression does not fit its samples.
std::unique_ptr<TiffBlockDecoder> make_tiff_decoder(const TiffFile& file, const TiffPage& page,
                                                    bool cut_short);

}  // namespace tessera
