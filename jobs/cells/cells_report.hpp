// SPDX-License-Identifier: Apache-2.0
/// A film's cells as one self-contained web page: the film with its tracks, speeds, table.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/film_axes.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// The largest page, in bytes, whatever the film.
inline constexpr long long kMostPageBytes = 60'000'000;

/// The film is read again. The page is either the old one or complete, and at most `most_bytes`
/// long: a long film is shown smaller or coarser, but with every frame. Without ffmpeg the page has
/// no film. Returns a note about that for the user, or "".
std::string write_cells_report(const CellsFilmResult& result, const std::string& input,
                               const FilmReading& reading, const std::string& path, bool force,
                               const Progress& progress = {},
                               long long most_bytes = kMostPageBytes);

}  // namespace tessera
