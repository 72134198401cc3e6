// SPDX-License-Identifier: Apache-2.0
/// The heavy loops in plain form, in either precision. If a fast path differs from these by more
/// than rounding, the fast path is wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/samples.hpp"
#include "ops/cells/cells_parts.hpp"

namespace tessera {

template <class Real>
class PlainCellsParts : public CellsParts<Real> {
 public:
  explicit PlainCellsParts(const CellsProblem& problem)
      : problem_(problem),
        width_(problem.frame.size.width),
        height_(problem.frame.size.height),
        weights_(cells_smoothing()),
        flow_(flow_of(problem)) {
    for (const double radius : problem.radii)
      circles_.push_back(cell_circle(radius, problem.options.samples));
  }

  void smooth(AnyView frame, CellPlane<Real>& out, Stream&) const override {
    const int reach = kCells.smooth_radius;
    CellPlane<Real> rows(area());
    std::vector<double> samples(static_cast<size_t>(width_));
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x)
        samples[static_cast<size_t>(x)] = sample_at(frame, x, y, 0, 0);
      mend_row(samples.data(), width_);
      for (int x = 0; x < width_; ++x) {
        double sum = 0;
        for (int i = -reach; i <= reach; ++i)
          sum += weights_[static_cast<size_t>(i + reach)] *
                 samples[static_cast<size_t>(std::clamp(x + i, 0, width_ - 1))];
        rows[at(x, y)] = static_cast<Real>(sum);
      }
    }
    out.resize(area());
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        Real sum = 0;
        for (int i = -reach; i <= reach; ++i)
          sum += static_cast<Real>(weights_[static_cast<size_t>(i + reach)]) *
                 rows[at(x, std::clamp(y + i, 0, height_ - 1))];
        out[at(x, y)] = sum;
      }
  }

  void accumulate(const CellPlane<Real>& smooth, Real shift_x, Real shift_y, CellPlane<Real>& sum,
                  std::vector<int>& count, Stream&) const override {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const Real fx = static_cast<Real>(x) + shift_x, fy = static_cast<Real>(y) + shift_y;
        if (!inside(fx, fy)) continue;
        sum[at(x, y)] += cell_bilinear(smooth.data(), width_, height_, fx, fy);
        ++count[at(x, y)];
      }
  }

  void median(const std::vector<EpochCanvas<Real>>& epochs, StillScene<Real>& out,
              Stream&) const override {
    out = {CellPlane<Real>(area()), std::vector<unsigned char>(area())};
    std::vector<Real> means;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        means.clear();
        for (const EpochCanvas<Real>& epoch : epochs) {
          const int from_x = x + epoch.dx, from_y = y + epoch.dy;
          if (from_x < 0 || from_y < 0 || from_x >= width_ || from_y >= height_) continue;
          const int count = epoch.count[at(from_x, from_y)];
          const Real mean = epoch.sum[at(from_x, from_y)] / static_cast<Real>(count);
          if (count >= kCells.known_least && std::isfinite(mean)) means.push_back(mean);
        }
        out.known[at(x, y)] = !means.empty();
        if (!means.empty()) out.value[at(x, y)] = middle_of(means);
      }
  }

  DriftSums drift_sums(const CellPlane<Real>& smooth, const StillScene<Real>& scene, Real shift_x,
                       Real shift_y, Real limit, Stream&) const override {
    DriftSums all;
    const int margin = kCells.drift_margin, step = kCells.drift_step;
    for (int y = margin; y < height_ - margin; y += step) {
      DriftSums row;
      for (int x = margin; x < width_ - margin; x += step) {
        const Real fx = static_cast<Real>(x) + shift_x, fy = static_cast<Real>(y) + shift_y;
        if (!inside(fx, fy) || !known_around(scene, x, y)) continue;
        const Real* t = &scene.value[at(x, y)];
        drift_add(row, (t[1] - t[-1]) / 2, (t[width_] - t[-width_]) / 2,
                  cell_bilinear(smooth.data(), width_, height_, fx, fy) - t[0], limit);
      }
      drift_add(all, row);
    }
    return all;
  }

  void subtract(const CellPlane<Real>& smooth, const StillScene<Real>& scene, Real shift_x,
                Real shift_y, CellPlane<Real>& out, Stream&) const override {
    out.resize(area());
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const Real cx = static_cast<Real>(x) - shift_x, cy = static_cast<Real>(y) - shift_y;
        const bool known = inside(cx, cy) &&
                           scene.known[at(static_cast<int>(cx), static_cast<int>(cy))] &&
                           scene.known[at(std::min(static_cast<int>(cx) + 1, width_ - 1),
                                          std::min(static_cast<int>(cy) + 1, height_ - 1))];
        out[at(x, y)] =
            known ? smooth[at(x, y)] - cell_bilinear(scene.value.data(), width_, height_, cx, cy)
                  : Real(0);
      }
  }

  double gradients(const CellPlane<Real>& in, CellPlane<Real>& across, CellPlane<Real>& down,
                   Stream&) const override {
    across.resize(area());
    down.resize(area());
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const int left = std::max(x - 1, 0), right = std::min(x + 1, width_ - 1);
        const int top = std::max(y - 1, 0), bottom = std::min(y + 1, height_ - 1);
        across[at(x, y)] =
            (in[at(right, y)] - in[at(left, y)]) / static_cast<Real>(std::max(right - left, 1));
        down[at(x, y)] =
            (in[at(x, bottom)] - in[at(x, top)]) / static_cast<Real>(std::max(bottom - top, 1));
      }
    double sum = 0;
    int rows = 0;
    for (int y = 0; y < height_; y += kCells.noise_step, ++rows)
      for (int x = 0; x < width_; ++x) sum += cell_abs(across[at(x, y)]) + cell_abs(down[at(x, y)]);
    return sum / (2.0 * rows * width_);
  }

  void scores(const CellPlane<Real>& across, const CellPlane<Real>& down, Real floor,
              CellsCrop region, ScoreMap<Real>& out, Stream&) const override {
    out.region = region;
    const auto size = static_cast<size_t>(region.width) * static_cast<size_t>(region.height);
    out.score.assign(size, 0);
    out.circle.assign(size, 0);
    std::vector<Real> sum(static_cast<size_t>(region.width)), squares(sum.size());
    for (int y = 0; y < region.height; ++y) {
      const size_t row = static_cast<size_t>(y) * static_cast<size_t>(region.width);
      for (size_t c = 0; c < circles_.size(); ++c) {
        add_circle(across, down, region.x, region.y + y, circles_[c], sum, squares);
        for (size_t x = 0; x < sum.size(); ++x) {
          const Real score = circle_score(sum[x], squares[x], circles_[c].points, floor);
          if (!wanted(score) || !(score * score > out.score[row + x] * out.score[row + x]))
            continue;
          out.score[row + x] = score;
          out.circle[row + x] = static_cast<unsigned char>(c);
        }
      }
    }
  }

  void mgvf(const Real* edge, int width, int height, Real* field) const override {
    const int pitch = width + 2;
    std::vector<Real> old(static_cast<size_t>(pitch) * static_cast<size_t>(height + 2));
    std::copy(edge, edge + width * height, field);
    for (int i = 0; i < kCells.mgvf_iterations; ++i) {
      for (int y = -1; y <= height; ++y)
        for (int x = -1; x <= width; ++x)
          old[static_cast<size_t>((y + 1) * pitch + x + 1)] =
              field[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
      for (int y = 0; y < height; ++y)
        mgvf_row(&old[static_cast<size_t>((y + 1) * pitch + 1)], pitch, edge + y * width, width,
                 field + y * width);
    }
  }

 private:
  size_t area() const { return static_cast<size_t>(width_) * static_cast<size_t>(height_); }
  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }
  bool inside(Real x, Real y) const {
    return x >= 0 && y >= 0 && x <= static_cast<Real>(width_ - 1) &&
           y <= static_cast<Real>(height_ - 1);
  }
  static Real middle_of(std::vector<Real>& values) {
    std::sort(values.begin(), values.end());
    const size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  }
  bool known_around(const StillScene<Real>& scene, int x, int y) const {
    return scene.known[at(x - 1, y)] && scene.known[at(x + 1, y)] && scene.known[at(x, y - 1)] &&
           scene.known[at(x, y + 1)] && scene.known[at(x, y)];
  }
  bool wanted(Real score) const {
    return problem_.options.polarity == Polarity::both     ? score != 0
           : problem_.options.polarity == Polarity::bright ? score < 0
                                                           : score > 0;
  }

  void add_circle(const CellPlane<Real>& across, const CellPlane<Real>& down, int first_x, int y,
                  const CellCircle& circle, std::vector<Real>& sum,
                  std::vector<Real>& squares) const {
    std::fill(sum.begin(), sum.end(), Real(0));
    std::fill(squares.begin(), squares.end(), Real(0));
    for (const CirclePixel& p : circle.pixels) {
      const size_t start = at(first_x + p.dx, y + p.dy);
      const Real *gx = &across[start], *gy = &down[start];
      const Real c = static_cast<Real>(p.cosine), s = static_cast<Real>(p.sine);
      const Real cc = static_cast<Real>(p.cosine_cosine), ss = static_cast<Real>(p.sine_sine);
      const Real cs2 = static_cast<Real>(2 * p.cosine_sine);
      for (size_t x = 0; x < sum.size(); ++x) {
        sum[x] += c * gx[x] + s * gy[x];
        squares[x] += gx[x] * (cc * gx[x] + cs2 * gy[x]) + ss * gy[x] * gy[x];
      }
    }
  }

  void mgvf_row(const Real* old, int pitch, const Real* edge, int width, Real* field) const {
    for (int x = 0; x < width; ++x) {
      Real sum = 0;
      for (int n = 0; n < kMgvfNeighbours; ++n)
        sum += mgvf_term(old[x + flow_.dy[n] * pitch + flow_.dx[n]] - old[x], flow_.side[n]);
      field[x] = mgvf_step(old[x], sum, edge[x]);
    }
  }

  CellsProblem problem_;
  int width_, height_;
  std::vector<double> weights_;
  MgvfFlow flow_;
  std::vector<CellCircle> circles_;
};

}  // namespace tessera
