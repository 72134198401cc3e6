// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/films_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/folder.hpp"
#include "io/output.hpp"
#include "io/output_set.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/batch_manifest.hpp"
#include "jobs/cells/cells_outputs.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char *kFilmsCsv = "films.csv", *kFilmsJson = "films.json";
/// Far more than the options, notes and doubts of a film need.
constexpr long long kMostSummaryBytes = 64LL << 20;

std::string summary_text(const std::string& path) {
  const File file = File::open_to_read(path);
  const long long bytes = file.bytes();
  if (bytes > kMostSummaryBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes; a summary has at most {}", path,
                                              bytes, kMostSummaryBytes));
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read_all(0, text.data(), bytes);
  return text;
}

template <class T>
std::optional<T> number_in(const Json& object, const char* name) {
  const Json& value = object.at(name);
  return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

std::optional<double> times(std::optional<double> value, std::optional<double> factor) {
  return value && factor ? std::optional(*value * *factor) : std::nullopt;
}

void take_summary(const Json& summary, FilmRow& row) {
  const Json &counts = summary.at("counts"), &calibration = summary.at("calibration"),
             &background = summary.at("background_choice"), &flux = counts.at("flux");
  row.frames = summary.at("film").at("frames").get<int>();
  row.cells = counts.at("tracks").get<int>();
  row.rolling = counts.at("rolling").get<int>();
  row.resting = counts.at("resting").get<int>();
  row.adherent = number_in<int>(counts, "adherent");
  row.mean_speed = number_in<double>(counts, "mean_speed");
  row.median_speed = number_in<double>(counts, "median_speed");
  if (const auto um = number_in<double>(calibration, "um_per_pixel")) {
    const double um_s = *um * calibration.at("frame_rate").get<double>();
    row.mean_speed_um_s = times(row.mean_speed, um_s);
    row.median_speed_um_s = times(row.median_speed, um_s);
  }
  if (!flux.is_null()) row.flux = flux.at("per_minute").get<double>();
  row.background = background.at("used").get<std::string>();
  row.confidence = background.at("confidence").get<std::string>();
  row.uncertain = summary.at("uncertain").get<bool>();
  row.doubts = summary.at("doubts").get<std::vector<std::string>>();
  row.warnings = summary.at("warnings").get<std::vector<std::string>>();
  if (!row.adherent) row.adherent_note = *row.uncertain ? "uncertain" : "too short to judge";
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::string csv_cell(const std::string& text) { return csv_text(text); }
std::string csv_cell(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "";
}
std::string csv_cell(int value) { return fmt::format("{}", value); }
std::string csv_cell(bool value) { return value ? "1" : "0"; }
std::string csv_cell(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return csv_text(text);
}
template <class T>
std::string csv_cell(const std::optional<T>& value) {
  return value ? csv_cell(*value) : "";
}

std::string upper_case(std::string name) {
  for (char& letter : name)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}

std::string csv_of(const std::vector<FilmRow>& rows) {
  std::string text;
  const auto add_line = [&](const FilmRow& row, bool names) {
    std::string line;
    for_each_option(row, [&](const char* name, const auto& value, const Help&) {
      line += (line.empty() ? "" : ",") + (names ? upper_case(name) : csv_cell(value));
    });
    text += line + "\n";
  };
  add_line({}, true);
  for (const FilmRow& row : rows) add_line(row, false);
  return text;
}

std::string json_of(const std::vector<FilmRow>& rows) {
  Json json;
  json["units"] = {{"mean_speed, median_speed", "px/frame"},
                   {"mean_speed_um_s, median_speed_um_s", "um/s"},
                   {"flux", "cells per minute of film"},
                   {"seconds", "s"}};
  json["films"] = to_json(rows);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// A batch replaces its own tables, as it does its own results; but it makes no links.
bool may_replace(const std::string& folder, const std::string& path) {
  return is_regular_file(joined(folder, kManifestName)) && !is_link(path);
}

}  // namespace

std::vector<std::string> films_table_names() { return {kFilmsCsv, kFilmsJson}; }

FilmRow film_row(const BatchFile& file) {
  FilmRow row{.film = storable(name_in_folder(file.input)),
              .folder = storable(name_in_folder(file.output)),
              .state = file.state == "failed" ? "failed" : "ok",
              .seconds = file.seconds,
              .error = file.error};
  if (file.state == "failed") return row;  // a summary in the folder is that of an earlier film
  const std::string path = joined(file.output, kCellsSummaryName);
  try {
    take_summary(Json::parse(summary_text(path)), row);
  } catch (const Json::exception&) {
    row.error = path + ": it is not the summary of a film";
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    row.error = error.what();
  }
  return row;
}

std::string film_row_json(const FilmRow& row) { return json_text(row); }

void check_films_tables(const std::string& folder, bool force) {
  if (force) return;
  for (const std::string& name : films_table_names())
    if (const std::string path = joined(folder, name);
        (path_exists(path) || is_link(path)) && !may_replace(folder, path))
      throw exists_error(path);
}

std::vector<std::string> write_films_tables(const BatchResult& batch, bool force) {
  std::vector<FilmRow> rows;
  for (const BatchFile& file : batch.files) rows.push_back(film_row(file));
  const std::string texts[] = {csv_of(rows), json_of(rows)};
  std::vector<std::string> paths;
  OutputSet together;
  for (const std::string& name : films_table_names()) {
    const std::string& path = paths.emplace_back(joined(batch.folder, name));
    write_text(path, texts[paths.size() - 1], force || may_replace(batch.folder, path));
  }
  together.place();
  return paths;
}

}  // namespace tessera
