// SPDX-License-Identifier: Apache-2.0
// The still scene of films on a GPU: frames that arrive are registered and added to their epoch;
// epochs make scenes.
#include "ops/cells/cuda/cells_films_cuda.hpp"
#include "ops/cells/scene/cells_epochs.hpp"

namespace tessera {

CellsPlanes CellsFilmsCuda::smoothed(int first, int count, const Scratch& to, Stream& stream) {
  kernels_.smooth(ring(first), count, to.as<float>(), stream);
  return {to.as<float>(), first, count, problem_.frame.size.width, problem_.frame.size.height};
}

/// The scene that these epochs make, on the canvas of epoch `at`.
CellsSceneArgs CellsFilmsCuda::scene_of(EpochSpan epochs, int at, CellsStill out) const {
  CellsSceneArgs a{};
  a.places = places_;
  a.sums = sums_.as<float>();
  a.counts = counts_.as<unsigned char>();
  a.width = problem_.frame.size.width;
  a.height = problem_.frame.size.height;
  a.first = epochs.first;
  a.end = epochs.end;
  a.at = at;
  a.begins = -1;
  a.out = out;
  return a;
}

/// The reference for frames of a new epoch: the epochs before it, or the first frame.
void CellsFilmsCuda::place_template(int frame) {
  const int epoch = epoch_of(frame);
  CellsSceneArgs a = scene_of(epochs_before(epoch), epoch, template_.still());
  a.begins = frame - 1;
  if (frame == 0) a.whole = arrived_smooth_.as<float>();
  kernels_.scene(a, arriving_);
}

/// Registers frames and adds them to their epoch.
void CellsFilmsCuda::arrive(int count) {
  const CellsPlanes planes = smoothed(arrived_, count, arrived_smooth_, arriving_);
  const int epoch = epoch_of(arrived_);
  const bool begins = begins_epoch(arrived_);
  if (begins) place_template(arrived_);
  kernels_.drift({places_, planes, template_.still(), samples_.as<CellsDriftSample>(),
                  talk_.as<CellsDriftTalk>(), epoch},
                 arriving_);
  kernels_.accumulate({places_, planes, kCells.epoch_step, epoch, begins, sums_.as<float>(),
                       counts_.as<unsigned char>()},
                      arriving_);
  arrived_ += count;
}

/// Circles in one plane per film minus a scene. The planes of the group that is followed next serve
/// as memory.
void CellsFilmsCuda::find_circles(CellsPlanes planes, CellsStill scene, int epoch) {
  kernels_.subtract({places_, planes, scene, epoch, across_.as<float>(), down_.as<float>()},
                    following_);
  kernels_.floors(
      {across_.as<float>(), down_.as<float>(), planes.width, planes.height, floors_.as<float>()},
      films_, following_);
  const CellsLook look{across_.as<float>(),     down_.as<float>(), floors_.as<float>(), 1, films_,
                       planes.pixels() * films_};
  kernels_.detect(look, problem_.crop, detected_, 0, following_);
}

/// Makes the scene of a frame's epoch from its median. The frame, which begins the epoch, is the
/// first one in smooth_.
void CellsFilmsCuda::take_cells_out(EpochSpan epochs, int frame) {
  const int epoch = epoch_of(frame), width = problem_.frame.size.width,
            height = problem_.frame.size.height;
  if (frame == 0) {
    find_circles({smooth_.as<float>(), 0, 1, width, height}, median_.still(), epoch);
    CellsFirstArgs first{};
    first.finds = detected_.finds_at(0, films_);
    first.scene = median_.still();
    first.width = width;
    first.height = height;
    first.films = films_;
    first.slopes = first_slopes_.as<TypicalSlopes<float>>();
    kernels_.first_slopes(first, following_);
  }
  find_circles({median_.value.as<float>(), frame, 1, width, height}, {}, epoch);
  CellsFillArgs a{};
  a.places = places_;
  a.sums = sums_.as<float>();
  a.counts = counts_.as<unsigned char>();
  a.width = width;
  a.height = height;
  a.first = epochs.first;
  a.end = epochs.end;
  a.at = epoch;
  a.median = median_.still();
  if (!scene_empty_ && scene_epoch_ >= 0) a.before = scenes_[scene_epoch_ % 2].still();
  a.out = scenes_[epoch % 2].still();
  a.finds = detected_.finds_at(0, films_);
  a.slots = slots_memory_[frame % 2].as<CellSlot<float>>();
  a.slot_count = slots_;
  a.typical = first_slopes_.as<TypicalSlopes<float>>();
  a.standing = standing_.as<CellsStanding>();
  kernels_.fill(a, following_);
}

/// The scene around a frame; null if too few frames were counted.
CellsStill CellsFilmsCuda::scene_around(int frame) {
  const int epoch = epoch_of(frame);
  if (epoch != scene_epoch_) {
    const EpochSpan epochs = scene_epochs(epoch, arrived_);
    const bool empty = !has_scene(epochs, arrived_);
    if (!empty) {
      kernels_.scene(scene_of(epochs, epoch, median_.still()), following_);
      take_cells_out(epochs, frame);
    }
    scene_epoch_ = epoch;
    scene_empty_ = empty;
  }
  return scene_empty_ ? CellsStill{} : scenes_[scene_epoch_ % 2].still();
}

}  // namespace tessera
