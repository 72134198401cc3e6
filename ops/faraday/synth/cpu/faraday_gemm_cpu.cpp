// SPDX-License-Identifier: Apache-2.0
// The sum as a product of matrices: a table of turns by a tile of pixels.
//
// Tiles always have the full width, padded with zeros, and so have the products: the result of a
// column cannot depend on how many others there are. A library that sums columns of one product in
// different orders is refused: a pixel's bits would depend on its place. The library is used with
// one thread per call; our threads take tiles.
#include "ops/faraday/synth/cpu/faraday_gemm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/cblas.hpp"
#include "core/fork.hpp"
#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/stop.hpp"
#include "ops/faraday/synth/cpu/faraday_turns.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

/// Limits OpenBLAS to one thread per call while at least one of these exists; the last one restores
/// the previous number. A program that calls OpenBLAS from other threads in the meantime gets one
/// thread there too; its results are right.
class OneBlasThread {
 public:
  OneBlasThread() {
    if (!cblas().set_threads || !cblas().threads) return;
    const std::lock_guard lock(mutex_);
    if (living_++ > 0) return;
    before_ = cblas().threads();
    if (before_ != 1) cblas().set_threads(1);
  }
  ~OneBlasThread() {
    if (!cblas().set_threads || !cblas().threads) return;
    const std::lock_guard lock(mutex_);
    if (--living_ == 0 && before_ != 1) cblas().set_threads(before_);
  }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  inline static ForkMutex mutex_;
  inline static int living_ = 0, before_ = 1;
};

/// Rows of C [m][n] = or += A [m][k] B [k][n]; rows of B and C are packed.
void multiply(int m, int n, int k, const float* a, int a_row, const float* b, bool add, float* c) {
  cblas().sgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kAsIs, m, n, k, 1, a, a_row, b, n,
                add ? 1 : 0, c, n);
}
void multiply(int m, int n, int k, const double* a, int a_row, const double* b, bool add,
              double* c) {
  cblas().dgemm(Cblas::kRowMajor, Cblas::kAsIs, Cblas::kAsIs, m, n, k, 1, a, a_row, b, n,
                add ? 1 : 0, c, n);
}

/// Terms per product: the length of the sums inside the library is not known. The worst of 400,000
/// sums of 384 equal terms is off by 5.7e-6 of itself; shorter ones cost time (192: 7%).
constexpr int kMostTerms = 384;
/// Pixels per tile: 0.28 CPU seconds with 128, 0.26 with 256 and 512, 0.25 with 1024, which makes
/// too few tiles for small images (300 channels, 128x128 pixels, 401 depths, Neoverse N1).
constexpr int kGemmWidth = 512;
/// Turns per product: that many results wait to be written.
constexpr int kGemmTurns = 256;

template <class T>
class Gemm : public FaradayRunner {
 public:
  explicit Gemm(const FaradayProblem& problem)
      : used_(problem.axes), turns_(problem.axes), row_(used_.count() * (turns_.mirrored ? 1 : 2)) {
    apply_isa_environment();
    copy_ = faraday_copy_function<T>();
    table_.resize(2 * static_cast<std::size_t>(turns_.count()) * static_cast<std::size_t>(row_));
    PlanBytes::add(table_.size() * sizeof(T));
    for (int turn = 0; turn < turns_.count(); ++turn) {
      poll_stop();
      for (int k = 0; k < used_.count(); ++k) put(turn, k, faraday_turn_of(turns_, turn, used_, k));
    }
  }

  std::string describe() const override {
    return fmt::format("cblas, tiles of {} pixels{}", kGemmWidth,
                       turns_.mirrored ? ", two depths per turn" : "");
  }

  void run(const FaradayCall& call, Stream& stream) const override {
    const OneBlasThread one;
    parallel_for(faraday_tiles(call, kGemmWidth), stream.threads(), [&](int index) {
      FaradayTile<T> tile(used_, kGemmWidth, copy_);
      const Scratch results = host_scratch(sizeof(T) * 2 * turns_.rows_each() * kGemmWidth *
                                           std::min(kGemmTurns, turns_.count()));
      tile.pack(call, index);
      for (int turn = 0; turn < turns_.count(); turn += kGemmTurns)
        sum_turns(tile, turn, std::min(kGemmTurns, turns_.count() - turn), results.as<T>(), call);
    });
  }

