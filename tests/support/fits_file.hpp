// SPDX-License-Identifier: Apache-2.0
/// FITS files made by hand, for tests.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace tessera::testing {

/// "BITPIX  =                   16", 80 characters.
inline std::string card(const std::string& keyword, const std::string& value) {
  return fmt::format("{:<80}", fmt::format("{:<8}= {:>20}", keyword, value));
}
inline std::string card(const std::string& text) { return fmt::format("{:<80}", text); }

inline std::string to_block(std::string bytes, char filling) {
  bytes.resize((bytes.size() + 2879) / 2880 * 2880, filling);
  return bytes;
}

/// Cards, END and what fills the block.
inline std::string header_bytes(const std::vector<std::string>& cards) {
  std::string bytes;
  for (const std::string& each : cards) bytes += each;
  return to_block(bytes + card("END"), ' ');
}

/// A primary HDU; `more` cards follow those that every image has.
inline std::string fits_bytes(int bitpix, const std::vector<long long>& axes,
                              const std::vector<std::string>& more, const std::string& data) {
  std::vector<std::string> cards{card("SIMPLE", "T"), card("BITPIX", std::to_string(bitpix)),
                                 card("NAXIS", std::to_string(axes.size()))};
  for (size_t i = 0; i < axes.size(); ++i)
    cards.push_back(card(fmt::format("NAXIS{}", i + 1), std::to_string(axes[i])));
  cards.insert(cards.end(), more.begin(), more.end());
  return header_bytes(cards) + to_block(data, '\0');
}

inline std::string gzip_bytes(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace tessera::testing
