// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/synth/cuda/faraday_nufft_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/faraday/faraday_width.hpp"

namespace tessera {
namespace {

/// Minimum number of cells per depth. Fewer would be possible with a wider kernel, but its
/// corrections differ so much that rounding errors grow: see README.cuda.md.
constexpr double kOversampling = 1.4;
constexpr int kMostParts = 32, kLongest = 8192;
/// Shared memory per block that keeps a multiprocessor of 228 KB busy: four blocks of this size,
/// and what each takes in addition.
constexpr int kWantedBytes = 56 << 10;

/// The fraction of a turn over which channels that count spread from one depth to the next.
double covered_turn(const FaradayAxes& axes) {
  const auto [least, most] = faraday_band(axes);
  return most > least ? axes.dphi * (most - least) / std::numbers::pi : 0;
}

/// Maximum number of cells that are not zero.
int most_cells(double covered, int grid, int width) {
  return static_cast<int>(std::ceil(covered * grid)) + width + 1;
}

struct Candidate {
  FaradayNufftShape shape;
  int passes = 0;
  /// Shared memory is read and written once per pass, and cells once more. Blocks of few pixels use
  /// only parts of sectors, and few of them run at once.
  double cost() const {
    const int lines = shape.line.lines;
    const double narrow = lines == 16 ? 1 : lines == 8 ? 1.2 : 8.0 / lines;
    return narrow * shape.parts * shape.line.length * (passes + 1);
  }
};

struct Length {
  int values, passes;
};

/// The next size in whole groups for which there are passes.
const std::vector<Length>& transform_lengths() {
  static const std::vector<Length> lengths = [] {
    std::vector<Length> found;
    for (int n = 16; n <= kLongest; n += kFaradayGroup)
      if (const int passes = line_passes(n).count; passes > 0) found.push_back({n, passes});
    return found;
  }();
  return lengths;
}

/// Lengths for every number of parts, cheapest first. A few more cells than the depths need,
/// because the kernel takes a dozen whatever the grid.
std::vector<Candidate> candidates_for(int depths) {
  std::vector<Candidate> found;
  for (int parts = 1; parts <= kMostParts; ++parts)
    for (const Length& length : transform_lengths()) {
      const double cells = 1.0 * parts * length.values;
      if (cells >= kOversampling * depths && cells <= 4 * depths + 512)
        found.push_back(
            {{{length.values, 16}, parts, 0, (depths + parts - 1) / parts}, length.passes});
    }
  std::ranges::stable_sort(found, {}, &Candidate::cost);
  return found;
}

int transform_bytes(const LineShape& line, bool compiled) {
  return compiled && line_passes(line.length).count <= 2 ? line_fft_bytes(line) / 2
                                                         : line_fft_bytes(line);
}

/// As many pixels as fit: sixteen if two such blocks fit, else eight (one sector), and fewer if
/// necessary.
int lines_for(FaradayNufftShape shape, int shared_bytes) {
  for (int lines = 16; lines >= 1; lines /= 2) {
    shape.line.lines = lines;
    const int bytes = faraday_cell_bytes(shape) + line_fft_bytes(shape.line);
    if (bytes <= (lines == 16 ? shared_bytes / 2 : shared_bytes)) return lines;
  }
  return 0;
}

}  // namespace

FaradayNufftDivision divide_faraday_nufft(const FaradayAxes& axes, int shared_bytes) {
  if (!axes.regular()) return {{}, "the depths are not a regular grid"};
  const double covered = covered_turn(axes);
  if (covered > 0.9)
    return {{},
            fmt::format("channels spread over {:.3g} turns from one depth to the next; it takes up "
                        "to 0.9",
                        covered)};
  Candidate best;
  for (Candidate& candidate : candidates_for(axes.depths())) {
    FaradayNufftShape& s = candidate.shape;
    const int grid = s.parts * s.line.length;
    const bool found = best.shape.parts > 0;
    if (found && candidate.cost() >= best.cost()) break;
    // Searching for a kernel takes a while: skipped if even the narrowest would not fit.
    s.cells = whole_faraday_groups(most_cells(covered, grid, 4));
    s.line.lines = lines_for(s, shared_bytes);
    if (s.cells > s.line.length || s.line.lines == 0) continue;
    if (found && candidate.cost() >= best.cost()) continue;
    const FaradayKernel kernel = faraday_kernel(1.0 * grid / axes.depths(), kFaradayNufftTolerance);
    const int cells = most_cells(covered, grid, kernel.width);
    if (kernel.error > kFaradayNufftTolerance || cells > s.line.length) continue;
    s.cells = whole_faraday_groups(cells);
    s.line.lines = lines_for(s, shared_bytes);
    if (s.line.lines > 0 && (!found || candidate.cost() < best.cost())) best = candidate;
  }
  if (best.shape.parts > 0) return {best.shape, ""};
  return {{},
          fmt::format(
              "{} depths need a grid that does not fit the {} bytes of shared memory of a block",
              axes.depths(), shared_bytes)};
}

FaradayNufftMemory::FaradayNufftMemory(const FaradayNufftShape& shape, int channel_count,
                                       bool compiled) {
  const int cells = faraday_cell_bytes(shape),
            channel = shape.line.lines * static_cast<int>(sizeof(LineValue)),
            sums = kLineThreads * static_cast<int>(sizeof(double));
  const int transforms = std::max(sums, transform_bytes(shape.line, compiled));
  const int room = std::max(transforms, std::min(channel_count * channel, kWantedBytes - cells));
  // Whole rows of threads and whole partial sums, so that nothing depends on how channels are
  // divided; both are powers of two.
  const int step = std::max(kLineThreads / shape.line.lines, kFaradayPart);
  const int most = std::max(room / channel / step, 1) * step;
  const int chunks = (channel_count + most - 1) / most;
  chunk = ((channel_count + chunks - 1) / chunks + step - 1) / step * step;
  bytes = cells + std::max(transforms, std::min(chunk, channel_count) * channel);
}

}  // namespace tessera
