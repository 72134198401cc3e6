// SPDX-License-Identifier: Apache-2.0
// The fused CPU method: one sweep makes grey and counts it, another applies the curve and smooths,
// each on pieces of rows that stay in a cache.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <optional>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/enhance/cpu/enhance_counters.hpp"
#include "ops/enhance/cpu/enhance_guess.hpp"
#include "ops/enhance/cpu/enhance_packed_rows.hpp"
#include "ops/enhance/cpu/enhance_plane_curves.hpp"
#include "ops/enhance/cpu/enhance_smooth_cpu.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tune/knob_values.hpp"

namespace tessera {
namespace {

/// Interval between the rows that are counted to guess percentiles; small images are counted
/// completely.
constexpr int kRowsAGuess = 32;
constexpr long long kFewestToGuess = 1 << 18;

template <class T>
class FusedCpu : public EnhanceRunner {
 public:
  explicit FusedCpu(const EnhanceProblem& problem) : problem_(problem), grey_(problem.grey) {
    apply_isa_environment();
    isa_ = current_isa();
    rows_ = enhance_rows<T>();
    for (std::size_t k = 0; k < problem_.stages.size(); ++k) {
      const EnhanceStage& stage = problem_.stages[k];
      if (stage.step == EnhanceStep::grey) to_grey_ = !(stage.in == stage.out);
      if (stage.step == EnhanceStep::contrast || stage.step == EnhanceStep::equalise) curve_ = k;
      if (stage.step == EnhanceStep::smooth) smooth_.emplace(problem_, stage.in, rows_);
    }
    const Knobs tuned = find_knobs(kEnhanceFusedCpuSite, problem_key(problem_), cpu_table_name());
    piece_rows_ = rows_for_threads(tuned.get("piece_rows", kUsualPieceRows), kUsualPieceRows,
                                   1LL * problem_.image.size.height * problem_.image.size.planes);
  }

  std::string describe() const override {
    return fmt::format("{}, {} rows per strip", isa_, piece_rows_);
  }

  void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
           Stream& stream) const override {
    const int height = problem_.image.size.height;
    const Rows all{0, height};
    EnhanceState::Impl own;
    EnhanceState::Impl& state = found ? *found : own;
    start_sweeps(problem_, state);
    // Grey is kept for the second sweep if there is room: it moves 2 bytes per pixel instead of 3.
    Scratch memory;
    MutablePiece grey;
    if (to_grey_ && problem_.sweeps() > 0 && fits(problem_.output, stream)) {
      memory = stream.scratch(bytes_of(problem_.output));
      grey.view = packed(memory.data(), problem_.output);
    }
    if (problem_.sweeps() > 0) {
      SweepCounts counts = state.counts;
      if (found || !may_guess() || !find_limits({in, 0}, counts, grey, stream)) {
        counts = state.counts;
        count({in, 0}, all, counts, grey, stream);
      }
      while (state.sweep < problem_.sweeps()) {  // all of them count the same image
        state.counts = counts;
        finish_sweep(problem_, state, stream.threads());
      }
    }
    const bool kept = grey.view.data != nullptr;
    make_rows(state, kept ? Piece{grey.view, 0} : Piece{in, 0}, to_grey_ && !kept, {out, 0},
              stream);
  }

  void look(const EnhanceState::Impl&, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const override {
    count(in, rows, counts, {}, stream);
  }

  void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
            Stream& stream) const override {
    make_rows(state, in, to_grey_, out, stream);
  }

 private:
  static bool fits(const ImageInfo& image, const Stream& stream) {
    return static_cast<std::size_t>(bytes_of(image)) <= stream.memory_limit();
  }
  static Scratch row_of(int pixels, int channels) {
    return host_scratch(static_cast<std::size_t>(pixels) * static_cast<std::size_t>(channels) *
                        sizeof(T));
  }

  /// The first sweep: counts of the image after grey, which is kept if `grey` has room.
  void count(const Piece& in, Rows rows, SweepCounts& counts, const MutablePiece& grey,
             Stream& stream) const {
    Counters counters(problem_, problem_.output, counts);
    const int piece_rows = counters.rows_at_once(piece_rows_);
    for_pieces(rows, piece_rows, in.view.size.planes, stream, [&](int plane, Rows piece) {
      ThreadCounts& own = counters.take(plane);
      count_piece(in, plane, piece, grey, counters, own);
      counters.give_back(
          own, 1LL * piece.count() * problem_.output.size.width * problem_.output.size.channels);
    });
    counters.finish();
  }

