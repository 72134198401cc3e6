// SPDX-License-Identifier: Apache-2.0
/// The still scene of a film, and its drift.
///
/// Frame k shows the scene at x - drift(k). Frames are summed in epochs. An epoch's canvas lies in
/// the scene at a whole number of pixels, so canvases of several epochs are added without
/// interpolation, and a film of any length keeps only a few of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "core/parallel.hpp"
#include "ops/cells/cells_parts.hpp"
#include "ops/cells/cells_standing.cuh"
#include "ops/cells/scene/cells_epochs.hpp"
#include "ops/cells/scene/cells_likeness.cuh"

namespace tessera {

template <class Real>
class CellsScene {
 public:
  CellsScene(const CellsProblem& problem, const CellsParts<Real>& parts)
      : width_(problem.frame.size.width),
        height_(problem.frame.size.height),
        area_(static_cast<size_t>(problem.frame.size.pixels())),
        parts_(parts) {}

  /// Adds a frame; frames come in order. Returns the frame's drift.
  CellDrift add(const CellPlane<Real>& smooth, Stream& stream) {
    if (frames_ == 0) {
      set_template({smooth, std::vector<unsigned char>(area_, 1)}, {0, 0});
    }
    if (begins_epoch(frames_)) begin_epoch(stream);
    drift_ = registered(smooth, stream);
    Epoch& epoch = epochs_.back();
    if (counts_in_epoch(frames_))
      parts_.accumulate(smooth, static_cast<Real>(drift_.x - epoch.x),
                        static_cast<Real>(drift_.y - epoch.y), epoch.sum, epoch.count, stream);
    ++frames_;
    return drift_;
  }

  /// Whether all frames that make the background of `frame` have arrived.
  bool complete(int frame) const { return scene_is_complete(frame, frames_); }

  /// Makes the scene around `frame`; true if it is another one than before.
  bool make(int frame, Stream& stream) {
    const int epoch = epoch_of(frame);
    if (epoch == made_epoch_) return false;
    made_span_ = scene_epochs(epoch, frames_);
    before_ = std::move(made_);
    before_at_ = made_at_;
    made_at_ = {static_cast<double>(epoch_at(epoch).x), static_cast<double>(epoch_at(epoch).y)};
    made_ = has_scene(made_span_, frames_) ? median_of(made_span_, made_at_, stream)
                                           : StillScene<Real>{};
    made_epoch_ = epoch;
    while (first_epoch_ < made_span_.first) {
      epochs_.pop_front();
      ++first_epoch_;
    }
    return true;
  }
  /// The scene made last; empty if too few frames were counted.
  const StillScene<Real>& made() const { return made_; }
  /// Where its canvas lies.
  CellDrift made_at() const { return made_at_; }

  /// Whether a find in frame 0, whose drift is none, is only the trace of a cell in the scene.
  bool has_ghost(const CellFind<Real>& find, const CirclePoints<Real>& points) const {
    const auto here = [&](Real x, Real y, Real& value) { return read(made_, x, y, value); };
    return is_ghost_find(here, points, find);
  }

  /// Fills the circles of the scene that are cells with what is behind them.
  void take_cells_out(const std::vector<CellFind<Real>>& circles, TypicalSlopes<Real> typical,
                      const CirclePoints<Real>& points) {
    const StillScene<Real> median = made_;
    for (const CellFind<Real>& found : circles) {
      CellFind<Real> circle = found;
      const auto here = [&](Real x, Real y, Real& v) { return read(median, x, y, v); };
      if (!slope_on_canvas(here, points, circle.x, circle.y, circle.radius, circle.slope)) continue;
      const Shown shown = shown_in_epochs(circle, points);
      const Real dx = static_cast<Real>(before_at_.x - made_at_.x),
                 dy = static_cast<Real>(before_at_.y - made_at_.y);
      const auto earlier = [&](Real x, Real y, Real& v) {
        return read(before_, x + dx, y + dy, v);
      };
      Real slope = 0;
      const bool before_lacks_it =
          !before_.value.empty() &&
          slope_on_canvas(earlier, points, circle.x, circle.y, circle.radius, slope) &&
          does_not_show(slope, circle);
      const CellFill fill = fill_of(circle, static_cast<int>(shown.absent.size()), shown.present,
                                    before_lacks_it, typical);
      if (fill == CellFill::nothing) continue;
      for_pixels_of(circle, [&](int x, int y, Real& value) {
        const Real px = static_cast<Real>(x), py = static_cast<Real>(y);
        Real behind = 0;
        const bool known = fill == CellFill::epochs ? median_at(shown.absent, x, y, behind)
                           : fill == CellFill::scene_before
                               ? earlier(px, py, behind)
                               : from_surroundings(here, points, circle, px, py, behind);
        if (known) value = behind;
      });
    }
  }

