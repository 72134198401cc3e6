// SPDX-License-Identifier: Apache-2.0
#include "jobs/sources/sources_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "io/output.hpp"
#include "io/output_set.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/noise/noise_input.hpp"
#include "jobs/noise/noise_small.hpp"
#include "jobs/picture.hpp"
#include "jobs/result.hpp"
#include "jobs/sources/sources_finding.hpp"
#include "jobs/sources/sources_header.hpp"
#include "jobs/table_files.hpp"
#include "report/sources_plot.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kOperation = "sources";

bool is_regions(const std::string& path) { return path.ends_with(".reg"); }

/// A map of a job: a file or a number.
class GivenMap {
 public:
  GivenMap(const char* option, const std::string& text, const SourcesJob& job, const Size& size) {
    if (text.empty()) return;
    if (const double number = table_number(text); std::isfinite(number)) {
      rows_ = std::make_unique<ConstantRows>(size, number);
      return;
    }
    file_ = std::make_unique<NoiseInput>(NoiseFiles{text, std::nullopt, "", kOperation},
                                         job.reading, job.settings);
    const Size own = file_->file().info().size;
    if (own.width != size.width || own.height != size.height || own.planes != 1)
      refuse("sources", fmt::format("--{} {} is {}x{} with {}, but the image {}x{}; give one plane "
                                    "of the same size",
                                    option, text, own.width, own.height,
                                    counted(own.planes, "plane"), size.width, size.height));
    rows_ = std::make_unique<FloatRows>(*file_);
  }
  RowSource* rows() const { return rows_.get(); }
  std::vector<std::string> warnings() const {
    return file_ ? file_->warnings() : std::vector<std::string>();
  }

 private:
  std::unique_ptr<NoiseInput> file_;
  std::unique_ptr<RowSource> rows_;
};

void check_sources_files(const SourcesJob& job) {
  if (job.outputs.empty())
    refuse("sources", "there is no output; give -o cat.csv, or several such");
  for (const std::string& output : job.outputs) {
    if (!is_regions(output)) check_table_name(output);
    const Output can_be_made(output, job.force);
    if (std::ranges::count(job.outputs, output) > 1)
      refuse("sources", fmt::format("{} is given twice; give every output its own name", output));
  }
  check_not_read(
      "sources", job.outputs,
      {named_page(job.input, kOperation).path, named_page(job.maps.background, kOperation).path,
       named_page(job.maps.rms, kOperation).path, named_page(job.choices.mask, kOperation).path});
}

Picture draw_sources(const SourcesJob& job, const NoiseInput& file, const NoiseSmall& small,
                     const SourcesSky& sky, const SourceList& list) {
  const Size size = file.info().size;
  std::vector<PlottedSource> marks;
  for (const Source& s : list.sources) {
    const bool fitted = s.shape.major > 0;
    marks.push_back({s.x, s.y, fitted ? s.shape.major : 4, fitted ? s.shape.minor : 4,
                     fitted ? s.shape.angle : 0});
  }
  const PanelFrame frame{small.width(), small.height(), size.width, size.height,
                         file.file().format() == "FITS"};
  const std::string title =
      fmt::format("{}, {}", std::filesystem::path(file.name()).filename().string(),
                  counted(std::ssize(marks), "source"));
  return draw_picture(plot_sources(title, frame, {"image", sky.unit, small.means(-1)}, marks,
                                   picture_format(job.choices.picture)),
                      job.choices.picture, job.force);
}

void check_one_plane_chosen(const NoiseInput& input) {
  if (input.planes().count() == 1) return;
  refuse("sources", fmt::format("{} has {} planes; a catalogue is of one: give --slice N, counted "
                                "from 0",
                                input.name(), input.planes().count()));
}

std::string options_text(const SourcesJob& job) {
  std::string all;
  SourcesChoices choices = job.choices;
  choices.picture.clear();
  for (const std::string& part :
       {changed_options(job.options), changed_options(job.maps), changed_options(choices)})
    if (!part.empty()) all += (all.empty() ? "" : " ") + part;
  return all;
}

std::string beam_text(const SourcesSky& sky) {
  if (!sky.beam) return "";
  return fmt::format("{:.4g} x {:.4g} pixels at {:.4g} degrees", sky.beam->major, sky.beam->minor,
                     sky.beam->angle);
}

