// SPDX-License-Identifier: Apache-2.0
/// The data of the report's page: the numbers of tracks.csv and summary.csv as JSON.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// The film inside the page; width 0: there is none.
struct ShownFilm {
  int width = 0, height = 0, rate = 0;
};

/// The step between the spots that a page keeps, so that their numbers leave room for the film.
int kept_every(const CellsFilmResult& result);

/// Escaped for use inside a <script>. Positions, radii and speeds are whole thousandths, each as
/// the difference from the one before: half as long as the numbers themselves.
std::string cells_page_data(const CellsFilmResult& result, const ShownFilm& shown,
                            const std::string& note);

}  // namespace tessera
