// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/xengine_dot_words.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace tessera {
namespace {

using Byte = unsigned char;

template <class T>
T load(const Byte* at) {  // steps may be odd
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Readers give a sample as 16 bits, the real part low.
struct ReadCi8 {
  static constexpr int kBytes = 2;
  std::uint32_t flip;

  std::uint32_t operator()(const Byte* at) const { return load<std::uint16_t>(at) ^ flip; }
  /// Two samples side by side.
  std::uint32_t pair(const Byte* at) const { return load<std::uint32_t>(at) ^ (flip | flip << 16); }
};

/// Real and imaginary parts away from each other.
struct ReadApart {
  static constexpr int kBytes = 0;  ///< never side by side
  std::uint32_t flip;
  long long imaginary;

  std::uint32_t operator()(const Byte* at) const {
    return (at[0] | static_cast<std::uint32_t>(at[imaginary]) << 8) ^ flip;
  }
  std::uint32_t pair(const Byte*) const { return 0; }
};

struct ReadCi4 {
  static constexpr int kBytes = 1;
  std::uint32_t flip;  ///< 8 for two's complement, 0 for offset binary: 8 is taken off afterwards
  int real_shift, imaginary_shift;

  std::uint32_t operator()(const Byte* at) const {
    const std::uint32_t re = (((*at >> real_shift) & 15U) ^ flip) - 8;
    const std::uint32_t im = (((*at >> imaginary_shift) & 15U) ^ flip) - 8;
    return (re & 0xffU) | (im & 0xffU) << 8;
  }
  std::uint32_t pair(const Byte* at) const { return (*this)(at) | (*this)(at + 1) << 16; }
};

/// Where the samples of a stretch lie, from the first of an input.
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
         Reader read)
      : shape_(shape), block_(block), stretch_(stretch), read_(read) {
    offsets_ = time_offsets(block.layout, stretch);
  }

  void operator()(std::uint32_t* words, long long panel_words) const {
    if (inputs_side_by_side())
      from_rows(words, panel_words);
    else
      for (int p = 0; p < stretch_.panels; ++p)
        from_inputs(stretch_.first_panel + p, words + p * panel_words);
  }

 private:
  bool inputs_side_by_side() const {
    const VoltageLayout& l = block_.layout;
    return Reader::kBytes != 0 && l.antenna == Reader::kBytes * shape_.polarisations &&
           (shape_.polarisations == 1 || l.polarisation == Reader::kBytes);
  }
  const Byte* input_address(int input) const {
    const VoltageLayout& l = block_.layout;
    return static_cast<const Byte*>(block_.data) + stretch_.channel * l.channel +
           input / shape_.polarisations * l.antenna + input % shape_.polarisations * l.polarisation;
  }
  int inputs_of(int panel) const { return std::clamp(shape_.inputs() - panel * kPanel, 0, kPanel); }

  /// Two rows of inputs at a time; some steps of a panel, then of the next, so that a line of the
  /// cache is read while it is there.
  void from_rows(std::uint32_t* words, long long panel_words) const {
    constexpr int kSteps = 8;
    for (int k = 0; k < stretch_.steps; k += kSteps)
      for (int p = 0; p < stretch_.panels; ++p)
        for (int s = k; s < std::min(k + kSteps, stretch_.steps); ++s)
          zip_step(stretch_.first_panel + p, s, words + p * panel_words + s * kPanel);
  }
  void zip_step(int panel, int step, std::uint32_t* words) const {
    const int inputs = inputs_of(panel), left = stretch_.samples - 2 * step;
    const Byte* from = input_address(0) + panel * kPanel * Reader::kBytes;
    if (inputs == kPanel && left >= 2) {
      const Byte* even = from + offsets_[2 * step];
      const Byte* odd = from + offsets_[2 * step + 1];
      for (int i = 0; i < kPanel; ++i)
        words[i] = read_(even + i * Reader::kBytes) | read_(odd + i * Reader::kBytes) << 16;
      return;
    }
    std::fill_n(words, kPanel, 0U);
    for (int i = 0; i < inputs; ++i)
      for (int t = 0; t < std::min(left, 2); ++t)
        words[i] |= read_(from + offsets_[2 * step + t] + i * Reader::kBytes) << 16 * t;
  }

  /// Any layout; samples side by side in time are read two at a time.
  void from_inputs(int panel, std::uint32_t* words) const {
    std::fill_n(words, 1LL * stretch_.steps * kPanel, 0U);
    const int inputs = inputs_of(panel), whole = stretch_.samples / 2;
    std::array<const Byte*, kPanel> from{};
    for (int i = 0; i < inputs; ++i) from[i] = input_address(panel * kPanel + i);
    for (int s = 0; s < whole; ++s, words += kPanel) {
      const long long even = offsets_[2 * s], odd = offsets_[2 * s + 1];
      if (odd - even == Reader::kBytes)
        for (int i = 0; i < inputs; ++i) words[i] = read_.pair(from[i] + even);
      else
        for (int i = 0; i < inputs; ++i)
          words[i] = read_(from[i] + even) | read_(from[i] + odd) << 16;
    }
    if (stretch_.samples % 2 != 0)
      for (int i = 0; i < inputs; ++i) words[i] = read_(from[i] + offsets_.back());
  }

  const XEngineShape& shape_;
  const VoltageBlock& block_;
  const DotStretch& stretch_;
  Reader read_;
  std::vector<long long> offsets_;
};

template <int kPanel>
void gather(const XEngineProblem& problem, const VoltageBlock& block, const DotStretch& stretch,
            std::uint32_t* words, long long panel_words) {
  const XEngineOptions& o = problem.options;
  const auto with = [&](auto read) {
    Gather<kPanel, decltype(read)>(problem.shape, block, stretch, read)(words, panel_words);
  };
  const std::uint32_t flip = o.offset_binary ? 0x8080U : 0;
  if (o.samples == SampleType::ci4)
    with(ReadCi4{o.offset_binary ? 0U : 8U, o.real_low ? 0 : 4, o.real_low ? 4 : 0});
  else if (block.layout.imaginary == 1)
    with(ReadCi8{flip});
  else
    with(ReadApart{flip, block.layout.imaginary});
}

/// Samples [first, end) of an input, from the beginning of the stretch.
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

void add_parts(const std::uint32_t* words, int panel, int steps, std::int32_t* sums) {
  for (int k = 0; k < steps; ++k)
    for (int i = 0; i < panel; ++i) {
      const auto word = static_cast<std::int32_t>(words[1LL * k * panel + i]);
      const auto shifted = static_cast<std::int32_t>(words[1LL * k * panel + i] << 16);
      sums[2 * i] += (shifted << 8 >> 24) + (word << 8 >> 24);
      sums[2 * i + 1] += (shifted >> 24) + (word >> 24);
    }
}

}  // namespace tessera
