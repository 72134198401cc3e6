// SPDX-License-Identifier: Apache-2.0
// The cells of films on a GPU: found in some frames, followed from each frame to the next.
#include <algorithm>

#include "core/device.hpp"
#include "ops/cells/cuda/cells_films_cuda.hpp"
#include "ops/cells/scene/cells_epochs.hpp"

namespace tessera {

/// Finds cells in frames `first`, `first` + step … of the group, stored as times `time` and after.
void CellsFilmsCuda::detect_some(int first, int frames, int step, CellsCrop where, int time) {
  const long long plane = problem_.frame.size.pixels() * films_;
  const long long skipped = (first - followed_) * plane;
  const CellsLook look{across_.as<float>() + skipped,
                       down_.as<float>() + skipped,
                       floors_.as<float>() + 1LL * (first - followed_) * films_,
                       frames,
                       films_,
                       step * plane};
  kernels_.detect(look, where, detected_, time * films_, following_);
}

/// Looks for cells in the frames that are due; gives for every frame of the group the time of its
/// finds, or -1.
std::vector<int> CellsFilmsCuda::detect(int count) {
  std::vector<int> times_of(static_cast<std::size_t>(count), -1);
  const int every = problem_.options.detect_every, step = std::max(1, every);
  const int end = followed_ + count;
  const auto region_in = [&](int frame) {
    return looks_everywhere(frame, every) ? problem_.crop : problem_.entry;
  };
  int times = 0;
  for (int frame = followed_; frame < end;) {
    if (!is_detection(frame, every)) {
      ++frame;
      continue;
    }
    // Later frames that look at the same region go with it.
    const CellsCrop where = region_in(frame);
    const int first = frame;
    while (frame < end && is_detection(frame, every) && region_in(frame) == where) frame += step;
    if (!kernels_.can_detect(where)) continue;
    const int frames = (frame - first) / step;
    detect_some(first, frames, step, where, times);
    for (int k = 0; k < frames; ++k)
      times_of[static_cast<std::size_t>(first + k * step - followed_)] = times++;
  }
  const int last = last_detection_;
  if (last >= followed_ && last < end && kernels_.can_detect(region_in(last))) {
    detect_some(last, 1, step, region_in(last), times);
    times_of[static_cast<std::size_t>(last - followed_)] = times;
  }
  return times_of;
}

/// Follows cells through frames whose scene is known.
void CellsFilmsCuda::follow(int count) {
  const CellsPlanes planes = smoothed(followed_, count, smooth_, following_);
  CellsSubtractArgs subtract{places_,          planes, {}, epoch_of(followed_), across_.as<float>(),
                             down_.as<float>()};
  if (still_) subtract.scene = scene_around(followed_);
  kernels_.subtract(subtract, following_);
  kernels_.floors(
      {across_.as<float>(), down_.as<float>(), planes.width, planes.height, floors_.as<float>()},
      count * films_, following_);
  const std::vector<int> detected = detect(count);
  const long long plane = problem_.frame.size.pixels() * films_;
  const long long row_count = 1LL * slots_ * films_;
  const Scratch rows =
      following_.scratch(static_cast<std::size_t>(row_count * count) * sizeof(CellRow<float>));
  const int together = kernels_.follows_groups(films_) ? count : 1;
  for (int k = 0; k < count; k += together) {
    CellsFollowArgs a{};
    a.across = across_.as<float>() + k * plane;
    a.down = down_.as<float>() + k * plane;
    a.floors = floors_.as<float>() + 1LL * k * films_;
    a.rules.last = last_detection_;
    a.frame = followed_ + k;
    a.frames = together;
    a.films = films_;
    for (int odd = 0; odd < 2; ++odd) a.slots_of[odd] = slots_memory_[odd].as<CellSlot<float>>();
    a.lives = lives_.as<CellsFilmLife>();
    a.finds = detected_.finds_at(0, films_);
    std::copy_n(detected.begin() + k, together, a.find_times);
    a.places = places_;
    a.scene = subtract.scene;
    a.at = subtract.at;
    a.rows = rows.as<CellRow<float>>() + k * row_count;
    kernels_.follow(a, following_);
  }
  const Scratch drifts = still_ ? fetch_drifts(count) : Scratch();
  followed_ += count;
  rows_.fetch(rows, drifts, count);
}

/// Those of the next frames, before later frames take their places in the ring.
Scratch CellsFilmsCuda::fetch_drifts(int count) {
  const int one = films_ * static_cast<int>(sizeof(CellsPlace));
  const Scratch arriving = following_.pinned_scratch(static_cast<std::size_t>(count) * one);
  for (int k = 0, part = 0; k < count; k += part) {
    const int slot = (followed_ + k) % kept_;
    part = std::min(count - k, kept_ - slot);
    const Size size{part * one};
    device_stream(following_)
        .copy(
            packed(drifts_.as<const unsigned char>() + 1LL * slot * one, size, following_.device()),
            packed(arriving.as<unsigned char>() + 1LL * k * one, size));
  }
  return arriving;
}

}  // namespace tessera
