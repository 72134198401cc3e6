// SPDX-License-Identifier: Apache-2.0
/// The cells of one film from frame to frame, and the tracks they leave.
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "core/parallel.hpp"
#include "ops/cells/detect/cells_detect.hpp"
#include "ops/cells/life/cells_jump.cuh"

namespace tessera {

/// Tracks that were confirmed and are long enough, from rows in order of frames; ids in the order
/// in which they became so, then of birth. More rows leave ids as they are.
template <class Real>
std::vector<CellTrack> tracks_of(const std::vector<CellRow<Real>>& rows, int min_frames);

template <class Real>
CellsLives lives_of(const std::vector<CellRow<Real>>& rows) {
  CellsLives lives;
  std::set<int> begun, confirmed;
  int now = 0, frame = -1;
  for (const CellRow<Real>& row : rows) {
    now = row.frame == frame ? now + 1 : 1;
    frame = row.frame;
    lives.most_at_once = std::max(lives.most_at_once, now);
    begun.insert(row.track);
    if (row.confirmed) confirmed.insert(row.track);
  }
  lives.begun = static_cast<int>(begun.size());
  lives.confirmed = static_cast<int>(confirmed.size());
  return lives;
}

template <class Real>
LifeRules<Real> life_rules(const CellsProblem& problem);

template <class Real>
class FilmTracks {
 public:
  FilmTracks(const CellsProblem& problem, const CellsParts<Real>& parts)
      : problem_(problem),
        parts_(parts),
        tables_(outline_tables<Real>()),
        rules_(life_rules<Real>(problem)),
        slots_(static_cast<size_t>(problem.options.max_cells)),
        outlines_(slots_.size()) {}

  /// The next frame's gradients, and how far the picture has jumped since the last frame.
  void add(const GradientPlanes<Real>& planes, CellsJump<Real> jump, Stream& stream) {
    follow(planes.view(problem_), jump, stream);
    life_after(slots_.data(), static_cast<int>(slots_.size()), frame_, rules_);
    const int every = problem_.options.detect_every;
    if (is_detection(frame_, every) || frame_ == rules_.last) {
      const CellsCrop where = looks_everywhere(frame_, every) ? problem_.crop : problem_.entry;
      for (const CellFind<Real>& find :
           find_cells(planes, where, problem_, parts_, tables_, stream))
        life_birth(slots_.data(), static_cast<int>(slots_.size()), frame_, tracks_, find, rules_);
    }
    write_rows();
    ++frame_;
  }

  /// The film ends after this many frames; known only if frames wait for their scene.
  void ends_after(int frames) {
    const CellsOptions& o = problem_.options;
    rules_.last = last_detection(o.detect_every, rules_.trial, *o.min_frames, frames);
  }

  TypicalSlopes<Real> typical() const {
    return typical_slopes(slots_.data(), static_cast<int>(slots_.size()));
  }
  int frames() const { return frame_; }
  const std::vector<CellRow<Real>>& rows() const { return rows_; }

 private:
  /// Every cell uses the expected places of the others, so the order of cells does not matter.
  void follow(const CellGradients<Real>& frame, CellsJump<Real> jump, Stream& stream) {
    std::vector<size_t> live;
    for (size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].stage != CellStage::free) {
        expect_slot(slots_[i], jump);
        live.push_back(i);
      }
    std::vector<OutlineMeasure<Real>> found(live.size());
    parallel_for(static_cast<int>(live.size()), stream.threads(), [&](int i) {
      thread_local OutlineWindow<Real> window;
      const auto n = static_cast<size_t>(i);
      found[n] = measure_outline(frame, slots_, live[n], parts_, tables_, window,
                                 outlines_[live[n]].data());
    });
    for (size_t i = 0; i < live.size(); ++i)
      take_measure(slots_[live[i]], found[i], frame_, rules_);
  }

  void write_rows() {
    for (size_t i = 0; i < slots_.size(); ++i) {
      const CellSlot<Real>& s = slots_[i];
      if (s.stage == CellStage::free) continue;
      rows_.push_back({frame_, s.track, s.motion.x, s.motion.y, outline_radius(s.radius), s.score,
                       s.unseen == 0, s.stage == CellStage::confirmed, s.outlined});
      std::copy(outlines_[i].begin(), outlines_[i].end(), rows_.back().radii);
    }
  }

  const CellsProblem& problem_;
  const CellsParts<Real>& parts_;
  OutlineTables<Real> tables_;
  LifeRules<Real> rules_;
  std::vector<CellSlot<Real>> slots_;
  std::vector<std::array<float, kSnaxels>> outlines_;  ///< measured last, one per slot
  std::vector<CellRow<Real>> rows_;
  int frame_ = 0, tracks_ = 0;
};

}  // namespace tessera
