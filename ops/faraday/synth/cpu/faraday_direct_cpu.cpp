// SPDX-License-Identifier: Apache-2.0
// The direct method: turns in tables, tiles of pixels, one thread each. The sums are in
// faraday_direct_simd.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/stop.hpp"
#include "ops/faraday/synth/cpu/faraday_direct.hpp"
#include "ops/faraday/synth/cpu/faraday_turns.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

/// Pixels per tile, a multiple of the panels of every target: 300 channels in 0.26 CPU seconds with
/// 192 to 384, 0.28 with 48 or 64 (128x128 pixels, 401 depths, Neoverse N1).
constexpr int kDirectWidth = 192;
/// Turns whose results wait to be written, a multiple of both group sizes. With fewer, the channels
/// are packed again and again: 0.27 s with 96.
constexpr int kDirectTurns = 288;

template <class T>
class Direct : public FaradayRunner {
 public:
  explicit Direct(const FaradayProblem& problem)
      : used_(problem.axes),
        turns_(problem.axes),
        group_(turns_.mirrored ? kMirroredTurns : kPlainTurns) {
    apply_isa_environment();
    isa_ = current_isa();
    copy_ = faraday_copy_function<T>();
    sum_ = faraday_direct_function<T>();
    const int groups = (turns_.count() + group_ - 1) / group_;
    table_.resize(static_cast<std::size_t>(groups) * group_samples() + 64 / sizeof(T), T(0));
    PlanBytes::add(table_.size() * sizeof(T));
    for (int turn = 0; turn < turns_.count(); ++turn) {
      poll_stop();
      for (int k = 0; k < used_.count(); ++k) {
        const std::complex<double> value = faraday_turn_of(turns_, turn, used_, k);
        T* const to = table_.data() + group_samples() * static_cast<std::size_t>(turn / group_) +
                      2 * (static_cast<std::size_t>(k) * group_ + turn % group_);
        to[0] = static_cast<T>(value.real());
        to[1] = static_cast<T>(value.imag());
      }
    }
  }

  std::string describe() const override {
    return fmt::format("{}, {} turns per load{}", isa_, group_,
                       turns_.mirrored ? ", two depths per turn" : "");
  }

  void run(const FaradayCall& call, Stream& stream) const override {
    parallel_for(faraday_tiles(call, kDirectWidth), stream.threads(), [&](int index) {
      FaradayTile<T> tile(used_, kDirectWidth, copy_);
      const Scratch results = host_scratch(sizeof(T) * 2 * turns_.rows_each() * kDirectWidth *
                                           std::min(kDirectTurns, turns_.count() + group_));
      tile.pack(call, index);
      for (int turn = 0; turn < turns_.count(); turn += kDirectTurns) {
        poll_stop();
        sum_turns(tile, turn, std::min(kDirectTurns, turns_.count() - turn), results.as<T>(), call);
      }
    });
  }

 private:
  std::size_t group_samples() const {
    return 2 * static_cast<std::size_t>(group_) * static_cast<std::size_t>(used_.count());
  }

  void sum_turns(const FaradayTile<T>& tile, int first, int count, T* results,
                 const FaradayCall& call) const {
    const int each = turns_.rows_each();
    sum_({tile.data(), table_.data() + group_samples() * static_cast<std::size_t>(first / group_),
          results, kDirectWidth, tile.count(), used_.count(), (count + group_ - 1) / group_,
          turns_.mirrored});
    tile.unpack(results,
                std::span(turns_.depth)
                    .subspan(static_cast<std::size_t>(first * each),
                             static_cast<std::size_t>(count * each)),
                call);
  }

  FaradayUsed used_;
  FaradayTurns turns_;
  int group_;
  std::string isa_;
  FaradayCopyFunction<T> copy_;
  FaradayDirectFunction<T> sum_;
  std::vector<T> table_;
};

}  // namespace

FaradayRunnerPointer make_faraday_direct_cpu(const FaradayProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<Direct<double>>(problem);
  return std::make_unique<Direct<float>>(problem);
}

}  // namespace tessera
