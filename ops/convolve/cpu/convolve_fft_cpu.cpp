// SPDX-License-Identifier: Apache-2.0
// Method fft on the CPU: pairs of neighbouring tiles go through tile_fft. Tiles are counted from
// output pixel 0, 0, and pixels that no wanted result reads are zero: neither threads nor strips
// change a bit.
#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "core/stop.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/cpu/convolve_block.hpp"
#include "ops/convolve/cpu/tile_fft.hpp"
#include "ops/convolve/inside_prefix.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

/// Pairs a thread takes at once: few enough that 16 threads share a row of tiles evenly.
constexpr int kPairsAtOnce = 4;

int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

/// The filter's spectrum in the form the tiles need: conjugated, because the filter is not turned,
/// and with the scale of the sum and of both inverse transforms.
template <class T>
std::vector<T> filter_spectrum(const ConvolveProblem& p, TileShape shape, const TileFft& fft) {
  const FftAxis<double> across(shape.across, fft.most_radix), down(shape.down, fft.most_radix);
  const int width = rounded_up(p.filter_width, kSlabColumns<double>);
  std::vector<double> pixels(2ULL * width * shape.down, 0.0);
  for (int j = 0; j < p.filter_height; ++j)
    std::copy_n(&p.weights[1ULL * j * p.filter_width], p.filter_width, &pixels[2ULL * j * width]);
  std::vector<double> tile(
      static_cast<std::size_t>(fft_tile_samples<double>(shape.across, shape.down))),
      slab(static_cast<std::size_t>(fft_slab_samples<double>(shape.across, shape.down))),
      found(2ULL * shape.across * shape.down);
  fft.spectrum({&across, &down, nullptr, pixels.data(), 2LL * width, width, p.filter_width,
                p.filter_height, tile.data(), slab.data()},
               found.data());
  const auto at = [&]<class V>(const V*, int x, int y) {
    constexpr int kColumns = kSlabColumns<V>;
    return (1ULL * (y / kColumns) * shape.across + x) * 2 * kColumns + y % kColumns;
  };
  const double factor = p.scale / (1.0 * shape.across * shape.down);
  std::vector<T> spectrum(found.size());
  for (int x = 0; x < shape.across; ++x)
    for (int y = 0; y < shape.down; ++y) {
      const auto from = at(found.data(), x, y), to = at(spectrum.data(), x, y);
      spectrum[to] = static_cast<T>(factor * found[from]);
      spectrum[to + kSlabColumns<T>] = static_cast<T>(-factor * found[from + kSlabColumns<double>]);
    }
  return spectrum;
}

template <class T>
class FftCpu : public ConvolveRunner {
 public:
  explicit FftCpu(const ConvolveProblem& problem)
      : problem_(problem),
        prefix_(inside_prefix(problem)),
        direct_(make_convolve_direct_parts(problem)),  // also looks at TESSERA_ISA
        isa_(current_isa()),
        fft_(tile_fft()),
        rows_(tile_rows()),
        shape_(fft_tile_shape(problem)),
        across_(shape_.across, fft_.most_radix),
        down_(shape_.down, fft_.most_radix),
        spectrum_(filter_spectrum<T>(problem, shape_, fft_)) {
    PlanBytes::add(spectrum_.size() * sizeof(T) + prefix_.size() * sizeof(Twofold));
  }

