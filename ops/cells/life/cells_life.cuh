// SPDX-License-Identifier: Apache-2.0
// How tracks begin, are confirmed and end. Plain arrays of slots and one thread, so that host and
// device run the same code.
#pragma once

#include "ops/cells/life/cells_kalman.cuh"

namespace tessera {

enum class CellStage : unsigned char { free, trial, confirmed };

/// A cell that is being followed.
template <class Real>
struct CellSlot {
  CellMotion<Real> motion;
  Real radius;
  Real score;   ///< in this frame
  Real trust;   ///< running mean of the scores since birth, times the sign
  Real slope;   ///< running mean of the outward derivative on its circle
  Real ground;  ///< the same of the still scene that was subtracted
  Real plain;   ///< as trust, in the frame from which nothing is subtracted
  int track;    ///< number of the track, counted from 1 in order of birth
  int first;    ///< frame of birth
  int seen_frames;
  int unseen;  ///< frames in a row
  CellStage stage;
  bool outlined;  ///< its outline was measured in this frame, at this place
};

/// A slot's life in one frame. Tracks are put together from rows.
template <class Real>
struct CellRow {
  int frame, track;
  Real x, y, radius, score;
  bool seen, confirmed;
  bool outlined;          ///< the radii are known
  bool unused;            ///< instead of a byte that nobody writes
  float radii[kSnaxels];  ///< of the outline; float is enough for a shape
};

/// A cell that detection found.
template <class Real>
struct CellFind {
  Real x, y, radius, score, slope;
};

/// The parts of the problem that life needs.
template <class Real>
struct LifeRules {
  int width, height;  ///< of the frame
  int gap;
  Real vx, vy;                     ///< expected for new cells
  Real radius_least, radius_most;  ///< of the steepest circle
  int trial;                       ///< frames after which a new track is confirmed or dropped
  int trial_seen;                  ///< of which it must be seen
  CellWindow searched{};           ///< where cells are looked for
  int every = 0;                   ///< frames from one detection to the next
  int last = -1;                   ///< frame of the last detection, if it is one more
};

/// Detection runs in frame 0 and every `every`-th frame after it. The first few detections, and
/// some later ones, search the whole crop; the others search the entry window. Cells that were
/// missed or lost are found again.
TESSERA_BOTH constexpr bool is_detection(int frame, int every) {
  return frame == 0 || (every > 0 && frame % every == 0);
}
TESSERA_BOTH constexpr bool looks_everywhere(int frame, int every) {
  const int round = every > 0 ? frame / every : 0;
  return round < kCells.whole_rounds || round % kCells.whole_every == 0;
}

/// The last frame in which a cell that is found can still have a track of `least` frames, which
/// ends its trial: the detection that is due next would be too late. -1 if one is due there, if the
/// film's length is not known yet (0), or if cells are looked for only once.
TESSERA_BOTH constexpr int last_detection(int every, int trial, int least, int frames) {
  if (every <= 0 || frames <= 0) return -1;
  const int last = frames - cell_max(trial + 1, least);
  return last < 0 || is_detection(last, every) ? -1 : last;
}

/// Whether a find of the last detection may have come in since the detection before. One that is
/// farther inside was not found then: mostly it is the trace of a cell.
template <class Real>
TESSERA_BOTH constexpr bool may_have_come_in(const CellFind<Real>& find,
                                             const LifeRules<Real>& rules) {
  const double way = 2 * kCells.new_speed * (rules.last % rules.every);
  const Real reach = rules.radius_most + static_cast<Real>(kCells.edge + way);
  const CellWindow& in = rules.searched;
  return find.x < static_cast<Real>(in.x) + reach || find.y < static_cast<Real>(in.y) + reach ||
         find.x > static_cast<Real>(in.x + in.width - 1) - reach ||
         find.y > static_cast<Real>(in.y + in.height - 1) - reach;
}

/// Negative scores mean bright cells.
template <class Real>
TESSERA_BOTH constexpr Real cell_sign(Real score) {
  return score < 0 ? Real(-1) : Real(1);
}

/// Whether two are the same cell: their centres are closer than a fraction of the larger radius.
template <class Real>
TESSERA_BOTH constexpr bool same_cell(Real dx, Real dy, Real radius_a, Real radius_b) {
  const Real near = static_cast<Real>(kCells.near) * cell_max(radius_a, radius_b);
  return dx * dx + dy * dy < near * near;
}

/// Whether an outline is what the still scene has and the frame has not: the trace that a cell
/// leaves where it stood while the scene was made. `slope` is that of the frame minus the scene,
/// `ground` that of the scene: the frame's own, slope + ground, is then much less, or nothing.
template <class Real>
TESSERA_BOTH constexpr bool is_ghost(Real slope, Real ground) {
  return ground * slope < 0 && cell_abs(ground) > static_cast<Real>(kCells.ghost) * cell_abs(slope);
}

/// Whether a track continues after this frame.
template <class Real>
TESSERA_BOTH constexpr bool life_goes_on(const CellSlot<Real>& slot, int frame,
                                         const LifeRules<Real>& rules) {
  if (slot.unseen > rules.gap) return false;
  if (frame - slot.first >= rules.trial && slot.trust < static_cast<Real>(kCells.lost_score))
    return false;
  const CellMotion<Real>& m = slot.motion;
  if (!(m.x >= 0 && m.y >= 0 && m.x <= static_cast<Real>(rules.width - 1) &&
        m.y <= static_cast<Real>(rules.height - 1)))
    return false;
  if (slot.stage != CellStage::trial || frame - slot.first < rules.trial) return true;
  return slot.seen_frames >= rules.trial_seen &&
         slot.trust >= static_cast<Real>(kCells.trial_score);
}

/// Whether another track sits on the cell of track `own`, and was there first: an older one, or one
/// that is confirmed. Two rims of one cell, one bright and one dark, are one cell.
template <class Real>
TESSERA_BOTH bool is_double(const CellSlot<Real>* slots, int count, int own) {
  const CellSlot<Real>& s = slots[own];
  for (int i = 0; i < count; ++i) {
    const CellSlot<Real>& other = slots[i];
    if (i == own || other.stage == CellStage::free) continue;
    if (other.stage != CellStage::confirmed && other.track > s.track) continue;
    const Real dx = other.motion.x - s.motion.x, dy = other.motion.y - s.motion.y;
    const double share = other.slope * s.slope > 0 ? kCells.twice : kCells.rim_twice;
    const Real near = static_cast<Real>(share) * cell_max(s.radius, other.radius);
    if (dx * dx + dy * dy < near * near) return true;
  }
  return false;
}

/// Whether a track is much fainter than many others, in the frame itself or in what is searched: a
/// trace of the scene that was subtracted, or of its movement.
template <class Real>
TESSERA_BOTH bool is_faint(const CellSlot<Real>* slots, int count, int own) {
  const Real share = static_cast<Real>(kCells.faint),
             plain_share = static_cast<Real>(kCells.plain_faint);
  int clearer = 0, plainer = 0, all = 0;
  for (int i = 0; i < count; ++i) {
    if (slots[i].stage == CellStage::free) continue;
    ++all;
    if (share * slots[i].trust > slots[own].trust) ++clearer;
    if (plain_share * slots[i].plain > slots[own].plain) ++plainer;
  }
  const Real many = cell_max(static_cast<Real>(kCells.faint_many) * static_cast<Real>(all),
                             static_cast<Real>(kCells.faint_least));
  return static_cast<Real>(clearer) >= many || static_cast<Real>(plainer) >= many;
}

/// The three largest of the values that were added; 0 if there are fewer.
template <class Real>
struct ThreeLargest {
  Real first = 0, second = 0, third = 0;

