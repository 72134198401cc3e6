// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cuda/correlate_fft_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/kernel.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

/// Kernels for one length take a second to compile once; below this many values that does not pay.
constexpr long long kEnoughValues = 1 << 20;

constexpr const char* kStepNames[] = {"rows", "powers", "columns", "products", "results"};

std::string shape_words(int length, int lines) {
  return fmt::format("LineShape{{{}, {}}}", length, lines);
}

std::string body_of(const CorrelateProblem& p, const CorrelateFftSizes& sizes,
                    CorrelateFftStep step) {
  const CorrelateFftKnobs& k = sizes.knobs;
  switch (step) {
    case kRows:
      return fmt::format("correlate_rows<{}, {}>", kernel_type(p.image.type),
                         shape_words(sizes.across, k.rows));
    case kPowers:
      return fmt::format("correlate_powers<{}, {}>", shape_words(sizes.down, 2 * k.columns),
                         shape_words(sizes.down, k.columns));
    case kColumns:
      return fmt::format("correlate_columns<{}>", shape_words(sizes.down, 2 * k.columns));
    case kProducts:
      return fmt::format("correlate_products<{}>", shape_words(sizes.down, k.columns));
    default:
      return fmt::format("correlate_results<{}>", shape_words(sizes.across, k.result_rows));
  }
}

/// The cheapest length from `least` up: values times passes.
int line_length(int least) {
  long long best_cost = 0;
  int best = 0;
  for (int n = (std::max(least, 16) + 3) / 4 * 4; n <= 2 * std::max(least, 16); n += 4) {
    const long long cost = 1LL * n * line_passes(n).count;
    if (cost > 0 && (best == 0 || cost < best_cost)) {
      best = n;
      best_cost = cost;
    }
  }
  return best;
}

/// Long enough that no wanted shift wraps around.
int least_across(const CorrelateProblem& p) {
  return p.image.size.width + p.first_shift.x + p.shifts_x - 1;
}
int least_down(const CorrelateProblem& p) {
  return p.image.size.height + p.first_shift.y + p.shifts_y - 1;
}

}  // namespace

int correlate_powers_bytes(int length, int columns) {
  const LineShape both{length, 2 * columns};
  return line_fft_bytes(both) + static_cast<int>(sizeof(float)) * powers_pitch(both) * both.lines;
}

CorrelateFftSizes::CorrelateFftSizes(const CorrelateProblem& p)
    : CorrelateFftSizes(
          p, find_knobs(kCorrelateFftSite, problem_key(p), table_name(device_info(p.device).name)),
          device_info(p.device).shared_bytes_per_block) {}

CorrelateFftSizes::CorrelateFftSizes(const CorrelateProblem& p, const Knobs& tuned,
                                     int shared_bytes)
    : across(line_length(least_across(p))), down(line_length(least_down(p))) {
  const auto take = [&](const char* name, int& lines) {
    lines = static_cast<int>(std::bit_floor(static_cast<unsigned>(tuned.get(name, lines))));
  };
  take("rows", knobs.rows);
  take("columns", knobs.columns);
  take("result_rows", knobs.result_rows);
  const auto fit = [&](int& lines, auto bytes) {
    while (lines > 1 && bytes(lines) > shared_bytes) lines /= 2;
  };
  fit(knobs.rows, [&](int lines) { return line_fft_bytes({across, lines}); });
  fit(knobs.columns, [&](int lines) { return correlate_powers_bytes(down, lines); });
  fit(knobs.result_rows, [&](int lines) { return line_fft_bytes({across, lines}); });
}

KernelName correlate_fft_kernel(const CorrelateProblem& p, const CorrelateFftSizes& sizes,
                                CorrelateFftStep step, bool compiled) {
  const auto type = step == kRows ? name_of(p.image.type) : std::string_view("any");
  return {"correlate_fft", fmt::format("correlate_{}_{}", kStepNames[step], type),
          compiled ? body_of(p, sizes, step) : "", "CorrelateFftArgs",
          std::to_string(kLineThreads)};
}

bool correlate_fft_compiles(const CorrelateProblem& p, const CorrelateFftSizes& sizes) {
  const long long values = 1LL * sizes.across * sizes.down * p.batch;
  return values * std::ssize(pack_planes(p).planes) >= kEnoughValues;
}

std::vector<LineValue> line_turns(int length) {
  std::vector<LineValue> turns(static_cast<std::size_t>(length));
  for (int k = 0; k < length; ++k) {
    const double angle = 2 * std::numbers::pi * k / length;
    turns[static_cast<std::size_t>(k)] = {static_cast<float>(std::cos(angle)),
                                          static_cast<float>(-std::sin(angle))};
  }
  return turns;
}

PlanePacking pack_maps(const CorrelateProblem& p) {
  PlanePacking packing;
  for (const CorrelateSum& sum : p.sums) {
    for (std::size_t k = 0; k < sum.pairs.size(); k += 2)
      packing.planes.push_back(
          {sum.pairs[k].first, k + 1 < sum.pairs.size() ? sum.pairs[k + 1].first : -1});
    packing.begin.push_back(static_cast<int>(packing.planes.size()));
  }
  return packing;
}

PlanePacking pack_planes(const CorrelateProblem& p) {
  PlanePacking packing;
  for (int plane = 0; plane < p.planes; plane += 2)
    packing.planes.push_back({plane, plane + 1 < p.planes ? plane + 1 : -1});
  return packing;
}

std::string why_no_correlate_fft_on_device(const CorrelateProblem& p) {
  const std::string reason = why_no_correlate_on_device(p);
  if (!reason.empty()) return reason;
  if (p.pairs() > kMostBlocks)  // they are rows of a grid
    return fmt::format(
        "maps have {} pairs of planes and it takes up to {}; direct takes any number", p.pairs(),
        kMostBlocks);
  const int most = device_info(p.device).shared_bytes_per_block;
  // Sizes with too many values are not searched for a good length.
  const int least = std::max(least_across(p), least_down(p));
  if (least > most / static_cast<int>(sizeof(LineValue)))
    return fmt::format(
        "transforms of {} values do not fit the {} bytes of shared memory; direct does not use "
        "transforms",
        least, most);
  const int across = line_length(least_across(p)), down = line_length(least_down(p));
  if (correlate_powers_bytes(down, 1) <= most && line_fft_bytes({across, 1}) <= most) return "";
  return fmt::format(
      "transforms of {}x{} take {} bytes of shared memory, the device has {}; direct does not use "
      "transforms",
      across, down, std::max(correlate_powers_bytes(down, 1), line_fft_bytes({across, 1})), most);
}

}  // namespace tessera