/// Keywords for the whole table.
std::vector<std::pair<std::string, std::string>> table_notes(const SourcesJob& job,
                                                             const SourcesSky& sky,
                                                             const SourceList& list) {
  std::vector<std::pair<std::string, std::string>> notes{
      {"SEED", fmt::format("{}", job.options.seed)},
      {"GROW", fmt::format("{}", job.options.grow)},
      {"BEAM", sky.beam ? beam_text(sky) : "unknown"},
      {"FLUXES", sky.beam ? "integral / area of the beam" : "integral over pixels, no beam"},
      {"NOISE", fmt::format("{:.4g} pixels vary together", list.noise_pixels)}};
  return notes;
}

/// Writes all outputs, or none.
void write_outputs(const SourcesJob& job, const Table& table, const std::string& regions,
                   const std::string& ran) {
  std::vector<std::string> history = history_of(ran, options_text(job));
  if (!job.command.empty()) history.push_back("command: " + job.command);
  OutputSet together;
  for (const std::string& output : job.outputs)
    if (is_regions(output))
      write_text(output, regions, job.force);
    else
      write_table(output, table, job.force, history);
  together.place();
}

void add_notes(const SourcesFound& found, const SourcesJob& job, SourcesResult& result) {
  const SourceList& list = found.list;
  if (found.finite == 0)
    throw Error(ErrorKind::input, fmt::format("sources: {} has no valid pixel: all {} are blank",
                                              input_name(job.input), result.pixels));
  if (list.valid == 0)
    result.notes.push_back(
        "the noise is 0, negative or not a number at all pixels, as in a "
        "constant image: nothing can stand out of it");
  if (!list.noise_is_known && !list.sources.empty())
    result.notes.push_back(
        fmt::format("errors are uncertain: the noise is {}; give --correlation", list.noise_text));
}

}  // namespace

std::string SourcesResult::describe() const {
  std::string text = noise_ran.empty() ? "" : noise_ran + "\n";
  text += fmt::format("{}\n{} in {}", ran, counted(sources, "source"), counted(islands, "island"));
  if (!files.empty()) text += fmt::format("\n{}", files_text(files));
  return text + ": " +
         seconds_text(seconds, fmt::format("{:.1f} Mpixel/s", pixels_per_second / 1e6)) +
         notes_text(notes);
}

SourcesResult SourcesJob::run(const Progress& progress, Table* table) const {
  if (!table || !outputs.empty()) check_sources_files(*this);
  check_pictures({choices.picture}, force);
  check_ranges("sources", maps);
  NoiseInput file({input, choices.slice, choices.mask, kOperation}, reading, settings);
  check_one_plane_chosen(file);
  SourcesResult result;
  const SourcesSky sky =
      sources_sky(file.name(), file.file(), file.planes().first, choices, result.notes);
  FloatRows image(file);
  const Size size = image.info().size;
  const GivenMap background("background", maps.background, *this, size),
      rms("rms", maps.rms, *this, size);
  NoiseSmall small(size, 0);
  SourcesFinding finding{options, maps, sky.beam, settings, background.rows(), rms.rows(), {}};
  if (!choices.picture.empty())
    finding.seen = [&small](AnyView rows, int first_row) {
      AnyView no_maps = rows;
      no_maps.size.planes = 0;
      small.see(rows, no_maps, first_row);
    };
  const SourcesFound found = find_sources(image, finding, progress);

  result.ran = found.ran;
  result.noise_ran = found.noise_ran;
  result.input = input;
  result.sources = std::ssize(found.list.sources);
  result.islands = found.list.islands;
  result.width = size.width;
  result.height = size.height;
  result.plane = file.planes().first;
  result.pixels = size.pixels();
  result.blanks = found.list.blank;
  result.beam = beam_text(sky);
  result.unit = sky.unit;
  result.flux_unit = sky.flux_unit;
  result.correlation = found.list.noise_text;
  result.noise_pixels = found.list.noise_pixels;
  result.seconds = found.seconds;
  add_notes(found, *this, result);
  Table made = sources_table(found.list, sky);
  made.notes = table_notes(*this, sky, found.list);
  {
    const Stopwatch all(result.seconds.all), write(result.seconds.write);
    write_outputs(*this, made, sources_regions(found.list, sky), found.ran);
  }
  result.files = outputs;
  if (!choices.picture.empty()) {
    const Picture picture = draw_sources(*this, file, small, sky, found.list);
    for (const std::string& made_file : {picture.path, picture.numbers})
      if (!made_file.empty()) result.files.push_back(made_file);
    if (!picture.note.empty()) result.notes.push_back(picture.note);
  }
  result.pixels_per_second = static_cast<double>(result.pixels) / result.seconds.all;
  for (const auto& list : {file.warnings(), background.warnings(), rms.warnings()})
    result.warnings.insert(result.warnings.end(), list.begin(), list.end());
  if (table) *table = std::move(made);
  return result;
}

}  // namespace tessera
