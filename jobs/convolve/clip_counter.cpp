// SPDX-License-Identifier: Apache-2.0
#include "jobs/convolve/clip_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/check.hpp"
#include "core/ranks.hpp"
#include "core/samples.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Rows that are counted together.
constexpr int kGroupRows = 8;
/// `convolve` of 4096x4096 u8 by sobel:x from NPY to NPY takes 53 ms of CPU time without counting.
/// Counting all results took 25 ms more (minimum of 9 runs), 2^20 of them 3 to 7 (median of 41),
/// and this many 2 (median of 121; two Neoverse-V1 cores).
constexpr long long kMostCounted = 1 << 18;

/// The plan with its own method, but results of 32-bit floats; none if that cannot run. A few rows
/// of a device's are made on the CPU: the device would need another kernel for them.
std::optional<Convolve> exact_plan(const Convolve& plan, AnyView weights, ConvolveOptions options) {
  options.output_type = Type::f32;
  options.backend = Backend::cpu;
  options.method = plan.backend() == Backend::cpu ? plan.method() : "auto";
  try {
    return Convolve(plan.input(), weights, options);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Results are rounded to nearest even: 255.5 becomes 256 and is clipped, -0.5 becomes 0.
long long clipped_in(const View<const float>& view, ValueLimits limits) {
  const auto above = static_cast<float>(limits.most + 0.5),
             below = static_cast<float>(limits.least - 0.5);
  long long count = 0;
  for (int p = 0; p < view.size.planes; ++p)
    for (int y = 0; y < view.size.height; ++y) {
      const float* row = &view.at(0, y, 0, p);
      const int samples = view.size.width * view.size.channels;
      int in_row = 0;
      for (int i = 0; i < samples; ++i) in_row += (row[i] >= above) | (row[i] < below);
      count += in_row;
    }
  return count;
}

}  // namespace

bool ClipCounter::can_clip(Type input, Type output) const {
  double positive = 0, negative = 0;
  for (const double weight : samples_as_double(weights_))
    (weight * options_.scale > 0 ? positive : negative) += weight * options_.scale;
  const double largest = limits_of(input).most;
  const auto [least, most] = limits_of(output);
  return positive * largest >= most + 0.5 || negative * largest < least - 0.5;
}

void ClipCounter::watch(StripPlan& strips, const Convolve& plan, int planes) {
  clipped_ = counted_ = 0;
  results_ = plan.output().size.samples() / std::max(1, plan.output().size.planes) * planes;
  stride_ = (results_ + kMostCounted - 1) / kMostCounted;
  type_ = plan.output().type;
  if (!is_integer(type_) || !can_clip(plan.input().type, type_)) return;
  const std::optional<Convolve> exact = exact_plan(plan, weights_, options_);
  if (!exact) return;
  strips.run = [this, run = strips.run, exact = *exact](
                   std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
    run(in, out, stream);
    // On one thread: a team for eight rows costs more time than it saves.
    Stream alone(kHost, 1);
    count(exact, in[0], out[0].rows(), alone);
  };
}

void ClipCounter::count(const Convolve& exact, const Piece& in, Rows rows, Stream& stream) {
  const int step = row_step_of(exact), group = (kGroupRows + step - 1) / step * step;
  ImageInfo part = exact.output();
  part.size.height = group;
  part.device = kHost;
  Image results(part);
  for (int first = rows.first; first < rows.end;) {
    const int end = std::min(rows.end, (first / group + 1) * group);
    if (first / group % stride_ == 0) {
      const AnyMutableView view(results.view().rows(0, end - first));
      exact(in, MutablePiece{view, first}, stream);
      clipped_ += clipped_in(AnyView(view).as<const float>(), limits_of(type_));
      counted_ += view.size.samples();
    }
    first = end;
  }
}

std::string ClipCounter::remark() const {
  const long long clipped = sum_of_ranks(clipped_), counted = sum_of_ranks(counted_);
  if (clipped == 0) return "";
  const std::string share =
      counted == results_
          ? fmt::format("{} of {} results", clipped, results_)
          : fmt::format("about {:.2g}% of {} results (counted in {} of them)",
                        100.0 * static_cast<double>(clipped) / static_cast<double>(counted),
                        results_, counted);
  return fmt::format(
      "{} are outside {:.0f} to {:.0f} and were clipped; --output-type f32 keeps them", share,
      limits_of(type_).least, limits_of(type_).most);
}

}  // namespace tessera