 private:
  /// Mirrored: rows C and S of a turn, to be multiplied by Q and U side by side. Otherwise rows of
  /// the real and the imaginary part, to be multiplied by Q and U one below the other.
  void put(int turn, int k, std::complex<double> value) {
    T* const first = table_.data() + 2LL * turn * row_;
    const T c = static_cast<T>(value.real()), s = static_cast<T>(value.imag());
    if (turns_.mirrored) {
      first[k] = c;
      first[row_ + k] = s;
      return;
    }
    first[2 * k] = c;
    first[2 * k + 1] = s;
    first[row_ + 2 * k] = -s;
    first[row_ + 2 * k + 1] = c;
  }

  void sum_turns(const FaradayTile<T>& tile, int first, int count, T* results,
                 const FaradayCall& call) const {
    const int each = turns_.rows_each();
    const T* const table = table_.data() + 2LL * first * row_;
    const int products = (row_ + kMostTerms - 1) / kMostTerms;
    const int terms = (row_ + products - 1) / products;
    for (int k = 0; k < row_; k += terms) {
      poll_stop();
      multiply(2 * count, each * kGemmWidth, std::min(terms, row_ - k), table + k, row_,
               tile.data() + 1LL * k * each * kGemmWidth, k > 0, results);
    }
    if (turns_.mirrored)
      for (int turn = 0; turn < count; ++turn) mirror(results + 4LL * turn * kGemmWidth);
    tile.unpack(results,
                std::span(turns_.depth)
                    .subspan(static_cast<std::size_t>(first * each),
                             static_cast<std::size_t>(count * each)),
                call);
  }

  /// C Q, C U, S Q and S U of a turn become the real and imaginary parts of two depths.
  static void mirror(T* sums) {
    for (int i = 0; i < kGemmWidth; ++i) {
      T* const at = sums + i;
      const T cq = at[0], cu = at[kGemmWidth], sq = at[2 * kGemmWidth], su = at[3 * kGemmWidth];
      at[0] = cq + su;
      at[kGemmWidth] = cu - sq;
      at[2 * kGemmWidth] = cq - su;
      at[3 * kGemmWidth] = cu + sq;
    }
  }

  FaradayUsed used_;
  FaradayTurns turns_;
  int row_;  ///< columns of the table
  FaradayCopyFunction<T> copy_;
  std::vector<T> table_;
};

/// Multiplies a matrix by equal columns. OpenBLAS's sgemm for Haswell and Zen, for one, gives the
/// columns other last bits where they are far from both ends.
template <class T>
bool columns_are_summed_alike() {
  const OneBlasThread one;
  constexpr int kTerms = 47;
  for (const int width : {kGemmWidth, 2 * kGemmWidth})
    for (const int rows : {2, 6, 64, 82}) {
      std::vector<T> a(static_cast<std::size_t>(rows * kTerms));
      std::vector<T> b(static_cast<std::size_t>(kTerms * width));
      std::vector<T> c(static_cast<std::size_t>(rows * width));
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<T>(i + 1));
      for (std::size_t i = 0; i < b.size(); ++i) {
        const std::size_t row = i / static_cast<std::size_t>(width);
        b[i] = std::cos(static_cast<T>(row));
      }
      multiply(rows, width, kTerms, a.data(), kTerms, b.data(), false, c.data());
      for (std::size_t i = 0; i < c.size(); ++i)
        if (c[i] != c[i - i % static_cast<std::size_t>(width)]) return false;
    }
  return true;
}

std::string why_columns_differ(Type type) {
  static const bool f32 = columns_are_summed_alike<float>(),
                    f64 = columns_are_summed_alike<double>();
  if (type == Type::f64 ? f64 : f32) return "";
  return fmt::format(
      "the BLAS of this machine sums the columns of a product in {} in different orders, so that a "
      "pixel's last bits would depend on its place",
      type == Type::f64 ? "double" : "float");
}

}  // namespace

std::string why_no_faraday_gemm(const FaradayProblem& problem) {
  if (std::string reason = why_no_faraday_tables(problem); !reason.empty()) return reason;
  if (!why_no_cblas().empty()) return why_no_cblas();
  return why_columns_differ(problem.image.type);
}

FaradayRunnerPointer make_faraday_gemm_cpu(const FaradayProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<Gemm<double>>(problem);
  return std::make_unique<Gemm<float>>(problem);
}

}  // namespace tessera
