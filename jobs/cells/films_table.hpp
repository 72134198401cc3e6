// SPDX-License-Identifier: Apache-2.0
/// One table over all films of a batch, made from the summary.json of each film's folder: films of
/// earlier runs are in it too.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/batch.hpp"

namespace tessera {

/// The names of the tables in the batch's folder.
std::vector<std::string> films_table_names();

/// One film. A film that failed has only its names, state and error.
struct FilmRow {
  std::string film, folder;
  std::string state;  ///< "ok" or "failed"
  std::optional<int> frames, cells, rolling, resting, adherent;
  std::string adherent_note;  ///< why there is no number of adherent cells
  std::optional<double> mean_speed, median_speed;
  std::optional<double> mean_speed_um_s, median_speed_um_s;
  std::optional<double> flux;
  std::string background, confidence;
  std::optional<bool> uncertain;
  std::vector<std::string> doubts, warnings;
  double seconds = 0;
  std::string error;

  static constexpr auto fields() {
    using F = FilmRow;
    return std::tuple{
        field("film", &F::film, "name of the film's file"),
        field("folder", &F::folder, "folder of its results"),
        field("state", &F::state, "ok or failed"),
        field("frames", &F::frames, "frames that were read"),
        field("cells", &F::cells, "cells that were followed"),
        field("rolling", &F::rolling, "those that roll"),
        field("resting", &F::resting, "those that stand still half of the time"),
        field("adherent", &F::adherent, "those that adhere; null: it cannot be judged"),
        field("adherent_note", &F::adherent_note, "why it cannot be judged"),
        field("mean_speed", &F::mean_speed, "mean of the cells' mean speeds, pixels per frame"),
        field("median_speed", &F::median_speed, "their median, pixels per frame"),
        field("mean_speed_um_s", &F::mean_speed_um_s,
              "the mean in micrometres per second; null: the pixel size is not known"),
        field("median_speed_um_s", &F::median_speed_um_s, "the median in micrometres per second"),
        field("flux", &F::flux, "cells per minute that cross a line; null: no direction is known"),
        field("background", &F::background, "the background that was used"),
        field("confidence", &F::confidence, "high, low or unknown"),
        field("uncertain", &F::uncertain, "whether the counts may be wrong"),
        field("doubts", &F::doubts, "why they may be wrong"),
        field("warnings", &F::warnings, "what is missing, and the doubts"),
        field("seconds", &F::seconds, "how long the film took"),
        field("error", &F::error, "why the film failed"),
    };
  }
};

/// The row of a film, from the summary in its folder. A summary that cannot be read is an error in
/// the row.
FilmRow film_row(const BatchFile& file);
/// The row as it is in films.json.
std::string film_row_json(const FilmRow& row);

/// Throws Error(usage) if a table of that name is there already and does not belong to a batch:
/// before any film is followed.
void check_films_tables(const std::string& folder, bool force);

/// films.csv and films.json in the batch's folder, in the order of the films, both or none of them.
/// Returns their paths.
std::vector<std::string> write_films_tables(const BatchResult& batch, bool force);

}  // namespace tessera
