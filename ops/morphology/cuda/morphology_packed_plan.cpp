// SPDX-License-Identifier: Apache-2.0
// An element as windows and terms, and the tile in which it is processed.
#include <fmt/format.h>

#include <algorithm>

#include "core/piece_launch.hpp"
#include "ops/morphology/cuda/morphology_packed.hpp"

namespace tessera {
namespace {

/// Boxes larger than this are made in several passes.
constexpr int kMostPackedSide = 64;
/// Words that windows reach beyond their own: more do not fit in a thread's registers.
constexpr int kMostReach = 64;
/// With this much, two blocks share a multiprocessor.
constexpr int kWantedSharedBytes = 100 << 10;

bool set_windows(PackedPlan& plan, const std::vector<ElementRun>& runs) {
  std::vector<PackedWindow> windows;
  const auto place_of = [&](const ElementRun& run) {
    return std::find_if(windows.begin(), windows.end(), [&](const PackedWindow& w) {
      return w.first == run.first && w.length == run.length;
    });
  };
  for (const ElementRun& run : runs)
    if (place_of(run) == windows.end()) windows.push_back({run.first, run.length});
  if (windows.size() > kMostPackedWindows) return false;
  std::stable_sort(
      windows.begin(), windows.end(),
      [](const PackedWindow& a, const PackedWindow& b) { return a.length < b.length; });
  plan.element.count = static_cast<int>(windows.size());
  std::copy(windows.begin(), windows.end(), plan.element.windows);
  if (plan.element.box) return true;
  for (const ElementRun& run : runs)
    plan.terms.push_back({static_cast<unsigned char>(place_of(run) - windows.begin()),
                          static_cast<unsigned char>(run.row)});
  return plan.terms.size() <= kMostPackedTerms;
}

/// With longer runs of words, less is wasted on what windows reach beyond them, but they take more
/// registers.
int run_words(int reach) { return reach > 30 ? 32 : reach > 12 ? 16 : reach > 2 ? 8 : 4; }

/// The first that leaves room for a second block is taken, otherwise the last one, with a single
/// block.
std::vector<PackedKnobs> candidates(const PackedElement& element, int reach) {
  const int run = run_words(reach);
  if (!element.box) return {{8, 1, 8, run}, {8, 1, 4, run}, {16, 1, 2, run}};
  if (reach > 30) return {{8, 2, 16, run}, {4, 1, 16, run}};
  if (element.height > 24) return {{8, 1, 16, run}, {4, 1, 16, run}};
  return {{4, 1, 16, run}};
}

}  // namespace

std::optional<PackedPlan> plan_packed(const MorphologyProblem& p, int most_shared) {
  const int bytes = bytes_of(p.image.type), channels = p.image.size.channels;
  if (bytes == 8 || std::max(p.width, p.height) > kMostPackedSide) return {};
  PackedPlan plan;
  plan.element.width = p.width;
  plan.element.height = p.height;
  plan.element.box = p.is_box();
  if (!set_windows(plan, p.runs)) return {};
  const int reach = packed_sizes(bytes, channels, {}, p.width, p.height).reach;
  if (reach > kMostReach) return {};
  for (const PackedKnobs& knobs : candidates(plan.element, reach)) {
    const PackedSizes sizes = packed_sizes(bytes, channels, knobs, p.width, p.height);
    plan.knobs = knobs;
    plan.shared_bytes = packed_shared_bytes(sizes, plan.element.count);
    if (plan.shared_bytes <= kWantedSharedBytes) break;
  }
  if (plan.shared_bytes > most_shared) return {};
  return plan;
}

void fit_to_image(PackedPlan& plan, const MorphologyProblem& p, int multiprocessors) {
  constexpr int kFewBlocks = 4, kFewestRows = 4;  // blocks per multiprocessor, rows per thread
  const int bytes = static_cast<int>(bytes_of(p.image.type));
  const Size size = p.output.size;
  PackedKnobs& k = plan.knobs;
  const auto blocks = [&] {
    return 1LL * blocks_for(1LL * size.width * size.channels, k.words() * 4 / bytes) *
           blocks_for(size.height, k.height()) * size.planes;
  };
  while (k.rows > kFewestRows && k.height() >= 2 * p.height &&
         blocks() < 1LL * kFewBlocks * multiprocessors)
    k.rows /= 2;
  plan.shared_bytes = packed_shared_bytes(
      packed_sizes(bytes, p.image.size.channels, k, p.width, p.height), plan.element.count);
}

KernelName packed_kernel_name(const MorphologyProblem& p, const PackedPlan& plan) {
  std::string windows;
  for (int w = 0; w < plan.element.count; ++w)
    windows += fmt::format("{}{{{}, {}}}", w ? ", " : "", plan.element.windows[w].first,
                           plan.element.windows[w].length);
  const PackedKnobs& k = plan.knobs;
  return {
      "morphology_packed", "",
      fmt::format("morphology_packed_tile<{}, {}, {}, PackedKnobs{{{}, {}, {}, {}}}, "
                  "PackedElement{{{}, {}, {}, {}, {{{}}}}}>",
                  bytes_of(p.image.type), p.kind == MorphologyKind::dilate, p.image.size.channels,
                  k.block_y, k.columns, k.rows, k.run, plan.element.width, plan.element.height,
                  plan.element.box, plan.element.count, windows),
      "PackedArgs", fmt::format("{}", 32 * k.block_y)};
}

}  // namespace tessera
