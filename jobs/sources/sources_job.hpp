// SPDX-License-Identifier: Apache-2.0
/// Catalogues the sources of an image file. Rows are streamed, so files may be larger than memory.
///
///     SourcesJob job{.input = "field.fits", .outputs = {"cat.csv", "cat.reg"}};
///     SourcesResult result = job.run();
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/data_table.hpp"
#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/sources/sources_choices.hpp"
#include "jobs/timing.hpp"
#include "tessera/sources.hpp"

namespace tessera {

struct SourcesResult {
  std::string ran, noise_ran;
  std::string input;
  std::vector<std::string> files;
  long long sources = 0, islands = 0;
  int width = 0, height = 0, plane = 0;
  long long pixels = 0, blanks = 0;
  std::string beam, unit, flux_unit;
  std::string correlation;
  double noise_pixels = 1;
  StageSeconds seconds;
  double pixels_per_second = 0;
  std::vector<std::string> notes, warnings;

  static constexpr auto fields() {
    using R = SourcesResult;
    return std::tuple{
        field("ran", &R::ran, "the plan that ran"),
        field("noise_ran", &R::noise_ran, "the plan that made the maps; empty: they were given"),
        field("input", &R::input, "the image read"),
        field("files", &R::files, "the files written"),
        field("sources", &R::sources, "sources found"),
        field("islands", &R::islands, "islands that they lie in"),
        field("width", &R::width, "columns of the image"),
        field("height", &R::height, "rows of the image"),
        field("plane", &R::plane, "the plane of the file, counted from 0"),
        field("pixels", &R::pixels, "pixels of the image"),
        field("blanks", &R::blanks, "pixels without a value, a background or a noise"),
        field("beam", &R::beam, "a point source: full widths in pixels and angle; empty: unknown"),
        field("unit", &R::unit, "the unit of the image"),
        field("flux_unit", &R::flux_unit, "the unit of fluxes"),
        field("correlation", &R::correlation, "where the correlation of the noise comes from"),
        field("noise_pixels", &R::noise_pixels,
              "pixels whose noise varies together: the sum of the correlation"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second, "pixels per second, all included"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

struct SourcesJob {
  std::string input;                 ///< an image file, or one HDU as FILE[N], or "-"
  std::vector<std::string> outputs;  ///< tables by their endings (table_files.hpp), and .reg
  SourcesOptions options;
  SourceMapChoices maps;
  SourcesChoices choices;
  ReadOptions reading;
  bool force = false;
  std::string command;  ///< for the history
  RunSettings settings;

  /// All files or none. Throws Error. `table` receives the rows.
  SourcesResult run(const Progress& progress = {}, Table* table = nullptr) const;
};

}  // namespace tessera
