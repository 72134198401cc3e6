// SPDX-License-Identifier: Apache-2.0
/// A film's cells as one web page that needs nothing else: the film with its tracks, speeds, table.
#pragma once

#include <string>

#include "io/image_file.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// The largest page, in bytes, whatever the film.
inline constexpr long long kMostPageBytes = 60'000'000;

/// The film is read once more. The page is old or whole, and at most `most_bytes` long: a long film
/// is shown smaller or coarser, every frame of it can be reached. Without ffmpeg the page has no
/// film. Returns what the user should know of that, or "".
std::string write_cells_report(const CellsFilmResult& result, const std::string& input,
                               const ReadOptions& reading, const std::string& path, bool force,
                               const Progress& progress = {},
                               long long most_bytes = kMostPageBytes);

}  // namespace tessera
