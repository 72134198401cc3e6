// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/frames/cells_samples.hpp"

#include <algorithm>

#include "ops/cells/cells_model.cuh"
#include "ops/cells/frames/cells_bins.hpp"

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

std::vector<AnyView> CellsSamples::spread(std::size_t count) const {
  std::vector<AnyView> frames;
  if (kept_.empty()) return frames;
  const int films = kept_.front().planes.info().size.planes;
  const std::size_t looks =
      std::clamp<std::size_t>(count / static_cast<std::size_t>(films), 1, kept_.size());
  for (std::size_t look = 0; look < looks; ++look)
    for (int film = 0; film < films; ++film) {
      const std::size_t k = looks == 1 ? 0 : look * (kept_.size() - 1) / (looks - 1);
      frames.push_back(kept_[k].planes.view().only_plane(film));
    }
  return frames;
}

void CellsSamples::offer(AnyView frames, Stream& stream) {
  const int frame = next_++;
  if (frame % every_ != 0) return;
  kept_.push_back({frame, host_copy(frames, stream)});
  if (next_ <= kWholeFilm) return;
  const int most = std::clamp(kMostOfAllFilms / frames.size.planes, kLeastSamples, kMostSamples);
  while (static_cast<int>(kept_.size()) > most) {
    every_ *= 2;
    std::erase_if(kept_, [this](const Sample& sample) { return sample.frame % every_ != 0; });
  }
}

}  // namespace tessera
