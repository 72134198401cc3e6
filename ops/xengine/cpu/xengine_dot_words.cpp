// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cpu/xengine_dot_words.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include "ops/xengine/cpu/xengine_dot_words_simd.hpp"

namespace tessera {
namespace {

using Byte = unsigned char;

template <class T>
T load(const Byte* at) {  // steps may be odd
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Readers return a sample as 16 bits, with the real part in the low byte.
struct ReadCi8 {
  static constexpr int kBytes = 2;
  std::uint32_t flip;

  std::uint32_t operator()(const Byte* at) const { return load<std::uint16_t>(at) ^ flip; }
  /// Real and imaginary part adjacent.
  std::uint32_t pair(const Byte* at) const { return load<std::uint32_t>(at) ^ (flip | flip << 16); }
};

/// Real and imaginary parts in different places.
struct ReadApart {
  static constexpr int kBytes = 0;  ///< never adjacent
  std::uint32_t flip;
  long long imaginary;

  std::uint32_t operator()(const Byte* at) const {
    return (at[0] | static_cast<std::uint32_t>(at[imaginary]) << 8) ^ flip;
  }
  std::uint32_t pair(const Byte*) const { return 0; }
};

struct ReadCi4 {
  static constexpr int kBytes = 1;
  std::uint32_t flip;  ///< 8 for two's complement, 0 for offset binary: 8 is subtracted afterwards
  int real_shift, imaginary_shift;

  std::uint32_t operator()(const Byte* at) const {
    const std::uint32_t re = (((*at >> real_shift) & 15U) ^ flip) - 8;
    const std::uint32_t im = (((*at >> imaginary_shift) & 15U) ^ flip) - 8;
    return (re & 0xffU) | (im & 0xffU) << 8;
  }
  std::uint32_t pair(const Byte* at) const { return (*this)(at) | (*this)(at + 1) << 16; }
};

/// Where the samples of a stretch are, relative to the first of an input.
std::vector<long long> time_offsets(const VoltageLayout& layout, const DotStretch& stretch) {
  std::vector<long long> offsets(static_cast<std::size_t>(stretch.samples));
  long long group = stretch.first_sample / layout.group,
            within = stretch.first_sample % layout.group;
  for (long long& offset : offsets) {
    offset = group * layout.group_step + within * layout.time;
    if (++within == layout.group) {
      within = 0;
      ++group;
    }
  }
  return offsets;
}

template <int kPanel, class Reader>
class Gather {
 public:
  Gather(const XEngineShape& shape, const VoltageBlock& block, const DotStretch& stretch,
         Reader read, const DotSamples& kind)
      : shape_(shape),
        layout_(block.layout),
        stretch_(stretch),
        read_(read),
        kind_(kind),
        simd_(dot_word_functions()),
        channel_(static_cast<const Byte*>(block.data) + stretch.channel * block.layout.channel),
        offsets_(time_offsets(block.layout, stretch)) {}

  void operator()(std::uint32_t* words, long long panel_words) const {
    if (inputs_side_by_side())
      from_rows(words, panel_words);
    else
      for (int p = 0; p < stretch_.panels; ++p)
        from_inputs(stretch_.first_panel + p, words + p * panel_words);
  }

 private:
  bool inputs_side_by_side() const {
    return Reader::kBytes != 0 && layout_.antenna == Reader::kBytes * shape_.polarisations &&
           (shape_.polarisations == 1 || layout_.polarisation == Reader::kBytes);
  }
  int inputs_of(int panel) const { return std::min(shape_.inputs() - panel * kPanel, kPanel); }

  /// Two rows of inputs at a time; some steps of one panel, then of the next, so that a cache line
  /// is used while it is in the cache.
  void from_rows(std::uint32_t* words, long long panel_words) const {
    constexpr int kSteps = 8;
    for (int k = 0; k < stretch_.steps; k += kSteps)
      for (int p = 0; p < stretch_.panels; ++p) {
        const int panel = stretch_.first_panel + p, end = std::min(k + kSteps, stretch_.steps);
        zip(channel_ + panel * kPanel * Reader::kBytes, inputs_of(panel), k, end,
            words + p * panel_words);
      }
  }
  /// Steps [first, end) of a panel whose inputs are contiguous.
  void zip(const Byte* from, int inputs, int first, int end, std::uint32_t* words) const {
    const int whole = simd_.zip && inputs == kPanel ? std::min(end, stretch_.samples / 2) : 0;
    if (first < whole)
      simd_.zip(kind_, from, offsets_.data() + 2LL * first, whole - first, kPanel,
                words + first * kPanel);
    for (int s = std::max(first, whole); s < end; ++s) {
      std::fill_n(words + s * kPanel, kPanel, 0U);
      for (int t = 2 * s; t < std::min(2 * s + 2, stretch_.samples); ++t)
        for (int i = 0; i < inputs; ++i)
          words[s * kPanel + i] |= read_(from + offsets_[t] + i * Reader::kBytes) << t % 2 * 16;
    }
  }

  /// Whether eight samples of ci8 are `step` bytes apart. A layout has two steps, within a group
  /// and to the next: if the first is `step` and all seven add up to 7 `step`, both are `step`, as
  /// far as they occur.
  bool together(int t, int step) const {
    return std::is_same_v<Reader, ReadCi8> && simd_.weave &&
           offsets_[t + 1] - offsets_[t] == step && offsets_[t + 7] - offsets_[t] == 7LL * step;
  }
  /// Two adjacent polarisations, as in GUPPI RAW.
  bool in_pairs() const { return shape_.polarisations == 2 && layout_.polarisation == 2; }
  /// Any layout; samples that are contiguous in time are read two or eight at a time.
  void from_inputs(int panel, std::uint32_t* words) const {
    const int inputs = inputs_of(panel), whole = stretch_.samples / 2;
    std::array<const Byte*, kPanel> from;
    from.fill(channel_);  // those beyond the last are read and then cleared
    for (int i = 0; i < inputs; ++i) {
      const int input = panel * kPanel + i, antenna = input / shape_.polarisations;
      from[i] += antenna * layout_.antenna +
                 (input - antenna * shape_.polarisations) * layout_.polarisation;
    }
    int s = 0;
    while (s < whole) {
      const bool pairs = s + 4 <= whole && in_pairs() && together(2 * s, 4);
      if (pairs || (s + 4 <= whole && together(2 * s, 2))) {
        simd_.weave(kind_, pairs, from.data(), offsets_[2 * s], kPanel, words + s * kPanel);
        s += 4;
        continue;
      }
      const long long even = offsets_[2 * s], odd = offsets_[2 * s + 1];
      std::uint32_t* to = words + s++ * kPanel;
      if (odd - even == Reader::kBytes)
        for (int i = 0; i < kPanel; ++i) to[i] = read_.pair(from[i] + even);
      else
        for (int i = 0; i < kPanel; ++i) to[i] = read_(from[i] + even) | read_(from[i] + odd) << 16;
    }
    std::fill(words + whole * kPanel, words + stretch_.steps * kPanel, 0U);
    if (stretch_.samples % 2 != 0)
      for (int i = 0; i < kPanel; ++i) words[whole * kPanel + i] = read_(from[i] + offsets_.back());
    for (s = 0; inputs < kPanel && s < stretch_.steps; ++s)
      std::fill(words + s * kPanel + inputs, words + (s + 1) * kPanel, 0U);
  }

  const XEngineShape& shape_;
  const VoltageLayout& layout_;
  const DotStretch& stretch_;
  Reader read_;
  DotSamples kind_;
  DotWordFunctions simd_;
  const Byte* channel_;
  std::vector<long long> offsets_;
};

template <int kPanel>
void gather(const XEngineProblem& problem, const VoltageBlock& block, const DotStretch& stretch,
            std::uint32_t* words, long long panel_words) {
  const XEngineOptions& o = problem.options;
  const auto with = [&](auto read) {
    const DotSamples kind{o.samples == SampleType::ci4, o.offset_binary, o.real_low};
    Gather<kPanel, decltype(read)>(problem.shape, block, stretch, read, kind)(words, panel_words);
  };
  const std::uint32_t flip = o.offset_binary ? 0x8080U : 0;
  if (o.samples == SampleType::ci4)
    with(ReadCi4{o.offset_binary ? 0U : 8U, o.real_low ? 0 : 4, o.real_low ? 4 : 0});
  else if (block.layout.imaginary == 1)
    with(ReadCi8{flip});
  else
    with(ReadApart{flip, block.layout.imaginary});
}

/// Samples [first, end) of an input, counted from the beginning of the stretch.
void erase(std::uint32_t* input_words, int panel, int first, int end) {
  for (int t = first; t < end; ++t)
    input_words[1LL * (t / 2) * panel] &= t % 2 == 0 ? 0xffff0000U : 0x0000ffffU;
}

void erase_invalid(const VoltageBlock& block, int inputs, const DotStretch& s, int panel,
                   std::uint32_t* words) {
  const long long end = s.first_sample + s.samples;
  for (int i = 0; i < std::min(s.panel, inputs - panel * s.panel); ++i)
    for (long long m = s.first_sample / block.valid_samples; m * block.valid_samples < end; ++m) {
      if (block.valid[m * inputs + panel * s.panel + i] != 0) continue;
      const long long from = std::max(m * block.valid_samples, s.first_sample);
      const long long to = std::min((m + 1) * block.valid_samples, end);
      erase(words + i, s.panel, static_cast<int>(from - s.first_sample),
            static_cast<int>(to - s.first_sample));
    }
}

}  // namespace

void gather_words(const XEngineProblem& problem, const VoltageBlock& block,
                  const DotStretch& stretch, std::uint32_t* words, long long panel_words) {
  (stretch.panel == 16 ? gather<16> : gather<8>)(problem, block, stretch, words, panel_words);
  if (block.valid.empty()) return;
  for (int p = 0; p < stretch.panels; ++p)
    erase_invalid(block, problem.shape.inputs(), stretch, stretch.first_panel + p,
                  words + p * panel_words);
}

}  // namespace tessera
