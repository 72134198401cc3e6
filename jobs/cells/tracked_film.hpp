// SPDX-License-Identifier: Apache-2.0
/// The two halves of CellsJob::run: a film is followed, then its files are written. A caller that
/// has no folder yet can follow first, look at the result, and write later, as often as it likes.
#pragma once

#include <memory>
#include <optional>

#include "jobs/cells/cells_inside.hpp"
#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/followed_tracks.hpp"

namespace tessera {

struct TrackedFilm {
  /// Tracks as they were followed, and what they depend on.
  struct BeforeEdits {
    TrackGrounds grounds;
    CellsFilmResult result;
  };

  CellsFilmResult result;  ///< inside the vessel, edited and summarised
  /// The file of the tracks before edits, not yet in its place: if the job has a folder that does
  /// not have it from an earlier run.
  std::unique_ptr<TextFile> kept;
  /// The contents of that file: if the job has no folder, and the film can be read twice.
  std::optional<BeforeEdits> before_edits;
};

/// Throws Error(usage) for measures and outputs that are not possible, whatever the film is.
void check_cells_outputs(const CellsJob& job);

/// The same job, reading within the memory that it may use. Throws Error(usage) for options that do
/// not fit.
CellsJob checked_job(const CellsJob& job);

/// Follows the film of a checked job, whose output may be empty: then no folder is made or looked
/// at.
TrackedFilm track_film(const CellsJob& job, const Progress& progress = {});

/// Keeps the tracks inside the vessel, with a note about the others.
void cut_to(const CellsInside& inside, CellsFilmResult& result);

/// Writes all files, of which `kept` is already written; the result receives notes and warnings
/// about files that were not made. Its seconds are those of following so far.
CellsResult write_files(const CellsJob& job, CellsFilmResult& result, TextFile* kept,
                        const Progress& progress = {});

/// Writes the files of a film that was tracked by the same job without a folder; options that ask
/// for files may differ. The folder is made.
CellsResult write_film(const CellsJob& job, const TrackedFilm& tracked,
                       const Progress& progress = {});

}  // namespace tessera