  /// Whether nobody else uses the counts, and only the percentiles of one plane are needed.
  bool may_guess() const {
    const Size& size = problem_.output.size;
    return curve_ && problem_.sweeps() == 1 && size.planes == 1 &&
           problem_.stages[*curve_].step == EnhanceStep::contrast &&
           problem_.rule == ContrastRule::percentiles && size.channels % 2 == 1 &&
           (problem_.together || size.channels == 1) && size.samples() >= kFewestToGuess;
  }

  /// The first sweep without counting, as described in enhance_guess.hpp. False: it must be
  /// repeated with counting.
  bool find_limits(const Piece& in, SweepCounts& counts, const MutablePiece& grey,
                   Stream& stream) const {
    SweepCounts some = counts;
    count_some_rows(in, some, stream);
    const auto total = static_cast<std::uint64_t>(problem_.output.size.samples());
    if constexpr (sizeof(T) == 1) {
      const GuessedValues values = guess_limits(problem_, some);
      const auto greater = add_rows<kGuessedValues>(
          in, grey, stream, [&](const T* row, long long samples, std::uint64_t* sums) {
            rows_.compare(values, row, samples, sums);
          });
      return prove_limits(problem_, values, greater, total, counts);
    } else {
      const auto ranges = guess_ranges(problem_, some);
      if (!ranges) return false;
      Counters inside(problem_, problem_.output, counts);
      const auto below =
          add_rows<2>(in, grey, stream, [&](const T* row, long long samples, std::uint64_t* sums) {
            ThreadCounts& own = inside.take(0);
            rows_.count_ranges(*ranges, row, samples, inside.tables(own, 0), sums);
            inside.give_back(own, samples);
          });
      inside.finish();
      return prove_ranges(problem_, *ranges, below, total, counts);
    }
  }

  void count_some_rows(const Piece& in, SweepCounts& some, Stream& stream) const {
    Counters counters(problem_, problem_.output, some);
    const int rows = problem_.image.size.height / kRowsAGuess;
    parallel_for(rows, stream.threads(), [&](int k) {
      ThreadCounts& own = counters.take(0);
      const int row = k * kRowsAGuess + kRowsAGuess / 2;
      count_piece(in, 0, {row, row + 1}, {}, counters, own);
      counters.give_back(own, 1LL * problem_.output.size.width * problem_.output.size.channels);
    });
    counters.finish();
  }

  /// Sums of what `add(row, samples, sums)` adds for every row after grey, which is kept if `grey`
  /// has room.
  template <std::size_t kSums, class Add>
  std::array<std::uint64_t, kSums> add_rows(const Piece& in, const MutablePiece& grey,
                                            Stream& stream, Add add) const {
    const int width = problem_.image.size.width, channels = problem_.image.size.channels;
    const long long samples = 1LL * width * problem_.output.size.channels;
    std::array<std::uint64_t, kSums> sums{};
    std::mutex mutex;
    for_pieces({0, problem_.image.size.height}, piece_rows_, stream, [&](Rows piece) {
      std::array<std::uint64_t, kSums> part{};
      const Scratch gathered = row_of(width, channels), made = row_of(width, channels);
      for (int row = piece.first; row < piece.end; ++row) {
        const T* from = packed_row(in, 0, row, 0, width, gathered.as<T>());
        if (to_grey_) {
          T* to = grey.view.data ? open_row(grey, 0, row, 0, made.as<T>()) : made.as<T>();
          rows_.grey(grey_, channels, from, width, to);
          from = to;
        }
        add(from, samples, part.data());
      }
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < kSums; ++k) sums[k] += part[k];
    });
    return sums;
  }

