// SPDX-License-Identifier: Apache-2.0
// Method fft on the CPU for filters too large for small tiles: pairs of large tiles, each filtered
// slab by slab by all threads, so that a single tile is in memory whatever the number of threads.
// Tiles are counted from output pixel 0, 0, and pixels that no wanted result reads are zero:
// neither threads nor strips change a bit.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/cpu/convolve_block.hpp"
#include "ops/convolve/cpu/tile_fft.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

/// Slabs whose pixels a thread reads and writes together: a single slab covers only one cache line
/// per row.
constexpr int kSlabsAtOnce = 4;

/// Tiles that are filtered together, so that narrow ones give work to all threads.
constexpr long long kBatchBytes = 32LL << 20;

/// Rows of a part that the direct method recomputes.
constexpr int kDirectRows = 32;

template <class T>
const LargeTileFft<T>& steps_of(const TileFft& fft) {
  if constexpr (std::is_same_v<T, double>)
    return fft.large_f64;
  else
    return fft.large_f32;
}

template <class T>
class LargeFftCpu : public ConvolveRunner {
 public:
  explicit LargeFftCpu(const ConvolveProblem& problem)
      : problem_(problem),
        prefix_(inside_prefix(problem)),
        direct_(make_convolve_direct_parts(problem)),  // also looks at TESSERA_ISA
        isa_(current_isa()),
        steps_(steps_of<T>(tile_fft())),
        rows_(tile_rows()),
        shape_(fft_tile_shape(problem)),
        across_(shape_.across, tile_fft().most_radix),
        down_(shape_.down, tile_fft().most_radix),
        spectrum_(host_scratch(tile_bytes())) {
    PlanBytes::add(spectrum_.bytes() + prefix_.size() * sizeof(Twofold));
    make_spectrum();
  }

