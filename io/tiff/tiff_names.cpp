// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tiffio.h>

#include "io/tiff/tiff_page.hpp"

namespace tessera {

std::string tiff_compression_name(int compression) {
  switch (compression) {
    case COMPRESSION_NONE:
      return "none";
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTRLEW:
      return "CCITT run lengths";
    case COMPRESSION_CCITTFAX3:
      return "CCITT group 3";
    case COMPRESSION_CCITTFAX4:
      return "CCITT group 4";
    case COMPRESSION_LZW:
      return "LZW";
    case COMPRESSION_OJPEG:
      return "old-style JPEG";
    case COMPRESSION_JPEG:
      return "JPEG";
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
      return "deflate";
    case COMPRESSION_PACKBITS:
      return "PackBits";
    case COMPRESSION_LZMA:
      return "LZMA";
    case COMPRESSION_ZSTD:
      return "Zstandard";
    case COMPRESSION_WEBP:
      return "WebP";
    case COMPRESSION_LERC:
      return "LERC";
    default:
      return fmt::format("number {}", compression);
  }
}

std::string tiff_photometric_name(int photometric) {
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
      return "grey, 0 is white";
    case PHOTOMETRIC_MINISBLACK:
      return "grey";
    case PHOTOMETRIC_RGB:
      return "RGB";
    case PHOTOMETRIC_PALETTE:
      return "palette";
    case PHOTOMETRIC_MASK:
      return "mask";
    case PHOTOMETRIC_SEPARATED:
      return "CMYK";
    case PHOTOMETRIC_YCBCR:
      return "YCbCr";
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB:
      return "CIE Lab";
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV:
      return "LogLuv";
    case PHOTOMETRIC_CFA:
      return "colour filter array";
    default:
      return fmt::format("number {}", photometric);
  }
}

}  // namespace tessera
