// SPDX-License-Identifier: Apache-2.0
#include "jobs/match/match_job.hpp"

#include <fmt/format.h>

#include "core/folder.hpp"
#include "io/data_table.hpp"
#include "io/output_place.hpp"
#include "jobs/image_job.hpp"
#include "jobs/match/peak_finder.hpp"
#include "jobs/table_files.hpp"

namespace tessera {
namespace {

constexpr double kBound = 2e-6;  // MatchTemplate's

Table table_of(const std::vector<MatchPlace>& places) {
  TableColumn x{.name = "x", .unit = "pix", .kind = TableKind::i32},
      y{.name = "y", .unit = "pix", .kind = TableKind::i32},
      plane{.name = "plane", .kind = TableKind::i32}, value{.name = "value"};
  for (const MatchPlace& place : places) {
    x.numbers.push_back(place.x);
    y.numbers.push_back(place.y);
    plane.numbers.push_back(place.plane);
    value.numbers.push_back(place.value);
  }
  return {{x, y, plane, value}, {}};
}

void check_files(const MatchJob& job) {
  check_ranges("match", job.peaks);
  if (job.check && job.output == "-")
    throw Error(ErrorKind::usage, "match: --check reads the output again; give it a file name");
  const std::string& table = job.files.table;
  if (table.empty()) return;
  check_table_name(table);
  if (!job.writing.force && path_exists(table)) throw exists_error(table);
}

}  // namespace

MatchResult MatchJob::run(const Progress& progress) const {
  check_files(*this);
  const auto source = open_input(input, reading, settings);
  const Image shape = read_image(pattern);
  const Image mask = files.mask.empty() ? Image() : read_image(files.mask);
  PeakFinder finder(peaks);
  Point first;
  ImageOperation<MatchTemplate, MatchOptions> operation{
      "match",
      options,
      [&](const ImageInfo& image, const MatchOptions& with) {
        return MatchTemplate(image, shape.view(), mask ? mask.view() : AnyView(), with);
      },
      [&](const MatchTemplate& plan) {
        return Point{-plan.first_place().x, -plan.first_place().y};
      },
      [](const MatchOptions& same) { return same; },
      [](const MatchTemplate&, AnyView) { return kBound; },
      static_cast<double>(shape.info().size.samples())};
  const bool shared = ranks().count() > 1;
  ImageInfo map;
  operation.watch = [&](StripPlan& strips, const MatchTemplate& plan) {
    first = plan.first_place();
    map = plan.output();
    map.size.planes = source->info().size.planes;
    if (!shared) finder.watch(strips, plan.output());
  };
  MatchResult result;
  static_cast<ImageResult&>(result) = run_image_job(
      {input, output, reading, writing, settings, check}, operation, *source, progress);
  if (is_part() || !ranks().first()) return result;
  const UnsharedRun by_rank_0;
  if (shared) {
    const ReadOptions how{.raw = raw_layout_text(map), .limits = reading.limits};
    finder.look_at(*open_input(output, how, settings));
  }
  for (const MatchPeak& peak : finder.peaks())
    result.peaks.push_back({peak.x + first.x, peak.y + first.y, peak.plane, peak.value});
  if (!files.table.empty()) {
    write_table(files.table, table_of(result.peaks), writing.force,
                history_of(result.ran, changed_options(options)));
    result.table = files.table;
  }
  return result;
}

}  // namespace tessera
