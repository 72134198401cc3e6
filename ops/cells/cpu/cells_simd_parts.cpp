// SPDX-License-Identifier: Apache-2.0
// Pieces are rows counted from the first row of the frame and do not depend on the number of
// threads; sums of rows are added in order. So the bits do not depend on threads.
#include "ops/cells/cpu/cells_simd_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/parallel.hpp"
#include "core/pools.hpp"

namespace tessera {
namespace {

/// Rows per piece: enough for the extra rows of the smoothing above and below to be few in
/// comparison, few enough for 2 to 8 threads to share a frame of 480 rows.
constexpr int kPieceRows = 60;
/// Circles take long: small pieces keep the threads busy to the end.
constexpr int kScoreRows = 8;

Scratch floats(long long count) {
  return host_scratch(static_cast<std::size_t>(count) * sizeof(float));
}

std::vector<float> half_of(const std::vector<double>& weights) {
  return {weights.begin() + static_cast<std::ptrdiff_t>(weights.size() / 2), weights.end()};
}

std::vector<GicovCircle> circles_of(const CellsProblem& problem, const GicovShape& shape) {
  std::vector<GicovCircle> circles;
  for (const double radius : problem.radii)
    circles.push_back(gicov_circle(cell_circle(radius, problem.options.samples), shape));
  return circles;
}

void add_row(DriftSums& sums, const DriftRowSums& row, double limit) {
  const double squared = limit * limit;
  drift_add(sums, DriftSums{row.n, row.gx, row.gy, row.gxx, row.gxy, row.gyy, row.r, row.gxr,
                            row.gyr, row.absolute, row.g4 * squared * squared});
}

bool all_known(const unsigned char* known, int count) {
  return std::memchr(known, 0, static_cast<std::size_t>(count)) == nullptr;
}

/// The points of a row, in runs that have a known scene all around.
template <class Run>
void for_known_runs(const unsigned char* known, int width, int first, int points, Run run) {
  const int end = first + kDriftStep * (points - 1) + 1;
  const auto row_known = [&](int dy) {
    return all_known(known + dy * width + first - 1, end - first + 2);
  };
  if (row_known(-1) && row_known(0) && row_known(1)) return run(first, points);
  int from = -1;
  for (int k = 0; k <= points; ++k) {
    const unsigned char* here = known + first + kDriftStep * k;
    const bool is_known =
        k < points && here[0] && here[-1] && here[1] && here[-width] && here[width];
    if (is_known && from < 0) from = k;
    if (is_known || from < 0) continue;
    run(first + kDriftStep * from, k - from);
    from = -1;
  }
}

}  // namespace

SimdCellsParts::SimdCellsParts(const CellsProblem& problem)
    : width_(problem.frame.size.width),
      height_(problem.frame.size.height),
      weights_(half_of(cells_smoothing())),
      shape_{static_cast<int>(std::lround(problem.radii.back()))},
      circles_(circles_of(problem, shape_)),
      least_mean_(
          problem.options.polarity == Polarity::dark ? 0 : -std::numeric_limits<float>::infinity()),
      most_mean_(problem.options.polarity == Polarity::bright
                     ? 0
                     : std::numeric_limits<float>::infinity()),
      blocks_(cells_blocks()) {
  const MgvfFlow flow = flow_of(problem);
  for (int n = 0; n < kMgvfNeighbours; ++n) {
    if (flow.dy[n] == 0 && flow.dx[n] == 1) rule_.vx = flow.side[n];
    if (flow.dx[n] == 0 && flow.dy[n] == 1) rule_.vy = flow.side[n];
  }
  rule_.steps = kCells.mgvf_iterations;
}

std::size_t SimdCellsParts::area() const {
  return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
}

void SimdCellsParts::smooth(AnyView frame, CellPlane<float>& out, Stream& stream) const {
  out.resize(area());
  for_pieces({0, height_}, kPieceRows, stream, [&](Rows rows) {
    const Scratch scratch = floats(smooth_scratch(width_, rows.count()));
    blocks_.smooth({frame, weights_.data(), rows, out.data(), scratch.as<float>()});
  });
}

void SimdCellsParts::accumulate(const CellPlane<float>& smooth, float shift_x, float shift_y,
                                CellPlane<float>& sum, std::vector<int>& count,
                                Stream& stream) const {
  const ShiftedPlane from(smooth.data(), width_, height_, static_cast<double>(shift_x),
                          static_cast<double>(shift_y));
  for_pieces({0, height_}, kPieceRows, stream, [&](Rows rows) {
    for (int y = rows.first; y < rows.end; ++y)
      blocks_.accumulate({from, y, sum.data() + at(y), count.data() + at(y)});
  });
}

/// `memory` has kMostEpochs rows.
void SimdCellsParts::median_row(const std::vector<EpochCanvas<float>>& epochs, int y, float* memory,
                                StillScene<float>& out) const {
  constexpr float kUnknown = std::numeric_limits<float>::infinity();
  MedianRow row{{}, width_, out.value.data() + at(y), out.known.data() + at(y)};
  for (int k = 0; k < kMostEpochs; ++k) {
    float* means = memory + at(k);
    row.rows[k] = means;
    std::fill_n(means, width_, kUnknown);
    if (k >= static_cast<int>(epochs.size())) continue;
    const EpochCanvas<float>& epoch = epochs[static_cast<std::size_t>(k)];
    const int first = std::max(0, -epoch.dx), end = std::min(width_, width_ - epoch.dx);
    if (y + epoch.dy < 0 || y + epoch.dy >= height_ || first >= end) continue;
    const long long from = at(y + epoch.dy) + first + epoch.dx;
    blocks_.mean({epoch.sum + from, epoch.count + from, end - first, means + first});
  }
  blocks_.median(row);
}

void SimdCellsParts::median(const std::vector<EpochCanvas<float>>& epochs, StillScene<float>& out,
                            Stream& stream) const {
  out.value.resize(area());
  out.known.resize(area());
  for_pieces({0, height_}, kPieceRows, stream, [&](Rows rows) {
    const Scratch memory = floats(at(kMostEpochs));
    for (int y = rows.first; y < rows.end; ++y) median_row(epochs, y, memory.as<float>(), out);
  });
}

DriftSums SimdCellsParts::drift_sums(const CellPlane<float>& smooth, const StillScene<float>& scene,
                                     float shift_x, float shift_y, float limit,
                                     Stream& stream) const {
  const ShiftedPlane frame(smooth.data(), width_, height_, static_cast<double>(shift_x),
                           static_cast<double>(shift_y));
  const int margin = kCells.drift_margin;
  const Rows columns = frame.columns();
  const int left =
      margin + kDriftStep * std::max(0, (columns.first - margin + kDriftStep - 1) / kDriftStep);
  const int right = std::min(columns.end, width_ - margin);
  const int points = (right - left + kDriftStep - 1) / kDriftStep;
  if (points <= 0) return {};
  const std::function<DriftSums(Rows)> leaf = [&](Rows rows) {
    DriftSums sums;
    for (int y = rows.first; y < rows.end; ++y) {
      if ((y - margin) % kDriftStep != 0 || !frame.rows().contains(y)) continue;
      for_known_runs(scene.known.data() + at(y), width_, left, points, [&](int first, int count) {
        DriftRowSums row;
        blocks_.drift({frame, scene.value.data(), y, first, count, limit}, row);
        add_row(sums, row, static_cast<double>(limit));
      });
    }
    return sums;
  };
  const Rows all{margin, std::max(margin, height_ - margin)};
  return fold_pieces<DriftSums>(
      all, kPieceRows, stream, leaf,
      [](DriftSums& sum, const DriftSums& part) { drift_add(sum, part); });
}

void SimdCellsParts::subtract(const CellPlane<float>& smooth, const StillScene<float>& scene,
                              float shift_x, float shift_y, CellPlane<float>& out,
                              Stream& stream) const {
  out.resize(area());
  const ShiftedPlane from(scene.value.data(), width_, height_, -static_cast<double>(shift_x),
                          -static_cast<double>(shift_y));
  for_pieces({0, height_}, kPieceRows, stream, [&](Rows rows) {
    for (int y = rows.first; y < rows.end; ++y)
      blocks_.subtract({from, scene.known.data(), y, smooth.data() + at(y), out.data() + at(y)});
  });
}

double SimdCellsParts::gradients(const CellPlane<float>& in, CellPlane<float>& across,
                                 CellPlane<float>& down, Stream& stream) const {
  across.resize(area());
  down.resize(area());
  const std::function<double(Rows)> leaf = [&](Rows rows) {
    double sum = 0;
    for (int y = rows.first; y < rows.end; ++y) {
      const int above = std::max(y - 1, 0), below = std::min(y + 1, height_ - 1);
      float *across_row = across.data() + at(y), *down_row = down.data() + at(y);
      blocks_.gradient({in.data() + at(above), in.data() + at(y), in.data() + at(below), width_,
                        below - above, across_row, down_row});
      if (y % kCells.noise_step == 0)
        sum += static_cast<double>(blocks_.absolute_sum(across_row, width_)) +
               static_cast<double>(blocks_.absolute_sum(down_row, width_));
    }
    return sum;
  };
  const double sum = fold_pieces<double>({0, height_}, kPieceRows, stream, leaf,
                                         [](double& all, const double& part) { all += part; });
  const int rows = (height_ + kCells.noise_step - 1) / kCells.noise_step;
  return sum / (2.0 * rows * width_);
}

void SimdCellsParts::scores(const CellPlane<float>& across, const CellPlane<float>& down,
                            float floor, CellsCrop region, ScoreMap<float>& out,
                            Stream& stream) const {
  out.region = region;
  const auto size =
      static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height);
  out.score.resize(size);
  out.circle.resize(size);
  for_pieces({0, region.height}, kScoreRows, stream, [&](Rows rows) {
    const Scratch strip = floats(shape_.floats());
    std::fill_n(strip.as<float>(), shape_.floats(), 0.0F);
    for (int y = rows.first; y < rows.end; ++y) {
      const auto to = static_cast<std::size_t>(y) * static_cast<std::size_t>(region.width);
      blocks_.gicov({across.data(), down.data(), width_, shape_, &circles_, region.x, region.y + y,
                     region.width, floor, least_mean_, most_mean_, strip.as<float>(),
                     out.score.data() + to, out.circle.data() + to});
    }
  });
}

void SimdCellsParts::mgvf(const float* edge, int width, int height, float* field) const {
  const PlaneShape shape{width, height, blocks_.lanes};
  const Scratch memory = floats(4 * shape.floats());
  float* start = memory.as<float>();
  const auto plane = [&](int k) { return shape.at(start + k * shape.floats()); };
  MgvfField f{plane(0), plane(1), plane(2), plane(3)};
  const std::size_t row_bytes = static_cast<std::size_t>(width) * sizeof(float);
  for (int y = 0; y < height; ++y)
    std::memcpy(f.field.at(y), edge + static_cast<long long>(y) * width, row_bytes);
  blocks_.mgvf(rule_, f);
  for (int y = 0; y < height; ++y)
    std::memcpy(field + static_cast<long long>(y) * width, f.field.at(y), row_bytes);
}

}  // namespace tessera
