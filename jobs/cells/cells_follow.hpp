// SPDX-License-Identifier: Apache-2.0
/// The stages of a film's frames: decoded ahead, followed in order.
#pragma once

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/film_source.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/cells.hpp"

namespace tessera {

/// How a film is read within the memory that a job may use.
FilmReading limited(FilmReading reading, const RunSettings& settings);

/// The options of a film's plan: a single frame is searched separately, and the summary should
/// describe that plan.
CellsOptions options_for(const FilmSource& source, CellsOptions options);

/// There are no more frames: tracks and what is known with them.
void finish_following(const Cells& plan, CellsState& state, Stream& stream,
                      CellsFilmResult& result);

/// A film of a single frame: every cell is a track of one spot.
void search_single(const Cells& plan, AnyView frame, Stream& stream, CellsFilmResult& result);

/// Fills film and ran, counts frames of tracks in the film, and adds notes and warnings.
void describe_followed(const FilmSource& source, const Cells& plan, CellsFilmResult& result);

/// Fills film, options, ran, tracks, notes, warnings and the times of reading and work. A single
/// frame is searched, and every cell is a track of one spot.
void follow_film(FilmSource& source, const Cells& plan, const RunSettings& settings,
                 CellsFilmResult& result, const Progress& progress);

}  // namespace tessera