  std::string describe() const override {
    return fmt::format("{}, pairs of {}x{} tiles", isa_, shape_.across, shape_.down);
  }
  int row_step() const override { return shape_.rows(problem_); }
  double error_factor() const override { return fft_error_factor(problem_, shape_, prefix_); }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const Call call{in, out, stream.threads()};
    std::vector<Place> places = places_of(out);
    const int channels = problem_.image.size.channels;
    const int pairs = static_cast<int>(places.size()) * channels;
    const int at_once = std::clamp(static_cast<int>(kBatchBytes / tile_bytes()), 1, pairs);
    const Scratch tiles = host_scratch(tile_bytes() * at_once);
    for (int first = 0; first < pairs; first += at_once) {
      std::vector<Pair> batch;
      for (int k = first; k < std::min(first + at_once, pairs); ++k) {
        Place& place = places[static_cast<std::size_t>(k / channels)];
        batch.push_back({&place, k % channels, needed_rows(problem_, in, place.plane, place.whole),
                         tile_at(tiles, k - first)});
      }
      transform_columns(call, batch);
      filter(call, batch);
      store_results(call, batch);
    }
    run_direct(call, places);
  }

 private:
  struct Call {
    const Piece& in;
    const MutablePiece& out;
    int threads;
  };
  /// Where a pair of tiles lies, and which of its rows are wanted.
  struct Place {
    int plane;
    Rows rows, whole;
    int column;
    bool finite = true;
  };
  struct Pair {
    Place* place;
    int channel;
    std::vector<const unsigned char*> addresses;
    LargeFftPair<T> tile;
  };
  /// A few slabs of columns of a pair, and memory for them.
  struct Panel {
    const Pair* pair;
    int x, slabs;
    T* samples;

    int columns() const { return slabs * kSlabColumns<T>; }
  };

  long long tile_samples() const { return 2LL * shape_.across * shape_.down; }
  long long tile_bytes() const { return tile_samples() * static_cast<long long>(sizeof(T)); }
  long long slab_samples() const { return 1LL * kSlabRow<T> * shape_.down; }
  LargeFftPair<T> tile_at(const Scratch& memory, int index) const {
    return {&across_, &down_, memory.as<T>() + index * tile_samples()};
  }
  int columns() const { return shape_.columns(problem_); }

  std::vector<Place> places_of(const MutablePiece& out) const {
    std::vector<Place> places;
    const int step = row_step(), height = problem_.output.size.height;
    for (int plane = 0; plane < out.view.size.planes; ++plane)
      for (int row = out.rows().first; row < out.rows().end; row = (row / step + 1) * step)
        for (int column = 0; column < out.view.size.width; column += 2 * columns()) {
          const Rows rows{row, std::min((row / step + 1) * step, out.rows().end)};
          places.push_back({plane, rows, whole_groups(rows, step, height), column});
        }
    return places;
  }

  /// Runs `work` for panels of columns [0, width) of every pair, each with its own memory.
  template <class Work>
  void for_panels(int width, const std::vector<Pair>& batch, int threads, Work work) const {
    const int all = (width + kSlabColumns<T> - 1) / kSlabColumns<T>;
    const int panels = (all + kSlabsAtOnce - 1) / kSlabsAtOnce;
    parallel_for(panels * static_cast<int>(batch.size()), threads, [&](int index) {
      const int first = index % panels * kSlabsAtOnce, slabs = std::min(kSlabsAtOnce, all - first);
      const Scratch memory = host_scratch(sizeof(T) * slab_samples() * slabs);
      work(Panel{&batch[static_cast<std::size_t>(index / panels)], first * kSlabColumns<T>, slabs,
                 memory.template as<T>()});
    });
  }

  /// For tile number `part` of the pair: the columns from the panel's first to the last result.
  int results_from(const Panel& panel, int part) const {
    const int first = panel.pair->place->column + part * columns();
    return std::min(columns(), problem_.output.size.width - first) - panel.x;
  }

  void transform_panel(const Panel& panel) const {
    for (int s = 0; s < panel.slabs; ++s)
      steps_.columns(panel.pair->tile, panel.x + s * kSlabColumns<T>,
                     panel.samples + s * slab_samples());
  }
  /// Columns of zeros, whose spectra are zero.
  void clear_panel(const Panel& panel) const {
    for (int s = 0; s < shape_.down / kSlabColumns<T>; ++s)
      std::fill_n(panel.pair->tile.slab_of(s) + 1LL * panel.x * kSlabRow<T>,
                  1LL * panel.columns() * kSlabRow<T>, T{0});
  }

  void make_spectrum() {
    const Pair pair{nullptr, 0, {}, tile_at(spectrum_, 0)};
    const double factor = problem_.scale / (1.0 * shape_.across * shape_.down);
    for_panels(shape_.across, {pair}, 1, [&](const Panel& panel) {
      if (panel.x >= problem_.filter_width) return clear_panel(panel);
      load_weights(panel, factor);
      transform_panel(panel);
    });
    for (int s = 0; s < shape_.down / kSlabColumns<T>; ++s) steps_.spectrum(pair.tile, s);
  }
  void load_weights(const Panel& panel, double factor) const {
    std::fill_n(panel.samples, slab_samples() * panel.slabs, T{0});
    const int columns = std::min(panel.columns(), problem_.filter_width - panel.x);
    for (int j = 0; j < problem_.filter_height; ++j)
      for (int i = 0; i < columns; ++i)
        panel.samples[i / kSlabColumns<T> * slab_samples() + 1LL * j * kSlabRow<T> +
                      i % kSlabColumns<T>] =
            static_cast<T>(factor *
                           problem_.weights[1ULL * j * problem_.filter_width + panel.x + i]);
  }

  void transform_columns(const Call& call, const std::vector<Pair>& batch) const {
    for_panels(shape_.across, batch, call.threads, [&](const Panel& panel) {
      const int beyond = problem_.filter_width - 1;
      if (results_from(panel, 0) + beyond <= 0) return clear_panel(panel);
      const Pair& pair = *panel.pair;
      for (int part = 0; part < 2; ++part)
        rows_.load(problem_, {pair.addresses.data(),
                              call.in.view.pixel,
                              pair.channel,
                              pair.place->column + part * columns() + panel.x - problem_.anchor.x,
                              static_cast<int>(pair.addresses.size()),
                              std::min(panel.columns(), results_from(panel, part) + beyond),
                              {panel.slabs, kSlabColumns<T>, slab_samples()},
                              shape_.down,
                              kSlabColumns<T>,
                              panel.samples + part * kSlabColumns<T>,
                              kSlabRow<T>});
      transform_panel(panel);
    });
  }

  void filter(const Call& call, const std::vector<Pair>& batch) const {
    const int slabs = shape_.down / kSlabColumns<T>;
    parallel_for(slabs * static_cast<int>(batch.size()), call.threads, [&](int index) {
      steps_.filter(batch[static_cast<std::size_t>(index / slabs)].tile, index % slabs,
                    spectrum_.as<T>());
    });
  }

  void store_results(const Call& call, const std::vector<Pair>& batch) const {
    std::mutex mutex;
    for_panels(columns(), batch, call.threads, [&](const Panel& panel) {
      if (results_from(panel, 0) <= 0) return;
      bool finite = true;
      for (int s = 0; s < panel.slabs; ++s)
        finite = steps_.results(panel.pair->tile, panel.x + s * kSlabColumns<T>, row_step(),
                                panel.samples + s * slab_samples()) &&
                 finite;
      for (int part = 0; part < 2; ++part) store_part(call, panel, part);
      if (finite) return;
      const std::lock_guard lock(mutex);
      panel.pair->place->finite = false;
    });
  }
  void store_part(const Call& call, const Panel& panel, int part) const {
    const Pair& pair = *panel.pair;
    const int here = std::min(panel.columns(), results_from(panel, part));
    if (here <= 0) return;
    const AnyMutableView& to = call.out.view;
    const Rows rows = pair.place->rows;
    const int column = pair.place->column + part * columns() + panel.x;
    rows_.store(problem_, {prefix_.empty() ? nullptr : prefix_.data(),
                           {panel.slabs, kSlabColumns<T>, slab_samples()},
                           panel.samples + part * kSlabColumns<T> +
                               1LL * (rows.first - pair.place->whole.first) * kSlabRow<T>,
                           kSlabRow<T>,
                           rows.first,
                           rows.count(),
                           column,
                           here,
                           to.address(column, rows.first - call.out.first_row, pair.place->plane) +
                               pair.channel * bytes_of(to.type),
                           to.pixel,
                           to.row});
  }

  /// Pairs with a result that is not finite, in all channels.
  void run_direct(const Call& call, const std::vector<Place>& places) const {
    std::vector<Place> parts;
    for (const Place& place : places)
      for (int row = place.rows.first; !place.finite && row < place.rows.end; row += kDirectRows) {
        parts.push_back(place);
        parts.back().rows = {row, std::min(row + kDirectRows, place.rows.end)};
      }
    parallel_for(static_cast<int>(parts.size()), call.threads, [&](int index) {
      const Place& part = parts[static_cast<std::size_t>(index)];
      direct_->run_part(call.in, call.out, part.plane, part.rows, part.column,
                        std::min(2 * columns(), call.out.view.size.width - part.column));
    });
  }

  ConvolveProblem problem_;
  std::vector<Twofold> prefix_;
  std::unique_ptr<const ConvolveDirectCpu> direct_;
  std::string isa_;
  LargeTileFft<T> steps_;
  TileRows rows_;
  TileShape shape_;
  FftAxis<T> across_, down_;
  Scratch spectrum_;
};

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_large_fft_cpu(const ConvolveProblem& problem) {
  if (problem.sums == Type::f64) return std::make_unique<LargeFftCpu<double>>(problem);
  return std::make_unique<LargeFftCpu<float>>(problem);
}

}  // namespace tessera
