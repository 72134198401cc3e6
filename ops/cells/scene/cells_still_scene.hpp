// SPDX-License-Identifier: Apache-2.0
/// The still scene of a film, and its drift.
///
/// Frame k shows the scene at x - drift(k). Frames are summed in epochs. An epoch's canvas lies in
/// the scene at a whole number of pixels, so canvases of several epochs are added without
/// interpolation, and a film of any length keeps only a few of them.
#pragma once

#include <cmath>
#include <deque>

#include "ops/cells/cells_parts.hpp"
#include "ops/cells/scene/cells_epochs.hpp"

namespace tessera {

struct CellDrift {
  double x = 0, y = 0;
};

template <class Real>
class CellsScene {
 public:
  CellsScene(const CellsProblem& problem, const CellsParts<Real>& parts)
      : area_(static_cast<size_t>(problem.frame.size.pixels())), parts_(parts) {}

  /// Adds a frame; frames come in order. Returns the frame's drift.
  CellDrift add(const CellPlane<Real>& smooth, Stream& stream) {
    if (frames_ == 0) {
      template_ = {smooth, std::vector<unsigned char>(area_, 1)};
      template_at_ = {0, 0};
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

  /// The scene around `frame`, and where its canvas lies. Empty if too few frames were counted.
  const StillScene<Real>& around(int frame, CellDrift& at, Stream& stream) {
    const int epoch = epoch_of(frame);
    if (epoch != made_epoch_) {
      const EpochSpan span = scene_epochs(epoch, frames_);
      made_at_ = {static_cast<double>(epoch_at(epoch).x), static_cast<double>(epoch_at(epoch).y)};
      made_ = has_scene(span, frames_) ? median_of(span, made_at_, stream) : StillScene<Real>{};
      made_epoch_ = epoch;
      while (first_epoch_ < span.first) {
        epochs_.pop_front();
        ++first_epoch_;
      }
    }
    at = made_at_;
    return made_;
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
      template_ = median_of(epochs_before(epoch_of(frames_)), at, stream);
      template_at_ = at;
    }
    epochs_.push_back({static_cast<int>(at.x), static_cast<int>(at.y), CellPlane<Real>(area_),
                       std::vector<int>(area_)});
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

  /// A few steps from the drift of the previous frame; before them, one look at how large
  /// differences usually are.
  CellDrift registered(const CellPlane<Real>& smooth, Stream& stream) const {
    CellDrift d = drift_;
    if (frames_ == 0 || template_.value.empty()) return d;
    Real limit = static_cast<Real>(1e30);
    for (int i = 0; i <= kCells.drift_iterations; ++i) {
      const DriftSums s =
          parts_.drift_sums(smooth, template_, static_cast<Real>(d.x - template_at_.x),
                            static_cast<Real>(d.y - template_at_.y), limit, stream);
      if (i > 0 ? !drift_step(s, d.x, d.y) : !(s.n > 0)) return drift_;
      if (i == 0) limit = static_cast<Real>(kCells.drift_cut * s.absolute / s.n);
    }
    const double moved = std::hypot(d.x - drift_.x, d.y - drift_.y);
    return moved < kCells.drift_most ? d : drift_;
  }

  size_t area_;
  const CellsParts<Real>& parts_;
  int frames_ = 0, first_epoch_ = 0, made_epoch_ = -1;
  CellDrift drift_, template_at_, made_at_;
  StillScene<Real> template_, made_;
  std::deque<Epoch> epochs_;
};

}  // namespace tessera
