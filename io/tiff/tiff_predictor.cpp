// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_predictor.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tessera {
namespace {

// The sums stay in registers: through memory each would wait for the store before it.
template <class Number, int channels>
void sum_up(unsigned char* row, long long pixels) {
  Number sums[channels] = {};
  for (long long x = 0; x < pixels; ++x) {
#pragma GCC unroll 4
    for (int c = 0; c < channels; ++c) {
      unsigned char* at = row + (x * channels + c) * static_cast<long long>(sizeof(Number));
      Number difference;
      std::memcpy(&difference, at, sizeof(Number));
      sums[c] = static_cast<Number>(sums[c] + difference);
      std::memcpy(at, &sums[c], sizeof(Number));
    }
  }
}

template <class Number>
void sum_up(unsigned char* row, int channels, long long pixels) {
  switch (channels) {
    case 1:
      return sum_up<Number, 1>(row, pixels);
    case 2:
      return sum_up<Number, 2>(row, pixels);
    case 3:
      return sum_up<Number, 3>(row, pixels);
    default:
      return sum_up<Number, 4>(row, pixels);
  }
}

void sum_up(int bits, unsigned char* row, int channels, long long pixels) {
  switch (bits) {
    case 8:
      return sum_up<std::uint8_t>(row, channels, pixels);
    case 16:
      return sum_up<std::uint16_t>(row, channels, pixels);
    case 32:
      return sum_up<std::uint32_t>(row, channels, pixels);
    default:
      return sum_up<std::uint64_t>(row, channels, pixels);
  }
}

// A row holds first the highest bytes of all samples, then the next ones and so on, all of them as
// differences.
void join_bytes(int bytes, unsigned char* row, int channels, long long samples,
                std::vector<unsigned char>& room) {
  sum_up<std::uint8_t>(row, channels, samples * bytes / channels);
  room.assign(row, row + samples * bytes);
  for (long long i = 0; i < samples; ++i)
    for (int b = 0; b < bytes; ++b) {
      const int place = std::endian::native == std::endian::little ? bytes - 1 - b : b;
      row[i * bytes + place] = room[static_cast<size_t>(b * samples + i)];
    }
}

void swap_samples(int bytes, unsigned char* row, long long samples) {
  for (long long i = 0; i < samples; ++i, row += bytes) std::reverse(row, row + bytes);
}

}  // namespace

std::string wrong_predictor(const TiffPage& page) {
  const int bits = page.coding.bits;
  const bool floating = page.coding.format == TiffFormat::floating;
  switch (page.predictor) {
    case PREDICTOR_NONE:
      return "";
    case PREDICTOR_HORIZONTAL:
      if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return "";
      return fmt::format("its predictor is 2, which samples of {} bits cannot have", bits);
    case PREDICTOR_FLOATINGPOINT:
      return floating ? "" : "its predictor is 3, which only samples that are floats can have";
    default:
      return fmt::format("its predictor (tag 317) is {}; it can be 1 to 3", page.predictor);
  }
}

void undo_predictor(const TiffPage& page, bool swapped, unsigned char* rows, long long count) {
  const int bits = page.coding.bits, bytes = bits / 8, channels = page.grid.block_channels();
  const long long samples = page.grid.width * channels;
  std::vector<unsigned char> room;
  for (long long y = 0; y < count; ++y, rows += page.grid.row_bytes) {
    if (page.predictor == PREDICTOR_FLOATINGPOINT) {
      join_bytes(bytes, rows, channels, samples, room);
      continue;
    }
    if (swapped && bytes > 1 && bits % 8 == 0) swap_samples(bytes, rows, samples);
    if (page.predictor == PREDICTOR_HORIZONTAL) sum_up(bits, rows, channels, page.grid.width);
  }
}

}  // namespace tessera
