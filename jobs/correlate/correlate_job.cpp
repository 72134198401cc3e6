// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/correlate_job.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "core/ranks.hpp"
#include "jobs/correlate/correlate_outputs.hpp"
#include "jobs/correlate/correlate_run.hpp"
#include "jobs/correlate/scene_sweep.hpp"
#include "jobs/history.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void check(const CorrelateJob& job) {
  if (job.options.batch != 1)
    throw Error(
        ErrorKind::usage,
        "correlate: --batch is for arrays of many images; here every file is a separate image");
  profile_angles(job.ensemble.angles, job.options.quadrants);
  parse_sweep(job.ensemble.sweep, job.scene);
  if (!job.ensemble.sweep.empty() && job.ensemble.planes != PlaneSource::automatic &&
      job.ensemble.planes != PlaneSource::scene)
    throw Error(ErrorKind::usage,
                fmt::format("correlate: --sweep is of photographs, and --planes is {}; leave one "
                            "out",
                            to_text(job.ensemble.planes)));
  check_outputs(job);
}

std::string options_of(const CorrelateJob& job) {
  EnsembleOptions ensemble = job.ensemble;
  ensemble.picture.clear();  // changes no figure
  std::string text;
  for (const std::string& part :
       {changed_options(job.options), changed_options(job.scene), changed_options(ensemble)})
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  return without_device(text);
}

// Planes that were taken as they are have only "none".
std::string normalisation_of(const CorrelateJob& job, const EnsembleState& state) {
  if (state.normalised == 0) return "none";
  const SceneSweep sweep = parse_sweep(job.ensemble.sweep, job.scene);
  const std::string how =
      std::ranges::count(sweep.options, "normalise") > 0 ? "swept" : to_text(job.scene.normalise);
  if (state.normalised == state.ensemble.images()) return how;
  return fmt::format("{} of {} images", how, state.normalised);
}

CorrelateResult result_of(const CorrelateJob& job, const CorrelateRun& run) {
  const EnsembleState& state = run.state();
  CorrelateResult result;
  result.ran = state.ran;
  result.options = options_of(job);
  result.images = state.ensemble.images();
  for (const SceneOutcome& one : state.outcomes)
    if (!one.error.empty() || !one.warnings.empty()) result.bad.push_back(one);
  result.left_out = static_cast<int>(state.outcomes.size()) - result.images;
  result.width = state.planes.width;
  result.height = state.planes.height;
  result.planes = state.planes.planes;
  result.scale = to_text(job.options.scale);
  result.normalise = normalisation_of(job, state);
  result.resumed = run.resumed();
  if (!run.note().empty()) result.notes.push_back(run.note());
  result.seconds = run.seconds();
  return result;
}

/// "gradient-scale 1, texture-scale 3"
std::string setting_text(const CorrelateFigures& figures, std::size_t map) {
  std::string text;
  for (std::size_t k = 0; k < figures.swept.size(); ++k)
    text += fmt::format("{}{} {}", k == 0 ? "" : ", ", figures.swept[k], figures.values[map][k]);
  return text;
}

/// Where the first curve, which is radial, has fallen to half of its beginning; between two shifts
/// along a straight line.
std::optional<double> half_shift(const CorrelateFigures& figures, std::size_t map) {
  const double* const mean = figures.means.data() + figures.curve_at(map, 0);
  const double half = 0.5 * mean[0];
  if (!(half > 0)) return std::nullopt;
  for (int r = 1; r < figures.max_shift; ++r)
    if (mean[r] <= half) return r - (half - mean[r]) / (mean[r - 1] - mean[r]);
  return std::nullopt;
}

void add_figures(const CorrelateFigures& figures, CorrelateResult& result) {
  result.max_shift = figures.max_shift;
  result.first_shift_x = figures.first_shift.x;
  result.first_shift_y = figures.first_shift.y;
  result.maps = figures.maps;
  const std::size_t zero =
      static_cast<std::size_t>(-figures.first_shift.y) * figures.size.width - figures.first_shift.x;
  for (std::size_t map = 0; map < figures.maps.size(); ++map)
    result.mean_at_zero.push_back(figures.means[figures.map_at(map) + zero]);
  if (figures.swept.empty()) return;
  for (std::size_t map = 0; map < figures.maps.size(); ++map) {
    const std::size_t at = figures.map_at(map) + zero;
    result.sweep.push_back({setting_text(figures, map), figures.plain_names[map], figures.means[at],
                            figures.errors[at], half_shift(figures, map)});
  }
}

}  // namespace

CorrelateResult CorrelateJob::run(const Progress& progress) const {
  check(*this);
  const std::string state = CorrelateNames(output).state;
  CorrelateRun work(*this, find_scenes(inputs, ensemble.stack, output_files(*this)), state,
                    progress);
  work.run();
  const UnsharedRun by_rank_0;  // which has all images; the others have none
  CorrelateResult result = result_of(*this, work);
  if (result.images == 0) return result;
  const CorrelateFigures figures = work.figures();
  add_figures(figures, result);
  {
    const Stopwatch watch(result.seconds.all), writing_watch(result.seconds.write);
    write_outputs(*this, figures, result);
  }
  ::unlink(state.c_str());
  return result;
}

}  // namespace tessera
