// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/catalogue_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "jobs/faraday/catalogue_rows.hpp"
#include "jobs/faraday/catalogue_stokes.hpp"
#include "jobs/faraday/faraday_outputs.hpp"
#include "jobs/file_list.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/result.hpp"
#include "jobs/table_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The part of a job of synthesis that finds out what the channels are.
FaradaySynthJob synth_part(const FaradayCatalogueJob& job) {
  FaradaySynthJob part;
  part.files = job.files;
  part.frequencies = job.frequencies;
  part.options = job.options;
  part.choices.weights = job.choices.weights;
  part.choices.noise = job.choices.noise;
  part.choices.fit_rmsf = job.choices.fit_rmsf;
  part.cleaning = job.cleaning;
  part.reading = job.reading;
  part.settings = job.settings;
  return part;
}

std::optional<FaradayCleanOptions> catalogue_cleaning(const FaradayCatalogueJob& job) {
  const FaradaySynthCleaning& c = job.cleaning;
  if (!c.clean && (c.cutoff != 0 || c.window))
    refuse("faraday", fmt::format("{} is given, but spectra are not cleaned; give --clean too",
                                  c.cutoff != 0 ? "a cutoff" : "a window"));
  if (!c.clean) return std::nullopt;
  return FaradayCleanOptions{.cutoff = c.cutoff,
                             .gain = c.gain,
                             .iterations = c.iterations,
                             .window = c.window,
                             .device = job.options.device};
}

std::optional<SkyWcs> sky_of(const FaradayCubeSource& q, bool needed) {
  if (!q.is_fits() && needed)
    refuse(
        q.path(),
        "it has no header that says where its pixels lie; give positions as pixels, in columns x "
        "and y");
  if (!q.is_fits() || q.axes().x < 0 || q.axes().y < 0) return std::nullopt;
  try {
    return SkyWcs(q.path(), q.header(), q.axes().x + 1, q.axes().y + 1);
  } catch (const Error&) {
    if (needed) throw;
    return std::nullopt;
  }
}

/// The files that --force must not replace.
std::vector<std::string> read_files(const FaradayCatalogueJob& job) {
  const FaradayFiles& files = job.files;
  std::vector<std::string> read{job.positions, job.frequencies, files.keep, job.choices.weights,
                                job.choices.noise};
  for (const std::string& word : {files.q, files.u, files.model}) {
    read.push_back(word.starts_with('@') ? word.substr(1) : word);
    if (!names_several(word)) continue;
    for (std::string& file : files_in_word(word)) read.push_back(std::move(file));
  }
  return read;
}

/// All pixels to measure, and the range of them that belongs to each position.
struct Boxes {
  std::vector<Point> pixels;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
};

Boxes boxes_of(const std::vector<CataloguePosition>& positions, int side, const Size& size) {
  Boxes boxes;
  for (const CataloguePosition& position : positions) {
    const std::size_t first = boxes.pixels.size();
    if (position.flag == CatalogueFlag::none) {
      const Point middle = position.nearest();
      for (int y = std::max(0, middle.y - side / 2);
           y <= std::min(size.height - 1, middle.y + (side - 1) / 2); ++y)
        for (int x = std::max(0, middle.x - side / 2);
             x <= std::min(size.width - 1, middle.x + (side - 1) / 2); ++x)
          boxes.pixels.push_back({x, y});
    }
    boxes.ranges.emplace_back(first, boxes.pixels.size());
  }
  return boxes;
}

/// The brightest pixel with a fitted peak, else the first with data, else none.
const CataloguePixel* best_of(const std::vector<CataloguePixel>& pixels,
                              std::pair<std::size_t, std::size_t> range) {
  const CataloguePixel* best = nullptr;
  const auto rank = [](const CataloguePixel& pixel) {
    const double pi = pixel.value(FaradayMap::pi);
    return std::isfinite(pi) ? pi : -1.0;
  };
  for (std::size_t i = range.first; i < range.second; ++i)
    if (pixels[i].channels > 0 && (!best || rank(pixels[i]) > rank(*best))) best = &pixels[i];
  return best;
}

