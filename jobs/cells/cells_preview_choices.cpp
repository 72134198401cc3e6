// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_preview_choices.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <type_traits>

#include "core/counted.hpp"
#include "jobs/cells/film_place.hpp"
#include "jobs/shell_word.hpp"

namespace tessera {
namespace {

std::string given_or_default(bool given) { return given ? "given" : "the default"; }

PreviewChoice radii_choice(const CellsOptions& given, const CellsFilmResult& found) {
  const std::string value =
      fmt::format("{} to {} px", *found.options.min_radius, *found.options.max_radius);
  if (given.min_radius || given.max_radius) return {"radii", value, "given"};
  if (found.sizes.empty()) return {"radii", value, "the default: no sizes were measured"};
  return {
      "radii", value,
      fmt::format("measured: {} in the first frames {} a median of {:.1f} px",
                  counted(found.sizes.size(), "round object"),
                  found.sizes.size() == 1 ? "has" : "have", found.sizes[found.sizes.size() / 2])};
}

PreviewChoice background_choice(const CellsOptions& given, const CellsFilmResult& found) {
  const std::string value = to_text(found.options.background);
  if (found.options.background == given.background)
    return {"background", value, given_or_default(given.background != CellsOptions().background)};
  return {"background", value,
          found.film.frames == 1
              ? "a single frame does not show what stands still"
              : fmt::format("{} frames are too few to tell what stands still", found.film.frames)};
}

PreviewChoice relief_choice(const CellsOptions& given, const CellsFilmResult& found) {
  const std::string& used = found.options.relief;
  if (found.film.frames == 1) return {"relief", "none", "a single frame is taken as it is"};
  if (used == given.relief) return {"relief", used, "given"};
  if (used == "none") return {"relief", used, "measured: the first frames show none"};
  return {"relief", used + " degrees",
          "measured: cells are bright on one side and dark on the other"};
}

PreviewChoice threshold_choice(const CellsOptions& given, const CellsOptions& used) {
  const std::string value = fmt::format("{:.6g}", *used.threshold);
  if (given.threshold) return {"threshold", value, "given"};
  return {"threshold", value,
          fmt::format("the default with background {}", to_text(used.background))};
}

PreviewChoice least_frames_choice(const CellsOptions& given, const CellsFilmResult& found) {
  const std::string value = to_text(found.options.min_frames);
  if (given.min_frames) return {"min-frames", value, "given"};
  return {"min-frames", value,
          found.film.frames < 20 ? "the default for " + counted(found.film.frames, "frame")
                                 : "the default"};
}

std::string source_text(const std::string& from) {
  return from == "film" ? "the film says so" : from;
}

/// Adds "--name value" for every option that differs from its default.
template <class Options>
void add_changed(const Options& options, std::vector<std::string>& words) {
  const Options defaults{};
  const auto add = [&](const auto& field) {
    const auto& value = options.*(field.member);
    if (value == defaults.*(field.member)) return;
    words.push_back(std::string("--") + field.name);
    if constexpr (!std::is_same_v<decltype(value), const bool&>) words.push_back(to_text(value));
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, Options::fields());
}

/// A name that cannot be taken for an option.
std::string as_input(const std::string& film) { return film.starts_with('-') ? "./" + film : film; }

std::string folder_for(const std::string& film) {
  return as_input(std::filesystem::path(film_place(film).name).stem().string() + "-cells");
}

/// Measured values in place of automatic ones. The published program takes none of them.
CellsOptions with_choices(CellsOptions options, const CellsOptions& used) {
  if (options.model == CellsModel::classic) return options;
  options.min_radius = used.min_radius;
  options.max_radius = used.max_radius;
  options.radius_step = used.radius_step;
  options.background = used.background;
  options.relief = used.relief;
  return options;
}

}  // namespace

std::vector<PreviewChoice> choices_of(const CellsJob& job, const CellsFilmResult& found) {
  const CellsCalibration& calibration = found.calibration;
  std::vector<PreviewChoice> choices;
  if (job.options.model == CellsModel::classic)
    choices.push_back({"model", "classic", "given: all else is as published"});
  else
    choices = {radii_choice(job.options, found),
               background_choice(job.options, found),
               relief_choice(job.options, found),
               {"polarity", to_text(found.options.polarity),
                given_or_default(job.options.polarity != CellsOptions().polarity)},
               threshold_choice(job.options, found.options),
               least_frames_choice(job.options, found)};
  choices.push_back({"frame rate", fmt::format("{:.6g} per second", calibration.frame_rate),
                     source_text(calibration.frame_rate_from)});
  choices.push_back(
      {"pixel size",
       calibration.um_per_pixel ? fmt::format("{:.6g} um", *calibration.um_per_pixel) : "unknown",
       calibration.um_per_pixel ? source_text(calibration.um_per_pixel_from)
                                : "lengths are in pixels; give --um-per-pixel"});
  return choices;
}

std::string suggested_command(const CellsJob& job, const CellsOptions& used) {
  std::vector<std::string> words{"cells", "track", as_input(job.input), "-o",
                                 folder_for(job.input)};
  add_changed(with_choices(job.options, used), words);
  add_changed(
      CellsJobOptions{.um_per_pixel = job.film.um_per_pixel, .frame_rate = job.film.frame_rate},
      words);
  add_changed(job.reading.choice, words);
  add_changed(static_cast<const ReadOptions&>(job.reading), words);
  add_changed(job.reading.limits, words);
  add_changed(job.settings, words);
  std::string line = "tessera";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

}  // namespace tessera