  std::string describe() const override {
    return fmt::format("{}, pairs of {}x{} tiles", isa_, shape_.across, shape_.down);
  }
  int row_step() const override { return shape_.rows(problem_); }
  double error_factor() const override { return fft_error_factor(problem_, shape_, prefix_); }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const int pair_columns = 2 * shape_.columns(problem_);
    const int pairs = (out.view.size.width + pair_columns - 1) / pair_columns;
    const int groups = (pairs + kPairsAtOnce - 1) / kPairsAtOnce;
    for_pieces(
        out.rows(), row_step(), out.view.size.planes * groups, stream, [&](int index, Rows rows) {
          const int first = index % groups * kPairsAtOnce;
          run_pairs(in, out, index / groups, rows, first, std::min(first + kPairsAtOnce, pairs));
        });
  }

 private:
  /// The working memory of a thread.
  struct Room {
    FftPair<T> pair;
    Scratch pixels, tile, slab;
  };

  Room make_room() const {
    Room room;
    FftPair<T>& pair = room.pair;
    pair.across = &across_;
    pair.down = &down_;
    pair.spectrum = spectrum_.data();
    pair.columns = shape_.columns(problem_);
    pair.rows = shape_.rows(problem_);
    pair.second = shape_.across;
    pair.pixels_row = fft_tile_row<T>(shape_.across);
    room.pixels = host_scratch(sizeof(T) * pair.pixels_row * shape_.down);
    room.tile = host_scratch(sizeof(T) * fft_tile_samples<T>(shape_.across, shape_.down));
    room.slab = host_scratch(sizeof(T) * fft_slab_samples<T>(shape_.across, shape_.down));
    pair.pixels = room.pixels.template as<T>();
    pair.tile = room.tile.template as<T>();
    pair.slab = room.slab.template as<T>();
    return room;
  }

  /// Pairs [first, end) of the row of tiles that contains `rows`.
  void run_pairs(const Piece& in, const MutablePiece& out, int plane, Rows rows, int first,
                 int end) const {
    const Rows whole = whole_groups(rows, row_step(), problem_.output.size.height);
    const auto addresses = needed_rows(problem_, in, plane, whole);
    const Room room = make_room();
    for (int pair = first; pair < end; ++pair) {
      const int column = 2 * pair * shape_.columns(problem_);
      bool finite = true;
      for (int channel = 0; channel < problem_.image.size.channels; ++channel) {
        poll_stop();
        finite = run_pair(addresses, in, out, plane, channel, rows, whole, column, room) && finite;
      }
      if (!finite)
        direct_->run_part(in, out, plane, rows, column,
                          std::min(2 * room.pair.columns, out.view.size.width - column));
    }
  }

  bool run_pair(const std::vector<const unsigned char*>& addresses, const Piece& in,
                const MutablePiece& out, int plane, int channel, Rows rows, Rows whole, int column,
                const Room& room) const {
    const FftPair<T>& pair = room.pair;
    const int columns = std::min(2 * pair.columns, out.view.size.width - column);
    const TileParts parts{2, pair.columns, pair.second};
    rows_.load(problem_, {addresses.data(), in.view.pixel, channel, column - problem_.anchor.x,
                          static_cast<int>(addresses.size()), columns + problem_.filter_width - 1,
                          parts, shape_.down, shape_.across, pair.pixels, pair.pixels_row});
    if (!filter(pair)) return false;
    rows_.store(problem_, {prefix_.empty() ? nullptr : prefix_.data(), parts,
                           pair.pixels + (rows.first - whole.first) * pair.pixels_row,
                           pair.pixels_row, rows.first, rows.count(), column, columns,
                           out.view.address(column, rows.first - out.first_row, plane) +
                               channel * bytes_of(out.view.type),
                           out.view.pixel, out.view.row});
    return true;
  }

  bool filter(const FftPair<T>& pair) const {
    if constexpr (std::is_same_v<T, double>)
      return fft_.filter_f64(pair);
    else
      return fft_.filter_f32(pair);
  }

  ConvolveProblem problem_;
  std::vector<Twofold> prefix_;
  std::unique_ptr<const ConvolveDirectCpu> direct_;
  std::string isa_;
  TileFft fft_;
  TileRows rows_;
  TileShape shape_;
  FftAxis<T> across_, down_;
  std::vector<T> spectrum_;
};

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_fft_cpu(const ConvolveProblem& problem) {
  if (fft_tile_shape(problem).large) return make_convolve_large_fft_cpu(problem);
  if (problem.sums == Type::f64) return std::make_unique<FftCpu<double>>(problem);
  return std::make_unique<FftCpu<float>>(problem);
}

}  // namespace tessera