  void count_piece(const Piece& in, int plane, Rows piece, const MutablePiece& grey,
                   const Counters& counters, ThreadCounts& own) const {
    const int width = problem_.image.size.width, channels = problem_.image.size.channels;
    const Scratch gathered = row_of(width, channels), made = row_of(width, channels);
    for (int row = piece.first; row < piece.end; ++row) {
      const T* from = packed_row(in, plane, row, 0, width, gathered.as<T>());
      if (!to_grey_) {
        counters.count_row(rows_, from, width, own);
        continue;
      }
      T* to = grey.view.data ? open_row(grey, plane, row, 0, made.as<T>()) : made.as<T>();
      if (channels == 3) {
        rows_.grey_and_count(grey_, from, width, to, counters.tables(own, 0));
      } else {
        rows_.grey(grey_, channels, from, width, to);
        counters.count_row(rows_, to, width, own);
      }
    }
  }

  /// The steps applied to each row before it is smoothed.
  struct Maker {
    const FusedCpu& method;
    const Piece& in;
    bool to_grey;
    const PlaneCurves<T>& curves;
    int plane;
    Scratch gathered, grey;

    Maker(const FusedCpu& m, const Piece& piece, bool grey_wanted, const PlaneCurves<T>& c, int p,
          int pixels)
        : method(m), in(piece), to_grey(grey_wanted), curves(c), plane(p) {
      const int channels = in.view.size.channels;
      if (in.view.pixel != channels) gathered = row_of(pixels, channels);
      if (to_grey) grey = row_of(pixels, channels);
    }
    const T* operator()(int row, int x, int pixels, T* buffer) const {
      const bool follow = !curves.empty();
      T* first = to_grey || follow ? gathered.as<T>() : buffer;
      const T* from = packed_row(in, plane, row, x, pixels, first);
      if (to_grey) {
        T* to = follow ? grey.as<T>() : buffer;
        method.rows_.grey(method.grey_, in.view.size.channels, from, pixels, to);
        from = to;
      }
      if (!follow) return from;
      method.rows_.follow(curves.of(plane), from, pixels, buffer);
      return buffer;
    }
  };

  /// The second sweep.
  void make_rows(const EnhanceState::Impl& state, const Piece& in, bool to_grey,
                 const MutablePiece& out, Stream& stream) const {
    const PlaneCurves<T> curves =
        curve_ ? PlaneCurves<T>(problem_, problem_.stages[*curve_], state.findings[*curve_])
               : PlaneCurves<T>();
    const int width = problem_.image.size.width;
    const int columns = smooth_ ? smooth_->block_columns() : width;
    const int blocks = (width + columns - 1) / std::max(1, columns);
    for_pieces(out.rows(), piece_rows_, out.view.size.planes * blocks, stream,
               [&](int index, Rows piece) {
                 const int plane = index / blocks, first = index % blocks * columns;
                 const SmoothBlock block{plane, piece, first, std::min(width, first + columns)};
                 const int most = std::min(width, columns + problem_.smoothing.width);
                 const Maker maker(*this, in, to_grey, curves, plane, most);
                 if (smooth_)
                   smooth_->run(block, std::cref(maker), out);
                 else
                   make_plainly(block, maker, out);
               });
  }

  void make_plainly(const SmoothBlock& block, const Maker& maker, const MutablePiece& out) const {
    const int pixels = block.columns(), channels = problem_.output.size.channels;
    const Scratch buffer = row_of(pixels, channels);
    for (int row = block.rows.first; row < block.rows.end; ++row) {
      T* to = open_row(out, block.plane, row, block.first, buffer.as<T>());
      const T* made = maker(row, block.first, pixels, to);
      if (made != to) std::copy_n(made, 1LL * pixels * channels, to);
      put_row(out, block.plane, row, block.first, pixels, to);
    }
  }

  EnhanceProblem problem_;
  GreyWeights grey_;
  EnhanceRows<T> rows_{};
  bool to_grey_ = false;
  std::optional<std::size_t> curve_;
  std::optional<SmoothCpu<T>> smooth_;
  std::string isa_;
  int piece_rows_ = 64;
};

}  // namespace

EnhanceRunnerPointer make_enhance_fused_cpu(const EnhanceProblem& problem) {
  if (problem.image.type == Type::u8) return std::make_unique<FusedCpu<std::uint8_t>>(problem);
  return std::make_unique<FusedCpu<std::uint16_t>>(problem);
}

}  // namespace tessera
