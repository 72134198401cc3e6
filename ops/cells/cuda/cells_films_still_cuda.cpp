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
  kernels_.drift({places_, planes, template_.still(), samples_.as<CellsDriftSample>(), epoch},
                 arriving_);
  kernels_.accumulate({places_, planes, kCells.epoch_step, epoch, begins, sums_.as<float>(),
                       counts_.as<unsigned char>()},
                      arriving_);
  arrived_ += count;
}

/// The scene around a frame; null if too few frames were counted.
CellsStill CellsFilmsCuda::scene_around(int frame) {
  const int epoch = epoch_of(frame);
  if (epoch != scene_epoch_) {
    const EpochSpan epochs = scene_epochs(epoch, arrived_);
    scene_epoch_ = epoch;
    scene_empty_ = !has_scene(epochs, arrived_);
    if (!scene_empty_) kernels_.scene(scene_of(epochs, epoch, scene_.still()), following_);
  }
  return scene_empty_ ? CellsStill{} : scene_.still();
}

}  // namespace tessera
