// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_masks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/folder.hpp"
#include "io/formats.hpp"
#include "io/output.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cell_labels.hpp"
#include "jobs/cells/cells_overlay.hpp"

namespace tessera {
namespace {

constexpr std::string_view kMaskBegin = "mask", kMaskEnd = ".tif";

/// Calls take(k, labels) for every frame that was read.
template <class Take>
void for_each_mask(const CellsFilmResult& result, const Progress& progress, Take take) {
  CellLabels labels(result.film.width, result.film.height);
  TracksInTurn tracks(result.tracks);
  for (int k = 0; k < result.film.frames; ++k) {
    const int frame = result.film.first_frame + k;
    take(k, labels.paint(tracks.at(frame), frame));
    if (progress) progress(k + 1, result.film.frames);
  }
}

WriteOptions mask_options(bool force) {
  return {.force = force, .compression = Compression::deflate};
}

/// Three digits, more if there are more than 1000 frames: names sort as frames do.
std::string mask_name(int frame, int frames) {
  const std::size_t digits = std::max<std::size_t>(3, fmt::format("{}", frames - 1).size());
  return fmt::format("{}{:0{}}{}", kMaskBegin, frame, digits, kMaskEnd);
}

bool is_mask_name(std::string_view name) {
  if (!name.starts_with(kMaskBegin) || !name.ends_with(kMaskEnd)) return false;
  name.remove_prefix(kMaskBegin.size());
  if (name.size() < 3 + kMaskEnd.size()) return false;
  name.remove_suffix(kMaskEnd.size());
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string why_no_masks(const CellsFilmResult& result) {
  int largest = 0;
  for (const CellTrack& track : result.tracks) largest = std::max(largest, track.id);
  if (largest <= kLargestLabel) return "";
  return fmt::format(
      "masks were not made: track {} cannot be a label of 16 bits, which end at {}; follow the "
      "film "
      "in parts with --first-frame and --frames",
      largest, kLargestLabel);
}

void write_masks(const CellsFilmResult& result, const std::string& path, bool force,
                 const Progress& progress) {
  const CellsFilm& film = result.film;
  const auto sink = create_image(path, {{film.width, film.height, 1, film.frames}, Type::u16},
                                 mask_options(force));
  for_each_mask(result, progress, [&](int k, AnyView labels) {
    sink->write_plane(k, {0, film.height}, labels);
  });
  sink->finish();
}

void write_ctc(const CellsFilmResult& result, const std::string& folder, bool force,
               const Progress& progress) {
  made_folder(folder);
  for_each_mask(result, progress, [&](int k, AnyView labels) {
    write_image(joined(folder, mask_name(k, result.film.frames)), labels, mask_options(force));
  });
  std::string lines;
  for (const CellTrack& track : result.tracks)
    if (!track.spots.empty())
      lines +=
          fmt::format("{} {} {} 0\n", track.id, track.spots.front().frame - result.film.first_frame,
                      track.spots.back().frame - result.film.first_frame);
  write_text(joined(folder, kCtcTracks), lines, force);
}

std::vector<std::string> ctc_masks_in(const std::string& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) { return !is_mask_name(name); });
  std::ranges::sort(names);
  return names;
}

}  // namespace tessera
