// SPDX-License-Identifier: Apache-2.0
// The fma method: inputs are packed once in panels; panels multiply panels, one thread each. The
// products are in xengine_fma_simd.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/xengine/cpu/xengine_fma.hpp"
#include "ops/xengine/cpu/xengine_fma_pack.hpp"
#include "ops/xengine/xengine_index.cuh"

namespace tessera {
namespace {

/// Samples that are packed at a time: four runs share one update of the sums in memory.
constexpr int kSlab = 4 * kFloatRun;
/// Approximate memory for the packed panels of the channels processed at a time.
constexpr long long kPackedBytes = 32 << 20;

template <class T>
class Fma : public XEngineHostRunner {
 public:
  explicit Fma(const XEngineProblem& problem) : XEngineHostRunner(problem) {
    apply_isa_environment();
    isa_ = current_isa();
    fma_ = xengine_fma<T>();
    const XEngineShape& s = problem.shape;
    panels_ = (s.inputs() + fma_.width - 1) / fma_.width;
    for (int i = 0; i < s.inputs(); ++i) {
      row_place_.push_back(triangular_place(i, 0, s.polarisations));
      column_place_.push_back(1LL * (i / s.polarisations) * s.polarisations * s.polarisations +
                              i % s.polarisations);
    }
  }

  std::string describe() const override {
    return fmt::format("{}, panels of {} inputs in {}", isa_, fma_.width,
                       sizeof(T) == 4 ? "float" : "double");
  }

 protected:
  void accumulate(XEngineHostSums& sums, const VoltageBlock& block, Stream& stream) const override {
    const int channels = problem().shape.channels;
    const long long channel_bytes = sizeof(T) * panels_ * panel_parts();
    const int at_once =
        static_cast<int>(std::clamp<long long>(kPackedBytes / channel_bytes, 1, channels));
    const Scratch packed = host_scratch(static_cast<std::size_t>(at_once * channel_bytes));
    for (long long t = 0; t < block.samples; t += kSlab)
      for (int c = 0; c < channels; c += at_once)
        add_slab(block,
                 {packed.as<T>(), c, std::min(at_once, channels - c), t,
                  static_cast<int>(std::min<long long>(kSlab, block.samples - t))},
                 sums, stream.threads());
  }

 private:
  struct Slab {
    T* packed;  ///< [channel][panel][time][re, im][input]
    int first_channel, channels;
    long long first_sample;
    int samples;
  };

  long long panel_parts() const { return 2LL * fma_.width * kSlab; }
  T* panel_of(const Slab& slab, int channel, int panel) const {
    return slab.packed + (1LL * channel * panels_ + panel) * panel_parts();
  }

  void add_slab(const VoltageBlock& block, const Slab& slab, XEngineHostSums& sums,
                int threads) const {
    with_reader(problem().options, block.layout, [&](const auto& read) {
      parallel_for(slab.channels * panels_, threads, [&](int index) {
        const int channel = index / panels_, panel = index % panels_;
        pack_panel(read, problem().shape, block,
                   {slab.first_channel + channel, panel * fma_.width, fma_.width, slab.first_sample,
                    slab.samples},
                   panel_of(slab, channel, panel));
      });
    });
    // The longest rows of tiles first, so that no thread is left with one at the end.
    parallel_for(slab.channels * panels_, threads, [&](int index) {
      multiply_row(slab, index % slab.channels, panels_ - 1 - index / slab.channels, sums);
    });
  }

  void multiply_row(const Slab& slab, int channel, int row, XEngineHostSums& sums) const {
    const Scratch results = host_scratch(sizeof(double) * 2 * fma_.width * fma_.width);
    const long long first = 2 * problem().shape.values() * (slab.first_channel + channel);
    const int rows = std::min(fma_.width, problem().shape.inputs() - row * fma_.width);
    for (int column = 0; column <= row; ++column) {
      fma_.multiply({panel_of(slab, channel, row), panel_of(slab, channel, column), rows,
                     slab.samples, results.as<double>()});
      if (is_integer(problem().options.samples))
        add_tile(results.as<double>(), row, column, sums.integer.data() + first);
      else
        add_tile(results.as<double>(), row, column, sums.real.data() + first);
    }
  }

  /// Adds the values of a tile to the sums of a channel; those of one antenna to both sides of the
  /// diagonal.
  template <class Sum>
  void add_tile(const double* results, int row, int column, Sum* sums) const {
    const int inputs = problem().shape.inputs(), width = fma_.width;
    for (int i = row * width; i < std::min(inputs, (row + 1) * width); ++i, results += 2 * width)
      for (int j = column * width; j < std::min(i + 1, (column + 1) * width); ++j) {
        const int k = j - column * width;
        const auto re = static_cast<Sum>(results[k]);
        const auto sum = static_cast<Sum>(results[width + k]);
        const Sum im = i == j ? sum - sum : sum;  // rounding leaves a residue there; NaN stays
        add_value(sums, i, j, re, im);
        if (i != j && same_antenna(i, j)) add_value(sums, j, i, re, -im);
      }
  }

  template <class Sum>
  void add_value(Sum* sums, int i, int j, Sum re, Sum im) const {
    Sum* const to = sums + 2 * (row_place_[static_cast<std::size_t>(i)] +
                                column_place_[static_cast<std::size_t>(j)]);
    to[0] += re;
    to[1] += im;
  }

  bool same_antenna(int i, int j) const {
    return i / problem().shape.polarisations == j / problem().shape.polarisations;
  }

  std::string isa_;
  XEngineFma<T> fma_;
  int panels_ = 0;
  std::vector<long long> row_place_, column_place_;  ///< their sum is the triangular place
};

}  // namespace

XEngineRunnerPointer make_xengine_fma_cpu(const XEngineProblem& problem) {
  if (problem.options.samples == SampleType::ci16) return std::make_unique<Fma<double>>(problem);
  return std::make_unique<Fma<float>>(problem);
}

}  // namespace tessera