 private:
  struct Epoch {
    int x = 0, y = 0;
    CellPlane<Real> sum;
    std::vector<int> count;
  };

  const Epoch& epoch_at(int epoch) const {
    return epochs_[static_cast<size_t>(epoch - first_epoch_)];
  }

  void begin_epoch(Stream& stream) {
    const CellDrift at{std::round(drift_.x), std::round(drift_.y)};
    if (frames_ > 0) {
      set_template(median_of(epochs_before(epoch_of(frames_)), at, stream), at);
    }
    epochs_.push_back({static_cast<int>(at.x), static_cast<int>(at.y), CellPlane<Real>(area_),
                       std::vector<int>(area_)});
  }

  void set_template(StillScene<Real> scene, CellDrift at) {
    template_ = std::move(scene);
    template_at_ = at;
    gentle_ = without_steep(template_);
    template_usual_ = usual_values(template_.value, template_.known);
  }
  /// Visits the pixels that registration looks at.
  template <class Visit>
  void for_grid(Visit visit) const {
    const int margin = kCells.drift_margin, step = kCells.drift_step;
    for (int y = margin; y < height_ - margin; y += step)
      for (int x = margin; x < width_ - margin; x += step) visit(x, y, index(x, y));
  }

  bool read(const StillScene<Real>& scene, Real x, Real y, Real& value) const {
    if (!(x >= 0 && y >= 0 && x <= static_cast<Real>(width_ - 1) &&
          y <= static_cast<Real>(height_ - 1)) ||
        !scene.known[index(static_cast<int>(x), static_cast<int>(y))])
      return false;
    value = cell_bilinear(scene.value.data(), width_, height_, x, y);
    return true;
  }
  /// A pixel's mean in an epoch; x and y in pixels of the scene that is made.
  bool read(const Epoch& epoch, int x, int y, Real& value) const {
    const int u = x + epoch.x - static_cast<int>(made_at_.x),
              v = y + epoch.y - static_cast<int>(made_at_.y);
    if (u < 0 || v < 0 || u >= width_ || v >= height_ || epoch.count[index(u, v)] == 0)
      return false;
    value = epoch.sum[index(u, v)] / static_cast<Real>(epoch.count[index(u, v)]);
    return std::isfinite(value);
  }
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  struct Shown {
    std::vector<int> absent;  ///< epochs that do not show a circle
    int present = 0;          ///< and the number of those that do
  };
  Shown shown_in_epochs(const CellFind<Real>& circle, const CirclePoints<Real>& points) const {
    Shown shown;
    for (int e = made_span_.first; e < made_span_.end; ++e) {
      const auto there = [&](Real x, Real y, Real& value) {
        return read(epoch_at(e), cell_round(x), cell_round(y), value);
      };
      Real slope = 0;
      if (!slope_on_canvas(there, points, circle.x, circle.y, circle.radius, slope)) continue;
      if (does_not_show(slope, circle))
        shown.absent.push_back(e);
      else
        ++shown.present;
    }
    return shown;
  }
  /// The median of a pixel in these epochs; false if none knows it.
  bool median_at(const std::vector<int>& epochs, int x, int y, Real& value) const {
    Real means[kMostEpochs];
    int n = 0;
    for (const int e : epochs) n += read(epoch_at(e), x, y, means[n]) ? 1 : 0;
    if (n == 0) return false;
    std::sort(means, means + n);
    value = n % 2 ? means[n / 2] : (means[n / 2 - 1] + means[n / 2]) / 2;
    return true;
  }
  template <class Visit>
  void for_pixels_of(const CellFind<Real>& circle, Visit visit) {
    const Real radius = fill_radius(circle);
    const int reach = static_cast<int>(radius) + 1, cx = cell_round(circle.x),
              cy = cell_round(circle.y);
    for (int y = std::max(0, cy - reach); y <= std::min(height_ - 1, cy + reach); ++y)
      for (int x = std::max(0, cx - reach); x <= std::min(width_ - 1, cx + reach); ++x) {
        const Real dx = static_cast<Real>(x) - circle.x, dy = static_cast<Real>(y) - circle.y;
        if (dx * dx + dy * dy <= radius * radius) visit(x, y, made_.value[index(x, y)]);
      }
  }

