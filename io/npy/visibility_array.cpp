// SPDX-License-Identifier: Apache-2.0
#include "io/npy/visibility_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <functional>
#include <numeric>

namespace tessera {
namespace {

/// Room for any length: the header is written when the length is known.
constexpr long long kNpyStart = 256;

std::string npy_start(const ArrayItems& items, long long length) {
  constexpr std::size_t kBeforeText = 10;
  std::string shape = fmt::format("{},", length);
  for (const long long axis : items.shape) shape += fmt::format(" {},", axis);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                 items.descr(), shape);
  text.resize(kNpyStart - kBeforeText - 1, ' ');
  text += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(text.size() & 0xff);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

}  // namespace

long long ArrayItems::total_bytes() const {
  return std::accumulate(shape.begin(), shape.end(), 1LL * bytes, std::multiplies<>());
}

std::string ArrayItems::descr() const {
  return fmt::format("{}{}{}", std::endian::native == std::endian::little ? '<' : '>', kind, bytes);
}

VisibilityArray::VisibilityArray(const std::string& path, bool force, ArrayItems items, bool npy)
    : output_(path, force), items_(std::move(items)), start_(npy ? kNpyStart : 0) {}

void VisibilityArray::add(const void* items) {
  const long long bytes = items_.total_bytes();
  output_.file().write_all(start_ + length_ * bytes, items, bytes);
  ++length_;
}

void VisibilityArray::prepare() {
  if (start_ > 0) output_.file().write_all(0, npy_start(items_, length_).data(), kNpyStart);
  output_.file().sync();
}

}  // namespace tessera
