// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/counted.hpp"
#include "jobs/cells/cells_display.hpp"
#include "jobs/cells/cells_follow.hpp"
#include "jobs/cells/cells_preview_page.hpp"
#include "jobs/cells/cells_text.hpp"
#include "jobs/result.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// More than the 40 frames in which sizes and relief are measured and the 36 that a still scene
/// needs, so that longer films are given the same choices.
constexpr int kPreviewFrames = 60;
constexpr int kShownFrames = 4;
constexpr double kMostRadiusBins = 30;

void check_preview(const CellsPreviewJob& job) {
  check_ranges("cells", job.track.film);
  if (job.track.input == "-")
    throw Error(ErrorKind::usage,
                "cells: standard input cannot be read twice; give a film by name");
  if (is_film_batch(job.track, {}))
    throw Error(
        ErrorKind::usage,
        fmt::format("cells: {} stands for several films; give one of them", job.track.input));
}

/// The job for the first frames only; `film_frames` and `notes` say what is left out.
CellsJob of_first_frames(CellsJob job, CellsPreview& preview) {
  job.reading = limited(job.reading, job.settings);
  const FilmSource film(job.input, job.reading);
  preview.film_frames = film.frames();
  // Tracks must be able to become as long as they need to be.
  const int most = std::max(kPreviewFrames, job.options.min_frames.value_or(0));
  if (film.frames() <= most) return job;
  job.reading.frames = most;
  if (!film.damage().empty())
    preview.notes.push_back(fmt::format("{}; the preview is of frames before that", film.damage()));
  return job;
}

/// A plan that searches single frames with the radii that were chosen. It subtracts nothing, so
/// its threshold is that of single frames.
Cells plan_of_candidates(const CellsJob& job, const ImageInfo& frame, const CellsOptions& used) {
  if (job.options.model == CellsModel::classic) return Cells(frame, job.options);
  CellsOptions options = used;
  options.threshold = job.options.threshold;
  options.background = CellsBackground::none;
  return Cells(frame, options);
}

/// Spread evenly, with the first and the last.
std::vector<int> shown_frames(int frames) {
  std::vector<int> shown;
  const int count = std::min(frames, kShownFrames);
  for (int i = 0; i < count; ++i) shown.push_back(count == 1 ? 0 : i * (frames - 1) / (count - 1));
  return shown;
}

PreviewFrame frame_with(const std::vector<CellDetection>& cells, int number,
                        const std::vector<CellTrack>& tracks) {
  PreviewFrame frame{.frame = number};
  for (const CellDetection& cell : cells) {
    frame.candidates.push_back({number, cell.x, cell.y, cell.radius, cell.score});
    ++(cell.score < 0 ? frame.bright : frame.dark);
  }
  for (const CellTrack& track : tracks)
    for (const CellSpot& spot : track.spots)
      if (spot.frame == number) frame.followed.push_back({track.id, spot.x, spot.y, spot.radius});
  return frame;
}

std::vector<PreviewPicture> search_frames(const CellsJob& job, const CellsFilmResult& found,
                                          const ImageInfo& frame, CellsPreview& preview) {
  const Cells plan = plan_of_candidates(job, frame, found.options);
  Stream stream = job.settings.stream(plan.device());
  preview.candidate_threshold = plan.options().threshold.value_or(0);
  CellsDisplay display(job.input, job.reading);
  std::vector<PreviewPicture> pictures;
  int read = 0;
  for (const int number : shown_frames(found.film.frames)) {
    View<const std::uint8_t> grey;
    for (; read <= number; ++read) grey = display.next();
    preview.frames.push_back(frame_with(plan.detect(display.as_read(), stream),
                                        found.film.first_frame + number, found.tracks));
    pictures.push_back(preview_picture(grey));
  }
  return pictures;
}