  TESSERA_BOTH constexpr void add(Real value) {
    if (value > first) {
      third = second;
      second = first;
      first = value;
    } else if (value > second) {
      third = second;
      second = value;
    } else {
      third = cell_max(third, value);
    }
  }
  /// The third, or the smallest if there are fewer.
  TESSERA_BOTH constexpr Real typical() const {
    return third > 0 ? third : second > 0 ? second : first;
  }
};

/// The slope of the outlines of clear cells, and whether there are any that are darker and that are
/// brighter than their surroundings.
template <class Real>
struct TypicalSlopes {
  ThreeLargest<Real> slopes;
  bool dark = false, bright = false;

  TESSERA_BOTH constexpr void add(Real slope) {
    slopes.add(cell_abs(slope));
    (slope < 0 ? bright : dark) = true;
  }
  TESSERA_BOTH constexpr bool known() const { return dark || bright; }
  /// 0 if there are no cells with the sign of this slope.
  TESSERA_BOTH constexpr Real like(Real slope) const {
    return (slope < 0 ? bright : dark) ? slopes.typical() : Real(0);
  }
};

/// Typical slopes of the film's confirmed tracks.
template <class Real>
TESSERA_BOTH TypicalSlopes<Real> typical_slopes(const CellSlot<Real>* slots, int count) {
  TypicalSlopes<Real> typical;
  for (int i = 0; i < count; ++i)
    if (slots[i].stage == CellStage::confirmed) typical.add(slots[i].slope);
  return typical;
}
/// Typical slopes of the clear finds that `counts(find)` lets count.
template <class Real, class Counts>
TESSERA_BOTH TypicalSlopes<Real> typical_slopes(const CellFind<Real>* finds, int count,
                                                Counts counts) {
  TypicalSlopes<Real> typical;
  for (int i = 0; i < count; ++i)
    if (cell_abs(finds[i].score) >= static_cast<Real>(kCells.clear_score) && counts(finds[i]))
      typical.add(finds[i].slope);
  return typical;
}

/// The minimum slope of an outline that counts as a cell, relative to the film's other cells: a
/// fraction of the third largest. Scores do not depend on contrast: when there is little noise,
/// faint traces of the ground and of cells in the background score well.
template <class Real>
TESSERA_BOTH Real least_slope(const CellSlot<Real>* slots, int count) {
  ThreeLargest<Real> slopes;
  for (int i = 0; i < count; ++i)
    if (slots[i].stage != CellStage::free) slopes.add(cell_abs(slots[i].slope));
  return static_cast<Real>(kCells.slope_share) * slopes.third;
}

/// After the tracking of a frame: confirms and ends tracks.
template <class Real>
TESSERA_BOTH void life_after(CellSlot<Real>* slots, int count, int frame,
                             const LifeRules<Real>& rules) {
  const Real least = least_slope(slots, count);
  for (int i = 0; i < count; ++i) {
    if (slots[i].stage == CellStage::free) continue;
    if (!life_goes_on(slots[i], frame, rules))
      slots[i].stage = CellStage::free;
    else if (slots[i].stage == CellStage::trial && frame - slots[i].first >= rules.trial)
      slots[i].stage = cell_abs(slots[i].slope) < least ||
                               is_ghost(slots[i].slope, slots[i].ground) ||
                               is_faint(slots, count, i) || is_double(slots, count, i)
                           ? CellStage::free
                           : CellStage::confirmed;
  }
}

/// Whether a followed cell and a find on the same cell disagree so much that the find must be
/// right: its score is much better, and its position or size differs.
template <class Real>
TESSERA_BOTH constexpr bool is_astray(const CellSlot<Real>& slot, const CellFind<Real>& find) {
  if (!(cell_sign(slot.slope) * find.score > static_cast<Real>(kCells.astray_score) * slot.trust))
    return false;
  const Real dx = slot.motion.x - find.x, dy = slot.motion.y - find.y;
  const Real size = cell_abs(slot.radius - find.radius), share = static_cast<Real>(kCells.astray);
  return size > share * find.radius ||
         dx * dx + dy * dy > share * share * find.radius * find.radius;
}

/// A find corrects a followed cell, or starts a track if there is none; returns the slot, or -1 if
/// nothing changed or all slots are taken.
template <class Real>
TESSERA_BOTH int life_birth(CellSlot<Real>* slots, int count, int frame, int& tracks,
                            const CellFind<Real>& find, const LifeRules<Real>& rules) {
  int free = -1, same = -1, sames = 0;
  for (int i = count - 1; i >= 0; --i) {
    const CellSlot<Real>& s = slots[i];
    if (s.stage == CellStage::free) {
      free = i;
    } else if (same_cell(s.motion.x - find.x, s.motion.y - find.y, s.radius, find.radius)) {
      same = i;
      ++sames;
    }
  }
  if (sames > 0) {
    if (sames > 1 || !is_astray(slots[same], find)) return -1;
    CellSlot<Real>& s = slots[same];
    s.motion =
        motion_start(find.x, find.y, s.motion.vx, s.motion.vy, static_cast<Real>(kCells.new_speed));
    s.radius = find.radius;
    s.slope = find.slope;
    s.outlined = false;
    return same;
  }
  if (free < 0 || (frame == rules.last && !may_have_come_in(find, rules))) return -1;
  slots[free] = {
      motion_start(find.x, find.y, rules.vx, rules.vy, static_cast<Real>(kCells.new_speed)),
      find.radius,
      find.score,
      Real(0),
      find.slope,
      Real(0),
      Real(0),
      ++tracks,
      frame,
      1,
      0,
      CellStage::trial,
      false};
  return free;
}

}  // namespace tessera
