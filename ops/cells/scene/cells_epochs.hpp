// SPDX-License-Identifier: Apache-2.0
/// Which frames make which part of the background: the rules for the CPU's scene and for films on a
/// device.
#pragma once

#include <algorithm>

#include "ops/cells/cells_model.cuh"

namespace tessera {

/// Epochs [first, end).
struct EpochSpan {
  int first, end;
};

constexpr int epoch_of(int frame) { return frame / kCells.epoch; }
constexpr bool begins_epoch(int frame) { return frame % kCells.epoch == 0; }
constexpr bool counts_in_epoch(int frame) { return frame % kCells.epoch_step == 0; }

/// The epochs that frames of a new epoch are registered with.
constexpr EpochSpan epochs_before(int epoch) {
  return {std::max(0, epoch - kCells.epochs_around), epoch};
}

/// The end of an epoch's scene: the window is centred on the epoch, or lies at the film's start.
constexpr int scene_end(int epoch) {
  return std::max(epoch + kCells.epochs_around, 2 * kCells.epochs_around) + 1;
}

/// Whether all frames that make the scene around `frame` are among the first `frames`.
constexpr bool scene_is_complete(int frame, int frames) {
  return frames >= scene_end(epoch_of(frame)) * kCells.epoch;
}

/// The scene of an epoch after `frames` frames; the window keeps its length at the film's end.
constexpr EpochSpan scene_epochs(int epoch, int frames) {
  const int end = std::min(scene_end(epoch), epoch_of(frames - 1) + 1);
  return {std::max(0, end - 1 - 2 * kCells.epochs_around), end};
}

/// The number of counted frames in these epochs among the first `frames`.
constexpr int counted_frames(EpochSpan epochs, int frames) {
  const auto before = [](int frame) { return (frame + kCells.epoch_step - 1) / kCells.epoch_step; };
  return before(std::min(frames, epochs.end * kCells.epoch)) - before(epochs.first * kCells.epoch);
}

/// Too few counted frames do not make a scene.
constexpr bool has_scene(EpochSpan epochs, int frames) {
  return counted_frames(epochs, frames) >= kCells.background_least;
}

}  // namespace tessera
