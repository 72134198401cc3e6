// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_plots.hpp"

#include "report/cells_plot.hpp"

namespace tessera {

Picture draw_cells_histogram(const CellsFilmResult& result, const std::string& path, bool force) {
  const std::optional<double> um_per_second = result.calibration.um_per_second();
  const double factor = um_per_second.value_or(1);
  std::vector<PlottedSpeeds> bins;
  for (const SpeedBin& bin : result.histogram)
    bins.push_back({factor * bin.from, factor * bin.to, bin.tracks, bin.spots});
  std::optional<double> median = result.counts.median_speed;
  if (median) median = factor * *median;
  return draw_picture(
      plot_speeds(result.film.name + ": mean speeds of cells", um_per_second ? "µm/s" : "px/frame",
                  bins, median, picture_format(path)),
      path, force);
}

}  // namespace tessera
