// SPDX-License-Identifier: Apache-2.0
// One bit per stretch and input: 64 stretches of a pair are one AND and one count of bits.
#include "ops/xengine/xengine_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/parallel.hpp"
#include "ops/xengine/xengine_order.hpp"

namespace tessera {
namespace {

/// Pairs and words from which on more than one thread pays.
constexpr long long kWorthThreads = 1 << 16;

using Words = std::vector<std::uint64_t>;

struct InputBits {
  long long words;  ///< of an input
  Words bits;       ///< [input][word]
};

/// Stretches from `first` to before `end`.
InputBits bits_of(const VoltageBlock& block, int inputs, long long first, long long end) {
  InputBits b{(end - first + 63) / 64, {}};
  b.bits.resize(static_cast<std::size_t>(b.words * inputs));
  for (long long s = first; s < end; ++s)
    for (int i = 0; i < inputs; ++i)
      if (block.valid[static_cast<std::size_t>(s * inputs + i)])
        b.bits[static_cast<std::size_t>(i * b.words + (s - first) / 64)] |= std::uint64_t{1}
                                                                            << (s - first) % 64;
  return b;
}

long long common_stretches(const InputBits& b, int i, int j) {
  const std::uint64_t *x = b.bits.data() + i * b.words, *y = b.bits.data() + j * b.words;
  long long count = 0;
  for (long long w = 0; w < b.words; ++w) count += std::popcount(x[w] & y[w]);
  return count;
}

void add_stretches(const InputBits& b, int inputs, long long length, int threads,
                   std::vector<long long>& pairs) {
  const bool worth = b.words * inputs * inputs >= kWorthThreads;
  parallel_for(inputs, worth ? threads : 1, [&](int i) {
    long long* const row = pairs.data() + baseline_of(i, 0);
    for (int j = 0; j <= i; ++j) row[j] += length * common_stretches(b, i, j);
  });
}

}  // namespace

void XEngineCounts::add(const VoltageBlock& block, int inputs, int threads) {
  if (std::find(block.valid.begin(), block.valid.end(), 0) == block.valid.end()) {
    everywhere_ += block.samples;
    return;
  }
  pairs_.resize(static_cast<std::size_t>(baseline_of(inputs, 0)));
  const long long whole = block.samples / block.valid_samples,
                  rest = block.samples % block.valid_samples;
  add_stretches(bits_of(block, inputs, 0, whole), inputs, block.valid_samples, threads, pairs_);
  if (rest > 0) add_stretches(bits_of(block, inputs, whole, whole + 1), inputs, rest, 1, pairs_);
}

void XEngineCounts::add_missing(int inputs) {
  pairs_.resize(static_cast<std::size_t>(baseline_of(inputs, 0)));
}

std::vector<long long> XEngineCounts::values(const XEngineShape& shape, VisibilityOrder order,
                                             int average) const {
  std::vector<long long> valid;
  if (pairs_.empty()) return valid;
  valid.resize(static_cast<std::size_t>(values_of(order, shape)));
  const int p = shape.polarisations;
  for (int row = 0; row < rows_of(order, shape); ++row)
    for_row(order, shape, row, [&](long long value, const ValueInputs& v) {
      const auto [j, i] = std::minmax({v.a * p + v.p, v.b * p + v.q});
      const long long pair = pairs_[static_cast<std::size_t>(baseline_of(i, j))];
      valid[static_cast<std::size_t>(value)] = average * (everywhere_ + pair);
    });
  return valid;
}

}  // namespace tessera