  /// Epochs on a canvas at `at`: the median of their means, because a cell that stands or creeps
  /// appears in few of them.
  StillScene<Real> median_of(EpochSpan span, CellDrift at, Stream& stream) const {
    std::vector<EpochCanvas<Real>> epochs;
    for (int e = span.first; e < span.end; ++e) {
      const Epoch& epoch = epoch_at(e);
      epochs.push_back({epoch.sum.data(), epoch.count.data(), epoch.x - static_cast<int>(at.x),
                        epoch.y - static_cast<int>(at.y)});
    }
    StillScene<Real> scene;
    parts_.median(epochs, scene, stream);
    return scene;
  }

  /// Outlines of cells are steep, and can outweigh the whole ground: the scene without the pixels
  /// that are much steeper than most.
  StillScene<Real> without_steep(const StillScene<Real>& scene) const {
    const std::vector<Real>& t = scene.value;
    const std::vector<unsigned char>& known = scene.known;
    const auto row = static_cast<size_t>(width_);
    std::vector<std::pair<Real, size_t>> steep;
    for_grid([&](int, int, size_t p) {
      if (!(known[p] && known[p - 1] && known[p + 1] && known[p - row] && known[p + row])) return;
      const Real gx = (t[p + 1] - t[p - 1]) / 2, gy = (t[p + row] - t[p - row]) / 2;
      steep.emplace_back(gx * gx + gy * gy, p);
    });
    StillScene<Real> gentle = scene;
    if (steep.empty()) return gentle;
    const auto middle = steep.begin() + static_cast<std::ptrdiff_t>(steep.size() / 2);
    std::nth_element(steep.begin(), middle, steep.end());
    const Real most = static_cast<Real>(kCells.drift_steep * kCells.drift_steep) * middle->first;
    for (const auto& [square, p] : steep)
      if (square > most) gentle.known[p] = 0;
    return gentle;
  }

  /// The frame's drift: a few steps from that of the previous frame, or from where the picture has
  /// jumped to.
  CellDrift registered(const CellPlane<Real>& smooth, Stream& stream) {
    if (frames_ == 0 || template_.value.empty()) return drift_;
    frame_usual_ = usual_values(smooth, {});
    CellDrift d = drift_;
    if (!settle(template_, smooth, d, stream)) d = settled_gently(smooth, drift_, stream);
    double unlike = unlikeness_at(smooth, d);
    if (may_have_jumped(unlike, usual_)) {
      const CellDrift other = jumped(smooth, stream);
      const double there = unlikeness_at(smooth, other);
      if (has_jumped(unlike, there, usual_)) {
        d = other;
        unlike = there;
      }
    }
    usual_ = usual_after(usual_, unlike);
    return d;
  }

  /// Where the frame is most like the template, to a whole pixel or better.
  CellDrift jumped(const CellPlane<Real>& smooth, Stream& stream) const {
    const CellDrift coarse = likest(smooth, drift_, kCoarseJumps, stream);
    const CellDrift fine = likest(smooth, coarse, kFineJumps, stream);
    CellDrift d = fine;
    const bool better = settle(template_, smooth, d, stream) &&
                        unlikeness_at(smooth, d) < unlikeness_at(smooth, fine);
    return better ? d : settled_gently(smooth, fine, stream);
  }

  /// If steep pixels outweigh the others: where the others lead, if that is more like the template.
  CellDrift settled_gently(const CellPlane<Real>& smooth, CellDrift from, Stream& stream) const {
    CellDrift d = from;
    const bool better = settle(gentle_, smooth, d, stream) &&
                        unlikeness_at(smooth, d) < unlikeness_at(smooth, from);
    return better ? d : from;
  }

