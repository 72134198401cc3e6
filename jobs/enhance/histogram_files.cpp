// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/histogram_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <optional>

#include "io/output.hpp"
#include "jobs/picture.hpp"
#include "report/histogram_plot.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string with_ending(const std::string& path, const char* ending) {
  return std::filesystem::path(path).replace_extension(ending).string();
}

bool is_picture(const std::string& path) {
  return path.ends_with(".svg") || path.ends_with(".png");
}

/// "red" for the first of three channels; "" for all colours, or the only channel.
std::string channel_name(const EnhanceFinding& finding, std::size_t channels) {
  constexpr const char* kNames[] = {"red", "green", "blue"};
  if (!finding.channel || channels < std::size(kNames)) return "";
  return kNames[*finding.channel];
}

std::string csv_of(const Histograms& histograms) {
  std::string text = "value";
  for (const EnhanceFinding& one : histograms.before) {
    const std::string name = channel_name(one, histograms.before.size());
    text += "," + (name.empty() ? "count" : name);
  }
  for (const EnhanceFinding& one : histograms.after) {
    const std::string name = channel_name(one, histograms.after.size());
    text += name.empty() ? ",result" : ",result_" + name;
  }
  text += "\n";
  for (std::size_t value = 0; value < histograms.before[0].counts.size(); ++value) {
    text += std::to_string(value);
    for (const auto* side : {&histograms.before, &histograms.after})
      for (const EnhanceFinding& one : *side) text += fmt::format(",{}", one.counts[value]);
    text += "\n";
  }
  return text;
}

/// Only images of integers have histograms.
std::optional<int> whole(std::optional<double> value) {
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

Json json_of(const std::vector<EnhanceFinding>& findings, bool with_range) {
  Json list = Json::array();
  for (const EnhanceFinding& one : findings) {
    Json entry{{"channel", to_json(one.channel)}};
    if (with_range) {
      entry["low"] = to_json(whole(one.low));
      entry["high"] = to_json(whole(one.high));
    }
    entry["counts"] = one.counts;
    list.push_back(std::move(entry));
  }
  return list;
}

std::string json_of(const Histograms& histograms) {
  const Json json{{"step", std::string(name_of(histograms.step))},
                  {"values", histograms.before[0].counts.size()},
                  {"before", json_of(histograms.before, true)},
                  {"after", json_of(histograms.after, false)}};
  return json.dump() + "\n";
}

std::vector<PlottedHistogram> plotted(const Histograms& histograms) {
  std::vector<PlottedHistogram> list;
  const std::vector<EnhanceFinding>& before = histograms.before;
  const bool pairs = histograms.after.size() == before.size();
  for (std::size_t i = 0; i < before.size(); ++i)
    list.push_back({channel_name(before[i], before.size()), before[i].counts,
                    pairs ? histograms.after[i].counts : std::vector<std::uint64_t>{},
                    whole(before[i].low), whole(before[i].high)});
  return list;
}

}  // namespace

Histograms histograms_of(const std::vector<EnhanceFinding>& found,
                         std::vector<EnhanceFinding> after) {
  Histograms histograms{EnhanceStep::histogram, {}, std::move(after)};
  for (const EnhanceFinding& one : found) {
    if (one.step == EnhanceStep::clahe || one.plane != 0) continue;
    if (histograms.before.empty()) histograms.step = one.step;
    // A step that occurs twice has its channels again.
    if (one.step != histograms.step ||
        (!histograms.before.empty() && one.channel <= histograms.before.back().channel))
      break;
    histograms.before.push_back(one);
  }
  return histograms;
}

std::vector<std::string> histogram_files(const std::string& path) {
  if (is_picture(path)) return {path, with_ending(path, ".tsv"), with_ending(path, ".gp")};
  if (path.ends_with(".csv") || path.ends_with(".json")) return {path};
  throw Error(ErrorKind::usage, fmt::format("enhance: --histogram {} is not a name for a "
                                            "histogram; end it with .csv, .json, .svg or .png",
                                            path));
}

std::string write_histograms(const std::string& path, const std::string& input,
                             const Histograms& histograms, bool force) {
  if (is_picture(path))
    return draw_picture(plot_histograms(fmt::format("{}: values before and after", input),
                                        plotted(histograms), picture_format(path)),
                        path, force)
        .note;
  write_text(path, path.ends_with(".csv") ? csv_of(histograms) : json_of(histograms), force);
  return "";
}

}  // namespace tessera
