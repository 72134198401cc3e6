// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_pictures.hpp"

#include <fmt/format.h>

#include <functional>

#include "core/folder.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cells_overlay.hpp"
#include "jobs/cells/cells_plots.hpp"
#include "jobs/cells/cells_report.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char *kOverlay = "overlay.mp4", *kReport = "report.html",
                     *kHistogram = "histogram.svg";
/// Instead of the picture, or next to it: its script and figures.
constexpr const char* kBesideHistogram[] = {"histogram.gp", "histogram.tsv"};

// If a program is missing or fails, or a film is too long for a page, the other files are still
// made.
void make_if_it_can_be(const char* name, CellsFilmResult& result,
                       const std::function<std::string()>& make) {
  try {
    if (const std::string note = make(); !note.empty()) result.notes.push_back(note);
  } catch (const Error& error) {
    const bool too_much = error.kind() == ErrorKind::resources;
    if (error.kind() != ErrorKind::failure && !too_much) throw;
    auto& told = too_much ? result.warnings : result.notes;
    told.push_back(fmt::format("{} was not made: {}", name, error.what()));
  }
}

void make_overlay(const CellsJob& job, CellsFilmResult& result, const Progress& progress) {
  make_if_it_can_be(kOverlay, result, [&] {
    write_cells_overlay(result, job.input, job.reading, joined(job.output, kOverlay), job.force,
                        progress);
    return std::string();
  });
}

void make_report(const CellsJob& job, CellsFilmResult& result, const Progress& progress) {
  if (!result.histogram.empty())
    make_if_it_can_be(kHistogram, result, [&] {
      return draw_cells_histogram(result, joined(job.output, kHistogram), job.force).note;
    });
  make_if_it_can_be(kReport, result, [&] {
    return write_cells_report(result, job.input, job.reading, joined(job.output, kReport),
                              job.force, progress);
  });
}

}  // namespace

std::vector<std::string> cells_picture_names(bool overlay, bool report) {
  std::vector<std::string> names;
  if (overlay) names.emplace_back(kOverlay);
  if (!report) return names;
  names.insert(names.end(), {kHistogram, kReport});
  names.insert(names.end(), std::begin(kBesideHistogram), std::end(kBesideHistogram));
  return names;
}

std::vector<std::string> make_cells_pictures(const CellsJob& job, CellsFilmResult& result,
                                             const Progress& progress) {
  if (job.film.overlay) make_overlay(job, result, progress);
  if (job.film.report) make_report(job, result, progress);
  std::vector<std::string> made;
  for (const std::string& name : cells_picture_names(job.film.overlay, job.film.report))
    if (stamp_of(joined(job.output, name)).bytes >= 0) made.push_back(name);
  return made;
}

}  // namespace tessera
