// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/correlate_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/counted.hpp"
#include "io/formats.hpp"
#include "io/header_card.hpp"
#include "io/output.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/history.hpp"
#include "jobs/picture.hpp"
#include "report/json.hpp"
#include "report/map_plots.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Most maps in a picture: with more, it would be higher than a PNG can be.
constexpr std::size_t kMostPlotted = 32;

std::string with_ending(const std::string& path, const char* ending) {
  return std::filesystem::path(path).replace_extension(ending).string();
}

// Column and row of a map are shifts: the FITS header says so.
std::vector<std::string> fits_cards(const CorrelateSummary& summary) {
  const auto text = [](const std::string& value) { return fmt::format("'{:<8}'", value); };
  const auto number = [](auto value) { return fmt::format("{:>20}", value); };
  std::vector<std::string> cards{
      fits_card("CTYPE1", text("DX"), "shift along rows, in pixels"),
      fits_card("CRPIX1", number(1 - summary.first_shift_x), "column of shift 0"),
      fits_card("CRVAL1", number(0), ""),
      fits_card("CDELT1", number(1), ""),
      fits_card("CTYPE2", text("DY"), "shift along columns, in pixels"),
      fits_card("CRPIX2", number(1 - summary.first_shift_y), "row of shift 0"),
      fits_card("CRVAL2", number(0), ""),
      fits_card("CDELT2", number(1), ""),
      fits_card("MAXSHIFT", number(summary.max_shift), "shifts are smaller than this"),
      fits_card("NORMALIS", text(summary.normalise), "how planes were normalised"),
      fits_card("SCALE", text(summary.scale), "what sums were divided by"),
      fits_card("NIMAGES", number(summary.images), "images in the mean"),
      fits_card("NLEFTOUT", number(summary.left_out), "images left out"),
      fits_card("NMAPS", number(summary.maps.size()), "means; as many errors follow")};
  for (std::size_t map = 0; map < summary.maps.size(); ++map)  // a card has room for 68 characters
    cards.push_back(
        fits_card(fmt::format("MAP{}", map + 1), text(summary.maps[map].substr(0, 66)), ""));
  return cards;
}

void write_maps(const CorrelateJob& job, const CorrelateFigures& figures,
                const CorrelateResult& result, bool force) {
  const int maps = static_cast<int>(figures.maps.size());
  Image both({figures.size.width, figures.size.height, 1, 2 * maps}, Type::f64);
  const std::size_t values = figures.map_at(figures.maps.size());
  double* to = both.as<double>().data;
  std::copy_n(figures.errors.data(), values, std::copy_n(figures.means.data(), values, to));
  WriteOptions how = job.writing;
  how.force = force;
  how.header = fits_cards(result);
  how.history = history_of(result.ran, result.options);
  how.history.push_back(
      fmt::format("planes: mean, then standard error, of {}", fmt::join(figures.maps, "; ")));
  write_image(job.output, both.view(), how);
}

std::string csv_of(const CorrelateFigures& figures) {
  std::string text;
  for (const std::string& option : figures.swept) text += option + ",";
  text += "map,profile,shift,mean,standard_error,shifts\n";
  for (std::size_t map = 0; map < figures.maps.size(); ++map)
    for (std::size_t k = 0; k < figures.curves.size(); ++k)
      for (std::size_t r = 0; r < figures.curves[k].counts.size(); ++r) {
        const std::size_t at = figures.curve_at(map, k) + r;
        for (const std::string& value : figures.values[map]) text += value + ",";
        text +=
            fmt::format("\"{}\",{},{},{},{},{}\n", figures.plain_names[map], figures.curves[k].name,
                        r, figures.means[at], figures.errors[at], figures.curves[k].counts[r]);
      }
  return text;
}

