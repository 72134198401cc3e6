// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN on the CPU: blocks of neighbouring pixels are transposed so that a pixel's depths are
// contiguous, cleaned one by one (faraday_clean_simd.cpp) and transposed back.
#include <algorithm>
#include <limits>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "ops/faraday/clean/cpu/faraday_clean_simd.hpp"
#include "ops/faraday/clean/cpu/faraday_clean_turn.hpp"
#include "ops/faraday/clean/faraday_clean_problem.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr double kNoWindow = std::numeric_limits<double>::quiet_NaN();

/// Pixels per block: two cache lines of floats.
constexpr int kBlockPixels = 32;
/// Blocks that share scratch memory, one after the other.
constexpr int kTaskBlocks = 8;

/// Pixels, counted in row order.
struct Pixels {
  long long first;
  int count;
};

template <class View>
long long place(const View& view, long long pixel) {
  return pixel / view.size.width * view.row + pixel % view.size.width * view.pixel;
}

/// Elements from one spectrum of a block to the next: an odd number of cache lines of floats, so
/// that the same depth of all pixels fits in a cache with few ways.
int stride_of(int depths) { return (depths + kCleanPadding + 63) / 64 * 64 + 16; }

/// Spectra of a block, with contiguous depths.
template <class Real>
class Block {
 public:
  explicit Block(int depths)
      : depths_(depths),
        stride_(stride_of(depths)),
        memory_(Size{stride_, 4 * kBlockPixels + 3}, TypeOf<Real>::value) {}

  Real* re(int i) { return row(i); }
  Real* im(int i) { return row(kBlockPixels + i); }
  Real* components_re(int i) { return row(2 * kBlockPixels + i); }
  Real* components_im(int i) { return row(3 * kBlockPixels + i); }
  Real* scratch(int i) { return row(4 * kBlockPixels + i); }

  /// Copies spectra of a view's pixels to rows from `rows` on, or back.
  template <class Plane, class Row>
  void turn(const View<Plane>& view, Pixels pixels, Row* rows,
            void (*way)(const CleanTurn<Plane, Row>&)) const {
    long long offset[kBlockPixels];
    for (int i = 0; i < pixels.count; ++i) offset[i] = place(view, pixels.first + i);
    way({view.data, view.plane, offset, pixels.count, depths_, rows, stride_});
  }

 private:
  Real* row(int i) {
    return memory_.template as<Real>().data + static_cast<long long>(i) * stride_;
  }

  int depths_, stride_;
  Image memory_;
};

template <class Real>
class CleanCpu : public FaradayCleanRunner {
 public:
  explicit CleanCpu(const FaradayCleanProblem& problem)
      : problem_(problem),
        tables_(problem.rmsf, problem.depths(), problem.dphi),
        isa_(current_isa()),
        clean_(clean_function(Real())),
        turn_(clean_turn_functions(Real())) {}

  void run(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
           Stream& stream) const override {
    std::vector<CleanTables<Real>> own;
    for (const FaradayRmsf& rmsf : dirty.own_rmsfs)
      own.emplace_back(rmsf, problem_.depths(), problem_.dphi);
    const long long pixels = 1LL * dirty.real.size.width * dirty.real.size.height;
    constexpr long long kTask = kTaskBlocks * kBlockPixels;
    parallel_for(static_cast<int>((pixels + kTask - 1) / kTask), stream.threads(), [&](int task) {
      Block<Real> block(problem_.depths());
      const long long end = std::min(pixels, (task + 1) * kTask);
      for (long long first = task * kTask; first < end; first += kBlockPixels) {
        const auto count = std::min<long long>(kBlockPixels, end - first);
        clean_block(dirty, cleaned, own, {first, static_cast<int>(count)}, block);
      }
    });
  }
  std::string describe() const override { return isa_; }

 private:
  void clean_block(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
                   const std::vector<CleanTables<Real>>& own, Pixels pixels,
                   Block<Real>& block) const {
    block.turn(dirty.real.as<const Real>(), pixels, block.re(0), turn_.load);
    block.turn(dirty.imaginary.as<const Real>(), pixels, block.im(0), turn_.load);
    for (int i = 0; i < pixels.count; ++i) {
      poll_stop();
      const int iterations = clean_pixel(dirty, own, pixels.first + i, i, block);
      const auto map = cleaned.iterations.as<Real>();
      if (map.data) map.data[place(map, pixels.first + i)] = static_cast<Real>(iterations);
    }
    const auto store = [&](const AnyMutableView& to, const Real* rows) {
      if (to.data) block.turn(to.as<Real>(), pixels, rows, turn_.store);
    };
    store(cleaned.real, block.re(0));
    store(cleaned.imaginary, block.im(0));
    store(cleaned.components_real, block.components_re(0));
    store(cleaned.components_imaginary, block.components_im(0));
  }

  int clean_pixel(const FaradayDirty& dirty, const std::vector<CleanTables<Real>>& own,
                  long long pixel, int i, Block<Real>& block) const {
    const int id =
        dirty.rmsf_of_pixel.empty() ? -1 : dirty.rmsf_of_pixel[static_cast<std::size_t>(pixel)];
    const FaradayCleanOptions& o = problem_.options;
    const auto value = [&](const AnyView& view, double otherwise) {
      const auto map = view.as<const Real>();
      return map.data ? static_cast<double>(map.data[place(map, pixel)]) : otherwise;
    };
    return clean_({.re = block.re(i),
                   .im = block.im(i),
                   .components_re = block.components_re(i),
                   .components_im = block.components_im(i),
                   .sum_re = block.scratch(0),
                   .sum_im = block.scratch(1),
                   .mask = block.scratch(2),
                   .depths = problem_.depths(),
                   .tables = id < 0 ? &tables_ : &own[static_cast<std::size_t>(id)],
                   .gain = static_cast<Real>(o.gain),
                   .iterations = o.iterations,
                   .cutoff = value(dirty.cutoff, o.cutoff),
                   .window = value(dirty.window, o.window.value_or(kNoWindow))});
  }

  FaradayCleanProblem problem_;
  CleanTables<Real> tables_;
  std::string isa_;
  CleanFunction<Real> clean_;
  CleanTurnFunctions<Real> turn_;
};

}  // namespace

FaradayCleanRunnerPointer make_faraday_clean_simd(const FaradayCleanProblem& problem) {
  apply_isa_environment();
  if (problem.spectra.type == Type::f64) return std::make_unique<CleanCpu<double>>(problem);
  return std::make_unique<CleanCpu<float>>(problem);
}

}  // namespace tessera