  /// A few steps from `d`; before them, one look at how large differences usually are. False if the
  /// scene does not determine the drift.
  bool settle(const StillScene<Real>& scene, const CellPlane<Real>& smooth, CellDrift& d,
              Stream& stream) const {
    const CellDrift from = d;
    Real limit = static_cast<Real>(1e30);
    for (int i = 0; i <= kCells.drift_iterations; ++i) {
      const DriftSums s = parts_.drift_sums(smooth, scene, static_cast<Real>(d.x - template_at_.x),
                                            static_cast<Real>(d.y - template_at_.y), limit, stream);
      if (i > 0 ? !drift_step(s, d.x, d.y) : !(s.n > 0)) return false;
      if (i == 0) limit = static_cast<Real>(kCells.drift_cut * s.absolute / s.n);
    }
    return std::hypot(d.x - from.x, d.y - from.y) < kCells.drift_most;
  }

  /// The usual values of the registration grid's pixels; an empty `known`: all are.
  UsualValues usual_values(const CellPlane<Real>& plane,
                           const std::vector<unsigned char>& known) const {
    UsualValues usual;
    for (int pass = 0; pass < kCells.usual_passes; ++pass) {
      UsualSums sums;
      for_grid([&](int, int, size_t p) {
        if (known.empty() || known[p]) usual_add(sums, usual, pass, static_cast<double>(plane[p]));
      });
      usual_take(usual, pass, sums);
    }
    return usual;
  }

  /// Compares the frame with the template at every known pixel of the registration grid.
  template <class FrameAt>
  double unlikeness_of(FrameAt frame_at) const {
    LikenessSums sums;
    double all = 0;
    for_grid([&](int x, int y, size_t p) {
      if (!template_.known[p]) return;
      all += 1;
      Real frame = 0;
      if (frame_at(x, y, frame))
        likeness_add(sums, usual_value(template_usual_, static_cast<double>(template_.value[p])),
                     usual_value(frame_usual_, static_cast<double>(frame)));
    });
    return unlikeness(sums, all);
  }
  double unlikeness_at(const CellPlane<Real>& smooth, CellDrift d) const {
    const Real shift_x = static_cast<Real>(d.x - template_at_.x),
               shift_y = static_cast<Real>(d.y - template_at_.y);
    return unlikeness_of([&](int x, int y, Real& frame) {
      const Real fx = static_cast<Real>(x) + shift_x, fy = static_cast<Real>(y) + shift_y;
      if (!(fx >= 0 && fy >= 0 && fx <= static_cast<Real>(width_ - 1) &&
            fy <= static_cast<Real>(height_ - 1)))
        return false;
      frame = cell_bilinear(smooth.data(), width_, height_, fx, fy);
      return true;
    });
  }
  /// Around `from`, at whole pixels: where the frame is most like the template.
  CellDrift likest(const CellPlane<Real>& smooth, CellDrift from, JumpOffsets offsets,
                   Stream& stream) const {
    const int from_x = static_cast<int>(std::round(from.x - template_at_.x)),
              from_y = static_cast<int>(std::round(from.y - template_at_.y));
    std::vector<double> unlike(static_cast<size_t>(offsets.count()));
    parallel_for(offsets.count(), stream.threads(), [&](int offset) {
      const int dx = from_x + offsets.x(offset), dy = from_y + offsets.y(offset);
      unlike[static_cast<size_t>(offset)] = unlikeness_of([&](int x, int y, Real& frame) {
        const int fx = x + dx, fy = y + dy;
        if (fx < 0 || fy < 0 || fx >= width_ || fy >= height_) return false;
        frame = smooth[index(fx, fy)];
        return true;
      });
    });
    const auto best =
        static_cast<int>(std::min_element(unlike.begin(), unlike.end()) - unlike.begin());
    return {template_at_.x + from_x + offsets.x(best), template_at_.y + from_y + offsets.y(best)};
  }

  int width_, height_;
  size_t area_;
  const CellsParts<Real>& parts_;
  int frames_ = 0, first_epoch_ = 0, made_epoch_ = -1;
  double usual_ = -1;  ///< unlikeness of frames and template
  CellDrift drift_, template_at_, made_at_, before_at_;
  EpochSpan made_span_{};
  UsualValues template_usual_, frame_usual_;
  StillScene<Real> template_, gentle_, made_;
  StillScene<Real> before_;  ///< the scene made before that, without its standing cells
  std::deque<Epoch> epochs_;
};

}  // namespace tessera