std::vector<PlottedMap> plotted(const CorrelateFigures& f) {
  std::vector<PlottedMap> maps;
  const auto part = [](const std::vector<double>& list, std::size_t first, std::size_t count) {
    return std::span(list).subspan(first, count);
  };
  for (std::size_t map = 0; map < std::min(f.maps.size(), kMostPlotted); ++map) {
    PlottedMap one{f.maps[map],
                   f.size.width,
                   f.size.height,
                   f.first_shift.x,
                   f.first_shift.y,
                   part(f.means, f.map_at(map), f.map_at(1)),
                   {}};
    for (std::size_t k = 0; k < f.curves.size(); ++k) {
      const auto count = static_cast<std::size_t>(f.max_shift);
      const std::size_t at = f.curve_at(map, k);
      one.curves.push_back({f.curves[k].name, part(f.means, at, count), part(f.errors, at, count)});
    }
    maps.push_back(std::move(one));
  }
  return maps;
}

std::string value_label(ShiftScale scale) {
  return scale == ShiftScale::none ? "sum of products" : "correlation (" + to_text(scale) + ")";
}

void draw(const CorrelateJob& job, const CorrelateFigures& figures, CorrelateResult& result,
          bool force) {
  std::string title = fmt::format("{} of {}x{}, {}", counted(result.images, "image"), result.width,
                                  result.height, counted(result.planes, "plane"));
  if (figures.maps.size() > kMostPlotted)
    title += fmt::format(", the first {} of {} maps", kMostPlotted, figures.maps.size());
  const Picture picture =
      draw_picture(plot_maps(title, value_label(job.options.scale), plotted(figures),
                             picture_format(job.ensemble.picture)),
                   job.ensemble.picture, force);
  result.picture = picture.path;
  if (!picture.note.empty()) result.notes.push_back(picture.note);
}

bool is_there(const std::string& path) { return stamp_of(path).bytes >= 0; }

}  // namespace

CorrelateNames::CorrelateNames(const std::string& output)
    : profiles(with_ending(output, ".csv")),
      summary(with_ending(output, ".json")),
      state(output + ".partial") {}

std::vector<std::string> output_files(const CorrelateJob& job) {
  const CorrelateNames names(job.output);
  std::vector<std::string> files{job.output, names.profiles, names.summary, names.state};
  if (const std::string& picture = job.ensemble.picture; !picture.empty())
    files.insert(files.end(), {picture, with_ending(picture, ".tsv"), with_ending(picture, ".gp")});
  return files;
}

void check_outputs(const CorrelateJob& job) {
  const Format* format = format_of_name(job.output);
  if (!format || !format->can_write())
    throw Error(ErrorKind::usage,
                fmt::format("correlate: '{}' is not a name for maps; end it with .npy or .fits",
                            job.output));
  const std::string& picture = job.ensemble.picture;
  if (!picture.empty()) picture_format(picture);
  const bool own = is_there(CorrelateNames(job.output).state);
  if (!job.writing.force)
    for (const std::string& path : output_files(job))
      if (is_there(path) && (!own || path == job.output)) throw exists_error(path);
  // Begun and abandoned: a file that cannot be made is reported now, not after an hour of work.
  create_image(job.output, {{1, 1, 1, 2}, Type::f64, kHost}, job.writing);
  if (!picture.empty()) Output(picture, true);
}

void write_outputs(const CorrelateJob& job, const CorrelateFigures& figures,
                   CorrelateResult& result) {
  const CorrelateNames names(job.output);
  // Checked before the work began: files that exist now were left by an interrupted run.
  const bool force = job.writing.force || is_there(names.state);
  write_text(names.profiles, csv_of(figures), force);
  CorrelateSummary summary = result;
  summary.ran = without_device(summary.ran);
  write_text(names.summary, json_text(summary) + "\n", force);
  if (!job.ensemble.picture.empty()) draw(job, figures, result, force);
  write_maps(job, figures, result, job.writing.force);
  result.output = job.output;
  result.profiles = names.profiles;
  result.summary = names.summary;
}

}  // namespace tessera
