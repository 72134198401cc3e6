// SPDX-License-Identifier: Apache-2.0
/// Rotation measures of a list of positions, as a table in the columns of RMTable.
///
///     FaradayCatalogueJob job{.positions = "sources.csv", .files = {"Q.fits", "U.fits"}};
///     job.output = "rms.fits";
///     FaradayCatalogueResult result = job.run();
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/data_table.hpp"
#include "jobs/faraday/faraday_synth_job.hpp"

namespace tessera {

struct FaradayCatalogueChoices {
  std::string ra_column, dec_column, id_column;
  int box = 1;
  std::string name;
  std::string weights = "uniform", noise;
  bool fit_rmsf = false;

  static constexpr auto fields() {
    using C = FaradayCatalogueChoices;
    return std::tuple{
        field("ra-column", &C::ra_column,
              "the column of right ascensions, degrees; default: ra, RAJ2000 and the like, else l, "
              "else x"),
        field("dec-column", &C::dec_column, "the column of declinations, degrees"),
        field("id-column", &C::id_column,
              "the column of names; default: cat_id, name, source_id and the like"),
        field("box", &C::box,
              "measure the pixel that is brightest in polarisation in a square of this side "
              "around each position; 1: the pixel itself",
              Range{1, 1001}),
        field("name", &C::name,
              "catalog_name of all rows; default: the name of the file of positions"),
        field("weights", &C::weights,
              "weights: uniform, variance (1 / noise squared), a file with one per channel, or a "
              "cube"),
        field("noise", &C::noise,
              "the noise of Q and U: a number, a file with one per channel, a map or a cube"),
        field("fit-rmsf", &C::fit_rmsf, "measure the RMSF's width by a fit instead of by theory"),
    };
  }
};

struct FaradayCatalogueResult {
  std::string ran, clean_ran;
  std::string file;
  long long positions = 0, measured = 0;
  long long no_position = 0, not_shown = 0, outside = 0, no_data = 0, no_peak = 0;
  int channels = 0, depths = 0;
  double fwhm = 0, seconds = 0;
  std::vector<std::string> notes, warnings;

  static constexpr auto fields() {
    using R = FaradayCatalogueResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("clean_ran", &R::clean_ran, "what cleaned the spectra; empty: nothing"),
        field("file", &R::file, "the table"),
        field("positions", &R::positions, "rows of the table: all positions given"),
        field("measured", &R::measured, "those with a rotation measure"),
        field("no_position", &R::no_position, "positions that are not numbers"),
        field("not_shown", &R::not_shown, "positions that the projection does not show"),
        field("outside", &R::outside, "positions outside the image"),
        field("no_data", &R::no_data, "positions without data"),
        field("no_peak", &R::no_peak, "positions whose spectrum has no peak inside the depths"),
        field("channels", &R::channels, "all channels"),
        field("depths", &R::depths, "depths of a spectrum"),
        field("fwhm", &R::fwhm, "the width of the RMSF of all channels, rad/m^2"),
        field("seconds", &R::seconds, "whole duration"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

struct FaradayCatalogueJob {
  std::string positions;  ///< a table (table_files.hpp)
  FaradayFiles files;
  std::string frequencies;  ///< a file, one per line, in hertz; "": from the header of Q
  std::string output;       ///< a table; "": none is written
  FaradayOptions options;
  FaradayCatalogueChoices choices;
  FaradaySynthCleaning cleaning;
  ReadOptions reading;
  bool force = false;
  std::string command;  ///< for the history
  RunSettings settings;

  /// Throws Error. `table` receives the rows.
  FaradayCatalogueResult run(const Progress& progress = {}, Table* table = nullptr) const;
  /// The same for a table in memory; messages call it `positions`.
  FaradayCatalogueResult run(const Table& given, const Progress& progress, Table* table) const;
};

}  // namespace tessera
