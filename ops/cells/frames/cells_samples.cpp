// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/frames/cells_samples.hpp"

#include <algorithm>

#include "core/device.hpp"
#include "ops/cells/cells_model.cuh"

namespace tessera {
namespace {

/// All frames of a film that may be followed again when it ends, because it is short.
constexpr int kWholeFilm = 40;
static_assert(kWholeFilm >= kCells.background_least * kCells.epoch_step &&
              kWholeFilm >= 2 * kCells.min_frames);
/// Samples of one longer film; many films that run together share a number, but have four each.
constexpr int kMostSamples = 16, kLeastSamples = 4, kMostOfAllFilms = 128;

}  // namespace

bool CellsSamples::is_full() const { return next_ == kWholeFilm; }

void CellsSamples::offer(AnyView frames, Stream& stream) {
  const int frame = next_++;
  if (frame % every_ != 0) return;
  ImageInfo info = frames.info();
  info.device = kHost;
  Image copy(info);
  if (frames.device == kHost) {
    copy_samples(frames, copy.view());
  } else {
    device_stream(stream).copy(frames, copy.view());
    stream.wait();
  }
  kept_.push_back({frame, std::move(copy)});
  if (next_ <= kWholeFilm) return;
  const int most = std::clamp(kMostOfAllFilms / info.size.planes, kLeastSamples, kMostSamples);
  while (static_cast<int>(kept_.size()) > most) {
    every_ *= 2;
    std::erase_if(kept_, [this](const Sample& sample) { return sample.frame % every_ != 0; });
  }
}

}  // namespace tessera
