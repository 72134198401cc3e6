// SPDX-License-Identifier: Apache-2.0
#include "core/samples_past_cache.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "tessera/image.hpp"

namespace tessera {
namespace {

#ifdef __SSE2__
// Stores past the cache fill whole lines; the ends of a row do not.
void copy_row(unsigned char* to, const unsigned char* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64, kVector = 16;
  const std::size_t head =
      std::min((kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine, bytes);
  std::memcpy(to, from, head);
  std::size_t i = head;
  for (; i + kLine <= bytes; i += kLine)
    for (std::size_t j = i; j < i + kLine; j += kVector)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + j),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + j)));
  std::memcpy(to + i, from + i, bytes - i);
}
#endif

}  // namespace

void copy_samples_past_cache(AnyView from, AnyMutableView to) {
#ifdef __SSE2__
  const int channels = from.size.channels;
  if (from.size == to.size && from.type == to.type && from.pixel == channels &&
      to.pixel == channels) {
    const auto bytes = static_cast<std::size_t>(bytes_of(from.type)) * channels * from.size.width;
    for (int p = 0; p < from.size.planes; ++p)
      for (int y = 0; y < from.size.height; ++y)
        copy_row(static_cast<unsigned char*>(to.address(0, y, p)),
                 static_cast<const unsigned char*>(from.address(0, y, p)), bytes);
    _mm_sfence();  // before another thread says that the rows are there
    return;
  }
#endif
  copy_samples(from, to);
}

}  // namespace tessera
