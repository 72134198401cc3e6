// SPDX-License-Identifier: Apache-2.0
/// What the report's page knows of a film: the numbers of tracks.csv and summary.csv as JSON.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// The film inside the page; no width: there is none.
struct ShownFilm {
  int width = 0, height = 0, rate = 0;
};

/// Spots of which a page keeps every so many, so that their numbers leave room for the film.
int kept_every(const CellsFilmResult& result);

/// Ready to stand inside a <script>. Positions, radii and speeds are whole thousandths, each as the
/// difference from the one before: half as long as the numbers themselves.
std::string cells_page_data(const CellsFilmResult& result, const ShownFilm& shown,
                            const std::string& note);

}  // namespace tessera
