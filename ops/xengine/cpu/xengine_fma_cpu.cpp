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
    for (long long t = 0, samples; t < block.samples; t += samples) {
      const int phase = is_exact() ? 0 : static_cast<int>((sums.position + t) % kFloatRun);
      samples = std::min<long long>(kSlab - phase, block.samples - t);
      for (int c = 0; c < channels; c += at_once)
        add_slab(block,
                 {packed.as<T>(), c, std::min(at_once, channels - c), t, static_cast<int>(samples),
                  phase},
                 sums, stream.threads());
    }
  }

 private:
  struct Slab {
    T* packed;  ///< [channel][panel][time][re, im][input]
    int first_channel, channels;
    long long first_sample;
    int samples, phase;  ///< phase: of the first, in its run of floats
  };

  bool is_exact() const { return is_integer(problem().options.samples); }

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
    const auto parts = static_cast<std::size_t>(2 * fma_.width * fma_.width);
    const Scratch results = host_scratch(sizeof(double) * parts);
    const Scratch run = host_scratch(sizeof(T) * parts);
    const long long first = 2 * problem().shape.values() * (slab.first_channel + channel);
    const int rows = std::min(fma_.width, problem().shape.inputs() - row * fma_.width);
    XEngineFmaTile<T> tile{panel_of(slab, channel, row), nullptr, rows, slab.samples,
                           results.as<double>()};
    for (int column = 0; column <= row; ++column) {
      tile.columns = panel_of(slab, channel, column);
      std::fill_n(tile.results, parts, 0.0);
      if (is_exact()) {
        fma_.multiply(tile);
        add_integers(tile.results, row, column, sums.integer.data() + first);
        continue;
      }
      tile.phase = slab.phase;
      const bool left_open = (slab.phase + slab.samples) % kFloatRun != 0;
      if (slab.phase > 0 || left_open) tile.run = run.as<T>();
      read_tile(sums.real.data() + first, row, column, tile.results);
      if (slab.phase > 0) read_tile(sums.run.data() + first, row, column, tile.run);
      fma_.multiply(tile);
      write_tile(tile.results, row, column, sums.real.data() + first);
      if (left_open) write_tile(tile.run, row, column, sums.run.data() + first);
    }
  }

  /// Calls use(part, i, j) for the pairs of a tile on and below the diagonal; `part` is the place
  /// of the real part in [row][re, im][column].
  template <class Use>
  void for_tile(int row, int column, Use use) const {
    const int inputs = problem().shape.inputs(), width = fma_.width;
    for (int i = row * width; i < std::min(inputs, (row + 1) * width); ++i)
      for (int j = column * width; j < std::min(i + 1, (column + 1) * width); ++j)
        use(2 * width * (i - row * width) + j - column * width, i, j);
  }
  long long place_of(int i, int j) const {
    return 2 *
           (row_place_[static_cast<std::size_t>(i)] + column_place_[static_cast<std::size_t>(j)]);
  }
  /// Values of one antenna are on both sides of the diagonal.
  bool has_mirror(int i, int j) const {
    return i != j && i / problem().shape.polarisations == j / problem().shape.polarisations;
  }

  void add_integers(const double* results, int row, int column, std::int64_t* sums) const {
    for_tile(row, column, [&](int part, int i, int j) {
      const auto re = static_cast<std::int64_t>(results[part]);
      const auto im = static_cast<std::int64_t>(results[part + fma_.width]);
      sums[place_of(i, j)] += re;
      sums[place_of(i, j) + 1] += im;
      if (!has_mirror(i, j)) return;
      sums[place_of(j, i)] += re;
      sums[place_of(j, i) + 1] -= im;
    });
  }

  template <class Sum, class Part>
  void read_tile(const Sum* sums, int row, int column, Part* parts) const {
    for_tile(row, column, [&](int part, int i, int j) {
      parts[part] = static_cast<Part>(sums[place_of(i, j)]);
      parts[part + fma_.width] = static_cast<Part>(sums[place_of(i, j) + 1]);
    });
  }
  template <class Part, class Sum>
  void write_tile(const Part* parts, int row, int column, Sum* sums) const {
    for_tile(row, column, [&](int part, int i, int j) {
      const auto re = static_cast<Sum>(parts[part]);
      const auto sum = static_cast<Sum>(parts[part + fma_.width]);
      // Rounding leaves a residue on the diagonal; NaN stays.
      // NOLINTNEXTLINE(misc-redundant-expression)
      const Sum im = i == j ? sum - sum : sum;
      sums[place_of(i, j)] = re;
      sums[place_of(i, j) + 1] = im;
      if (!has_mirror(i, j)) return;
      sums[place_of(j, i)] = re;
      sums[place_of(j, i) + 1] = -im;
    });
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
