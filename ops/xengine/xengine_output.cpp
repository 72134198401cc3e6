// SPDX-License-Identifier: Apache-2.0
// Sums on their way out: channels averaged, values ordered, parts converted.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "core/parallel.hpp"
#include "ops/xengine/cpu/xengine_host.hpp"
#include "ops/xengine/xengine_order.hpp"

namespace tessera {
namespace {

/// Rows of all channels are cut into at most this many tasks.
constexpr long long kMostTasks = 4096;

template <class Sum, class Part>
class Writer {
 public:
  Writer(const XEngineProblem& problem, const Sum* sums, void* out)
      : problem_(problem), sums_(sums), real_(static_cast<Part*>(out)) {
    const bool planes = problem.output.order == VisibilityOrder::register_tile;
    step_ = planes ? 1 : 2;
    imaginary_ = real_ + (planes ? problem.output.values * problem.output.channels : 1);
  }

  /// Returns the number of saturated parts.
  long long write_row(int channel, int row) {
    const XEngineShape& shape = problem_.shape;
    const int average = problem_.options.average;
    const Sum* const sums = sums_ + 2 * shape.values() * average * channel;
    const long long first = problem_.output.values * channel;
    long long saturated = 0;
    for_row(problem_.output.order, shape, row, [&](long long value, const ValueInputs& inputs) {
      const Sum* from = sums + 2 * place_of(inputs, shape.polarisations);
      Sum re = 0, im = 0;
      for (int k = 0; k < average; ++k, from += 2 * shape.values()) {
        re += from[0];
        im += from[1];
      }
      const long long at = step_ * (first + value);
      saturated += put(re, real_[at]) + put(inputs.a >= inputs.b ? im : -im, imaginary_[at]);
    });
    return saturated;
  }

 private:
  /// Returns 1 if the part cannot hold the sum and becomes its limit.
  static int put(Sum sum, Part& to) {
    Sum kept = sum;
    if constexpr (std::is_same_v<Part, std::int32_t>)
      kept =
          std::clamp<Sum>(sum, std::numeric_limits<Part>::min(), std::numeric_limits<Part>::max());
    to = static_cast<Part>(kept);
    return kept != sum && sum == sum ? 1 : 0;
  }

  const XEngineProblem& problem_;
  const Sum* sums_;
  Part *real_, *imaginary_;
  long long step_;
};

template <class Part, class Sum>
long long write_as(const XEngineProblem& problem, const Sum* sums, VisibilityView out,
                   int threads) {
  const int rows = rows_of(problem.output.order, problem.shape);
  const long long all = 1LL * rows * problem.output.channels, tasks = std::min(all, kMostTasks);
  std::atomic<long long> saturated = 0;
  parallel_for(static_cast<int>(tasks), threads, [&](int task) {
    Writer<Sum, Part> writer(problem, sums, out.data);
    long long mine = 0;
    for (long long k = all * task / tasks; k < all * (task + 1) / tasks; ++k)
      mine += writer.write_row(static_cast<int>(k / rows), static_cast<int>(k % rows));
    saturated += mine;
  });
  return saturated;
}

}  // namespace

long long write_visibilities(const XEngineProblem& problem, const std::int64_t* sums,
                             VisibilityView out, int threads) {
  switch (problem.output.type) {
    case VisibilityType::i32:
      return write_as<std::int32_t>(problem, sums, out, threads);
    case VisibilityType::f64:
      return write_as<double>(problem, sums, out, threads);
    case VisibilityType::f32:
      return write_as<float>(problem, sums, out, threads);
    default:
      return write_as<std::int64_t>(problem, sums, out, threads);
  }
}

long long write_visibilities(const XEngineProblem& problem, const double* sums, VisibilityView out,
                             int threads) {
  return problem.output.type == VisibilityType::f32 ? write_as<float>(problem, sums, out, threads)
                                                    : write_as<double>(problem, sums, out, threads);
}

}  // namespace tessera
