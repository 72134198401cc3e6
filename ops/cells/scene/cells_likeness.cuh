// SPDX-License-Identifier: Apache-2.0
// Whether the whole picture has jumped, and where to look for it: a table that was bumped, a tissue
// that twitched, a stage that was moved.
#pragma once

#include "ops/cells/cells_model.cuh"

namespace tessera {

/// A picture's usual values, mean and mean deviation. Values are compared relative to them, and
/// beyond them all alike: cells, much brighter or darker than the ground, would outweigh it. They
/// must not count in what is usual either: it is found in passes, the mean, then the deviation,
/// then both again and again from values that are cut off far from what was found before.
struct UsualValues {
  double mean = 0, deviation = 0;
};

/// The sums of one pass.
struct UsualSums {
  double n = 0, values = 0, deviations = 0;
};
TESSERA_BOTH inline void usual_add(UsualSums& sums, const UsualValues& before, int pass,
                                   double value) {
  const double reach = kCells.usual_reach * before.deviation;
  if (pass > 1) value = cell_min(cell_max(value, before.mean - reach), before.mean + reach);
  sums.n += 1;
  sums.values += value;
  sums.deviations += cell_abs(value - before.mean);
}
TESSERA_BOTH inline void usual_take(UsualValues& usual, int pass, const UsualSums& sums) {
  if (!(sums.n > 0)) return;
  if (pass != 1) usual.mean = sums.values / sums.n;
  if (pass > 0) usual.deviation = sums.deviations / sums.n;
}
TESSERA_BOTH inline double usual_value(const UsualValues& usual, double value) {
  const double part = usual.deviation > 0 ? (value - usual.mean) / usual.deviation : 0;
  return cell_min(cell_max(part, -1.0), 1.0);
}

/// Sums over pixels of the scene's and the frame's values, for their correlation.
struct LikenessSums {
  double n = 0, scene = 0, frame = 0, scenes = 0, frames = 0, both = 0;
};

TESSERA_BOTH inline void likeness_add(LikenessSums& sums, double scene, double frame) {
  sums.n += 1;
  sums.scene += scene;
  sums.frame += frame;
  sums.scenes += scene * scene;
  sums.frames += frame * frame;
  sums.both += scene * frame;
}

/// The share of the frame's variance that the scene does not explain, whatever the light's gain and
/// offset: 1 minus the squared correlation. 1 if that cannot be told: too few of `all` known
/// pixels of the scene are compared, or they have no structure.
TESSERA_BOTH inline double unlikeness(const LikenessSums& s, double all) {
  if (!(all >= kCells.jump_samples && s.n >= kCells.jump_overlap * all)) return 1;
  const double scenes = s.scenes - s.scene * s.scene / s.n;
  const double frames = s.frames - s.frame * s.frame / s.n;
  const double both = s.both - s.scene * s.frame / s.n;
  if (!(scenes > 0 && frames > 0 && both > 0)) return 1;
  return cell_max(0.0, 1 - both * both / (scenes * frames));
}

/// Whether a frame is so unlike the scene that a jump is looked for. `usual`: negative if not
/// known.
TESSERA_BOTH inline bool may_have_jumped(double unlike, double usual) {
  return usual >= 0 && unlike > kCells.jump_sign * usual;
}
/// Whether the place that a jump leads to explains most of what is unusual.
TESSERA_BOTH inline bool has_jumped(double unlike, double there, double usual) {
  return there - usual < kCells.jump_rest * (unlike - usual);
}
/// Takes another frame into what is usual: slow changes of the picture are not jumps.
TESSERA_BOTH inline double usual_after(double usual, double unlike) {
  return usual < 0 ? unlike : usual + kCells.jump_memory * (unlike - usual);
}

/// The offsets at which a jump is looked for, in rows: coarse ones of kCells.jump_step pixels in
/// the whole reach, then single pixels around the best of them.
struct JumpOffsets {
  int step, reach;  ///< pixels from one to the next, and steps each way

  TESSERA_BOTH constexpr int side() const { return 2 * reach + 1; }
  TESSERA_BOTH constexpr int count() const { return side() * side(); }
  TESSERA_BOTH constexpr int x(int offset) const { return (offset % side() - reach) * step; }
  TESSERA_BOTH constexpr int y(int offset) const { return (offset / side() - reach) * step; }
};
inline constexpr JumpOffsets kCoarseJumps{kCells.jump_step, kCells.jump_reach / kCells.jump_step};
inline constexpr JumpOffsets kFineJumps{1, kCells.jump_step - 1};

}  // namespace tessera