std::vector<RadiusBin> radius_histogram(const std::vector<double>& sizes, double most) {
  if (sizes.empty()) return {};
  const double highest = std::max(most, sizes.back());
  const double width = std::max(1.0, std::ceil(highest / kMostRadiusBins));
  std::vector<RadiusBin> bins(static_cast<std::size_t>(highest / width) + 1);
  for (std::size_t i = 0; i < bins.size(); ++i)
    bins[i] = {static_cast<double>(i) * width, static_cast<double>(i + 1) * width};
  for (const double size : sizes) ++bins[static_cast<std::size_t>(size / width)].count;
  return bins;
}

/// Radii that the plan measured or, if they were given, those of the candidates.
PreviewRadii radii_of(const CellsFilmResult& found, const std::vector<PreviewFrame>& frames) {
  PreviewRadii radii{.least = *found.options.min_radius,
                     .most = *found.options.max_radius,
                     .of = "round objects in the first frames",
                     .sizes = found.sizes};
  if (radii.sizes.empty()) {
    radii.of = "candidates in the frames shown";
    for (const PreviewFrame& frame : frames)
      for (const DetectedCell& cell : frame.candidates) radii.sizes.push_back(cell.radius);
    std::ranges::sort(radii.sizes);
  }
  radii.histogram = radius_histogram(radii.sizes, radii.most);
  return radii;
}

void take(const CellsJob& job, const CellsFilmResult& found, CellsPreview& preview) {
  preview.ran = found.ran;
  preview.film = found.film;
  preview.calibration = found.calibration;
  preview.options = found.options;
  preview.choices = choices_of(job, found);
  preview.radii = radii_of(found, preview.frames);
  preview.tracks = static_cast<int>(found.tracks.size());
  preview.uncertain = !found.doubts.empty();
  preview.doubts = found.doubts;
  preview.notes.insert(preview.notes.end(), found.notes.begin(), found.notes.end());
  preview.warnings = found.warnings;
}

std::string candidates_text(const CellsPreview& preview) {
  std::string text;
  for (const PreviewFrame& frame : preview.frames)
    text += fmt::format("{}frame {}: {} bright, {} dark", text.empty() ? "" : "; ", frame.frame,
                        frame.bright, frame.dark);
  return text;
}

}  // namespace

CellsPreview CellsPreviewJob::run(const Progress& progress) const {
  check_preview(*this);
  CellsPreview preview{.output = page};
  const Stopwatch watch(preview.seconds.all);
  const CellsJob first = of_first_frames(track, preview);
  FilmSource source(first.input, first.reading);
  const Cells plan(source.frame(), options_for(source, first.options));
  // Begun first: an impossible name is reported before the work.
  std::optional<TextFile> file;
  if (!page.empty()) file.emplace(page, force);
  CellsFilmResult found;
  follow_film(source, plan, first.settings, found, progress);
  name_film(first, source, found);
  preview.seconds.read = found.seconds.read;
  {
    const Stopwatch work_watch(found.seconds.work);
    const auto pictures = search_frames(first, found, source.frame(), preview);
    take(first, found, preview);
    preview.command = suggested_command(track, found.options);
    if (file) file->add(preview_page(preview, pictures));
  }
  preview.seconds.work = found.seconds.work;
  const Stopwatch writing_watch(preview.seconds.write);
  if (file) file->finish();
  return preview;
}

std::string preview_json(const CellsPreview& preview) { return json_text(preview); }

std::string CellsPreview::describe() const {
  std::string text = fmt::format("{}\n{}: {} of {}, {}x{}{}\n", ran, film.name, film.frames,
                                 counted(film_frames, "frame"), film.width, film.height,
                                 uncertain ? ", uncertain (see the warnings)" : "");
  for (const PreviewChoice& choice : choices)
    text += fmt::format("  {:<11} {} ({})\n", choice.name, choice.value, choice.why);
  text += fmt::format("candidates: {}\n{} {} followed through these frames\n",
                      candidates_text(*this), counted(tracks, "cell"), tracks == 1 ? "is" : "are");
  text += fmt::format("{}: {:.3g} s", output, seconds.all);
  return text + notes_text(notes) + "\n" + command;
}

}  // namespace tessera
