// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN on the CPU: blocks of neighbouring pixels are turned so that a pixel's depths lie side
// by side, cleaned one by one (faraday_clean_simd.cpp) and turned back.
#include <algorithm>
#include <limits>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/faraday/faraday_clean_problem.hpp"
#include "ops/faraday/faraday_clean_simd.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Pixels of a block: two cache lines of floats.
constexpr int kBlockPixels = 32;
/// Blocks that share scratch memory, one after the other.
constexpr int kTaskBlocks = 8;

/// Where the pixels of a block are in a view.
class Places {
 public:
  template <class Real>
  Places(const View<Real>& view, long long first, int count) : count_(count) {
    for (int i = 0; i < count; ++i) {
      const long long y = (first + i) / view.size.width, x = (first + i) % view.size.width;
      offset_[i] = y * view.row + x * view.pixel;
    }
  }
  int count() const { return count_; }
  long long operator[](int i) const { return offset_[i]; }

 private:
  int count_;
  long long offset_[kBlockPixels];
};

/// Elements from one spectrum of a block to the next: an odd number of cache lines of floats, so
/// that the same depth of all pixels finds room in a cache of few ways.
int stride_of(int depths) { return (depths + kCleanPadding + 63) / 64 * 64 + 16; }

/// Spectra of a block, depths side by side.
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

  void load(const AnyView& from, long long first, int count, Real* to) const {
    const auto view = from.as<const Real>();
    const Places places(view, first, count);
    for (int p = 0; p < depths_; ++p)
      for (int i = 0; i < count; ++i) to[i * stride_ + p] = view.data[places[i] + p * view.plane];
  }
  void store(const Real* from, const AnyMutableView& to, long long first, int count) const {
    if (!to.data) return;
    const auto view = to.as<Real>();
    const Places places(view, first, count);
    for (int p = 0; p < depths_; ++p)
      for (int i = 0; i < count; ++i) view.data[places[i] + p * view.plane] = from[i * stride_ + p];
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
        clean_(clean_function(Real())) {}

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
      for (long long first = task * kTask; first < end; first += kBlockPixels)
        clean_block(dirty, cleaned, own, first,
                    static_cast<int>(std::min<long long>(kBlockPixels, end - first)), block);
    });
  }
  std::string describe() const override { return isa_; }

 private:
  void clean_block(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
                   const std::vector<CleanTables<Real>>& own, long long first, int count,
                   Block<Real>& block) const {
    block.load(dirty.real, first, count, block.re(0));
    block.load(dirty.imaginary, first, count, block.im(0));
    for (int i = 0; i < count; ++i) {
      const int iterations = clean_pixel(dirty, own, first + i, i, block);
      if (cleaned.iterations.data) {
        const auto map = cleaned.iterations.as<Real>();
        map.data[Places(map, first + i, 1)[0]] = static_cast<Real>(iterations);
      }
    }
    block.store(block.re(0), cleaned.real, first, count);
    block.store(block.im(0), cleaned.imaginary, first, count);
    block.store(block.components_re(0), cleaned.components_real, first, count);
    block.store(block.components_im(0), cleaned.components_imaginary, first, count);
  }

  int clean_pixel(const FaradayDirty& dirty, const std::vector<CleanTables<Real>>& own,
                  long long pixel, int i, Block<Real>& block) const {
    const int id =
        dirty.rmsf_of_pixel.empty() ? -1 : dirty.rmsf_of_pixel[static_cast<std::size_t>(pixel)];
    const FaradayCleanOptions& o = problem_.options;
    double cutoff = o.cutoff;
    if (dirty.cutoff.data) {
      const auto map = dirty.cutoff.as<const Real>();
      cutoff = static_cast<double>(map.data[Places(map, pixel, 1)[0]]);
    }
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
                   .cutoff = cutoff,
                   .window = o.window.value_or(std::numeric_limits<double>::quiet_NaN())});
  }

  FaradayCleanProblem problem_;
  CleanTables<Real> tables_;
  std::string isa_;
  CleanFunction<Real> clean_;
};

}  // namespace

FaradayCleanRunnerPointer make_faraday_clean_simd(const FaradayCleanProblem& problem) {
  apply_isa_environment();
  if (problem.spectra.type == Type::f64) return std::make_unique<CleanCpu<double>>(problem);
  return std::make_unique<CleanCpu<float>>(problem);
}

}  // namespace tessera
