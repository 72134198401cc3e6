// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_pictures.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>

#include "core/folder.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cells_geff.hpp"
#include "jobs/cells/cells_masks.hpp"
#include "jobs/cells/cells_overlay.hpp"
#include "jobs/cells/cells_plots.hpp"
#include "jobs/cells/cells_report.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char *kOverlay = "overlay.mp4", *kReport = "report.html",
                     *kHistogram = "histogram.svg", *kMasks = "masks.tif", *kCtc = "ctc",
                     *kGeff = "tracks.geff";
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

void make_masks(const CellsJob& job, CellsFilmResult& result, const Progress& progress) {
  if (!job.film.masks && !job.film.ctc) return;
  if (std::string why = why_no_masks(result); !why.empty()) {
    result.warnings.push_back(std::move(why));
    return;
  }
  if (job.film.masks) write_masks(result, joined(job.output, kMasks), job.force, progress);
  if (job.film.ctc) write_ctc(result, joined(job.output, kCtc), job.force, progress);
}

/// Pictures, masks and the file of a folder that is written last: what a user is told of.
std::vector<std::string> wanted(const CellsJobOptions& options) {
  std::vector<std::string> names;
  if (options.overlay) names.emplace_back(kOverlay);
  if (options.report) {
    names.insert(names.end(), {kHistogram, kReport});
    names.insert(names.end(), std::begin(kBesideHistogram), std::end(kBesideHistogram));
  }
  if (options.masks) names.emplace_back(kMasks);
  if (options.ctc) names.push_back(joined(kCtc, kCtcTracks));
  if (options.geff) names.push_back(joined(kGeff, geff_files().back()));
  return names;
}

/// A file in a folder stands for the folder: "ctc/".
std::string shown(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.substr(0, slash + 1);
}

/// The others, in the folders.
std::vector<std::string> inner_files(const CellsJobOptions& options, const std::string& folder) {
  std::vector<std::string> names;
  if (options.ctc)
    for (const std::string& mask : ctc_masks_in(joined(folder, kCtc)))
      names.push_back(joined(kCtc, mask));
  if (options.geff)
    for (const std::string& file : geff_files()) names.push_back(joined(kGeff, file));
  return names;
}

}  // namespace

std::string existing_picture(const CellsJob& job) {
  for (const auto& names : {wanted(job.film), inner_files(job.film, job.output)})
    for (const std::string& name : names)
      if (stamp_of(joined(job.output, name)).bytes >= 0) return name;
  return "";
}

void remove_cells_pictures(const std::string& folder) {
  CellsJobOptions all;
  all.masks = all.ctc = all.geff = true;
  for (const auto& names : {wanted(all), inner_files(all, folder)})
    for (std::string name : names)
      for (; name != "."; name = folder_of(name))  // then folders, if nothing else is in them
        std::remove(joined(folder, name).c_str());
}

std::vector<std::string> make_cells_pictures(const CellsJob& job, CellsFilmResult& result,
                                             const Progress& progress) {
  if (job.film.overlay) make_overlay(job, result, progress);
  if (job.film.report) make_report(job, result, progress);
  make_masks(job, result, progress);
  if (job.film.geff) write_geff(result, joined(job.output, kGeff), job.force);
  std::vector<std::string> made;
  for (const std::string& name : wanted(job.film))
    if (stamp_of(joined(job.output, name)).bytes >= 0) made.push_back(shown(name));
  return made;
}

}  // namespace tessera
