// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cuda/cells_rows_cuda.hpp"

#include <algorithm>

#include "core/device.hpp"
#include "ops/cells/cells_film_tracks.hpp"
#include "ops/cells/scene/cuda/cells_still_args.cuh"

namespace tessera {
namespace {

/// Limit on the groups whose rows may be in transit: waiting for the device is rare, and memory is
/// bounded.
constexpr std::size_t kMostFetches = 8;

}  // namespace

void CellsRowsCuda::fetch(const Scratch& rows, const Scratch& drifts, int frames) {
  const Scratch arriving = stream_.pinned_scratch(rows.bytes());
  const Size size{static_cast<int>(rows.bytes())};
  device_stream(stream_).copy(packed(rows.as<const unsigned char>(), size, stream_.device()),
                              packed(arriving.as<unsigned char>(), size));
  const std::lock_guard lock(mutex_);
  fetches_.push_back({arriving, drifts, frames});
  if (fetches_.size() >= kMostFetches) collect();
}

/// Waits, then takes the rows that have arrived. The caller holds the mutex.
void CellsRowsCuda::collect() const {
  stream_.wait();
  for (; !fetches_.empty(); fetches_.pop_front()) take(fetches_.front());
}

/// All of them or, if memory runs out, none: they can be requested again.
void CellsRowsCuda::take(const Fetch& fetched) const {
  const std::size_t most =
      static_cast<std::size_t>(fetched.frames) * static_cast<std::size_t>(slots_);
  for (std::vector<Row>& film : rows_)
    if (film.capacity() - film.size() < most)
      film.reserve(std::max(film.size() + most, 2 * film.capacity()));
  const auto frames = static_cast<std::size_t>(fetched.frames);
  const std::size_t known = fetched.drifts.bytes() > 0 ? frames : 0;
  for (std::vector<CellDrift>& film : drifts_)
    if (film.capacity() - film.size() < known)
      film.reserve(std::max(film.size() + known, 2 * film.capacity()));
  const CellsPlace* place = fetched.drifts.as<const CellsPlace>();
  for (std::size_t frame = 0; frame < known; ++frame)
    for (std::vector<CellDrift>& film : drifts_) {
      film.push_back({place->x, place->y});
      ++place;
    }
  const Row* row = fetched.rows.as<const Row>();
  for (int frame = 0; frame < fetched.frames; ++frame, ++done_)
    for (std::vector<Row>& film : rows_)
      for (int slot = 0; slot < slots_; ++slot, ++row)
        if (row->track > 0) film.push_back(*row);
}

int CellsRowsCuda::frames_done() const {
  const std::lock_guard lock(mutex_);
  collect();
  return done_;
}

std::vector<CellTrack> CellsRowsCuda::tracks(int film, int min_frames) const {
  const std::lock_guard lock(mutex_);
  collect();
  return tracks_of(rows_[static_cast<std::size_t>(film)], min_frames);
}

CellsLives CellsRowsCuda::lives(int film) const {
  const std::lock_guard lock(mutex_);
  collect();
  return lives_of(rows_[static_cast<std::size_t>(film)]);
}

std::vector<CellDrift> CellsRowsCuda::drifts(int film) const {
  const std::lock_guard lock(mutex_);
  collect();
  return drifts_[static_cast<std::size_t>(film)];
}

}  // namespace tessera
