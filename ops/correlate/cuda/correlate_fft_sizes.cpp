// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cuda/correlate_fft_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/kernel.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

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
    : across(line_length(least_across(p))), down(line_length(least_down(p))) {
  const auto& device = device_info(p.device);
  const Knobs tuned = find_knobs("correlate.fft@1", problem_key(p), table_name(device.name));
  knobs.rows = tuned.get("rows", knobs.rows);
  knobs.columns = tuned.get("columns", knobs.columns);
  knobs.result_rows = tuned.get("result_rows", knobs.result_rows);
  const auto fit = [&](int& lines, auto bytes) {
    while (lines > 1 && bytes(lines) > device.shared_bytes_per_block) lines /= 2;
  };
  fit(knobs.rows, [&](int lines) { return line_fft_bytes({across, lines}); });
  fit(knobs.columns, [&](int lines) { return correlate_powers_bytes(down, lines); });
  fit(knobs.result_rows, [&](int lines) { return line_fft_bytes({across, lines}); });
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