void count_flags(const std::vector<CatalogueRow>& rows, FaradayCatalogueResult& result) {
  result.positions = std::ssize(rows);
  for (const CatalogueRow& row : rows) {
    result.measured += row.position.flag == CatalogueFlag::none;
    result.no_position += row.position.flag == CatalogueFlag::no_position;
    result.not_shown += row.position.flag == CatalogueFlag::not_shown;
    result.outside += row.position.flag == CatalogueFlag::outside;
    result.no_data += row.position.flag == CatalogueFlag::no_data;
    result.no_peak += row.position.flag == CatalogueFlag::no_peak;
  }
}

}  // namespace

std::string FaradayCatalogueResult::describe() const {
  std::string text = fmt::format("{}\n", ran);
  if (!clean_ran.empty()) text += clean_ran + "\n";
  text += fmt::format("{} of {} {} a rotation measure", measured, counted(positions, "position"),
                      measured == 1 ? "has" : "have");
  const std::pair<long long, const char*> counts[] = {{outside, "outside the image"},
                                                      {no_data, "without data"},
                                                      {no_peak, "without a peak inside the depths"},
                                                      {not_shown, "not shown by the projection"},
                                                      {no_position, "without a valid position"}};
  for (const auto& [count, what] : counts)
    if (count > 0) text += fmt::format("; {} {}", count, what);
  if (!file.empty()) text += fmt::format("\n{}", file);
  return text + fmt::format(": {:.3g} s", seconds) + notes_text(notes);
}

FaradayCatalogueResult FaradayCatalogueJob::run(const Progress& progress, Table* table) const {
  if (!output.empty()) check_table_name(output);
  return run(read_table(positions, reading), progress, table);
}

FaradayCatalogueResult FaradayCatalogueJob::run(const Table& given, const Progress& progress,
                                                Table* table) const {
  const FaradayClock clock;
  check_ranges("faraday", choices);
  if (!output.empty()) {
    check_table_name(output);
    check_output_name(output, force);
    if (force) check_not_read("faraday", {output}, read_files(*this));
  }
  const std::optional<FaradayCleanOptions> clean = catalogue_cleaning(*this);
  std::vector<CataloguePosition> places = catalogue_positions(
      positions, given, {choices.ra_column, choices.dec_column, choices.id_column});
  FaradayMemory memory(settings);
  FaradayInput input(files, reading, memory);
  FaradayVoxelInput voxels({choices.noise, choices.weights}, input, reading, memory);
  const Size size = input.cube().size;
  locate(places, sky_of(input.q(), need_sky(places)), size);
  const FaradayJobChannels channels = faraday_channels_of(synth_part(*this), voxels);

  const Boxes boxes = boxes_of(places, choices.box, size);
  input.fit_only(boxes.pixels);
  const CataloguePixels found = measure_pixels({voxels, channels, options, choices.fit_rmsf, clean},
                                               boxes.pixels, memory, progress);
  std::vector<CatalogueRow> rows;
  for (std::size_t n = 0; n < places.size(); ++n) {
    CatalogueRow row{std::move(places[n]), std::nullopt};
    if (row.position.flag == CatalogueFlag::none) {
      const CataloguePixel* best = best_of(found.pixels, boxes.ranges[n]);
      if (best) row.pixel = *best;
      if (!best)
        row.position.flag = CatalogueFlag::no_data;
      else if (!std::isfinite(best->value(FaradayMap::rm)))
        row.position.flag = CatalogueFlag::no_peak;
    }
    rows.push_back(std::move(row));
  }
  add_stokes_i(files, input, channels.axes, rows);
  const std::string name =
      choices.name.empty() ? std::filesystem::path(positions).stem().string() : choices.name;
  Table made = catalogue_table({input.q(), channels.axes, !files.model.empty(), name}, rows);

  FaradayCatalogueResult result;
  result.ran = found.ran;
  result.clean_ran = found.clean_ran;
  result.channels = channels.axes.channels();
  result.depths = channels.axes.depths();
  result.fwhm = channels.axes.fwhm;
  count_flags(rows, result);
  if (!channels.note.empty()) result.notes.push_back(channels.note);
  result.warnings = input.warnings();
  if (!output.empty()) {
    std::string words;
    for (const std::string& part : {changed_options(options), changed_options(files.fitting),
                                    changed_options(choices), changed_options(cleaning)})
      if (!part.empty()) words += (words.empty() ? "" : " ") + part;
    std::vector<std::string> history = history_of(found.ran, words);
    if (!command.empty()) history.push_back("command: " + command);
    write_table(output, made, force, history);
    result.file = output;
  }
  if (table) *table = std::move(made);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace tessera
