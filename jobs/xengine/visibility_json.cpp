// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/visibility_json.hpp"

#include "core/folder.hpp"
#include "jobs/history.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

bool is_float(VisibilityType type) {
  return type == VisibilityType::f32 || type == VisibilityType::f64;
}

bool has_parts_axis(const VisibilityInfo& info) {
  return !is_float(info.type) && info.order != VisibilityOrder::register_tile;
}

/// A channel's values.
std::vector<long long> value_shape(const XEngineDescription& d) {
  switch (d.output.order) {
    case VisibilityOrder::full:
      return {d.shape.inputs(), d.shape.inputs()};
    case VisibilityOrder::register_tile:
      return {d.output.values};
    default:
      return {d.shape.baselines(), d.shape.polarisations, d.shape.polarisations};
  }
}

std::vector<std::string> value_axes(VisibilityOrder order) {
  switch (order) {
    case VisibilityOrder::full:
      return {"input_i", "input_j"};
    case VisibilityOrder::register_tile:
      return {"value"};
    default:
      return {"baseline", "polarisation_a", "polarisation_b"};
  }
}

Json pairs_of(const XEngineDescription& d) {
  Json pairs = Json::array();
  if (d.output.order != VisibilityOrder::triangular) return pairs;
  for (int a = 0; a < d.shape.antennas; ++a)
    for (int b = 0; b <= a; ++b) pairs.push_back({a, b});
  return pairs;
}

Json antennas_of(const AntennaList& list) {
  Json antennas = Json::array();
  for (const UvfitsAntenna& antenna : list.antennas) {
    Json one{{"name", antenna.name}};
    if (list.placed) one["itrf_m"] = antenna.position;
    antennas.push_back(one);
  }
  return antennas;
}

void add_times(Json& json, const XEngineDescription& d,
               const std::vector<XEngineIntegration>& integrations) {
  Json samples = Json::array(), middles = Json::array(), seconds = Json::array();
  const auto rate = d.recording.sample_rate;
  for (const XEngineIntegration& integration : integrations) {
    const auto count = static_cast<double>(integration.dump.samples);
    samples.push_back(integration.dump.samples);
    middles.push_back(
        to_json(d.time_of(static_cast<double>(integration.first_sample) + count / 2)));
    if (rate) seconds.push_back(count / *rate);
  }
  json["samples"] = samples;
  json["integration_s"] = rate ? seconds : Json(nullptr);
  json["middle_mjd_utc"] = d.recording.start && rate ? middles : Json(nullptr);
}

void add_recording(Json& json, const XEngineJob& job, const XEngineDescription& d) {
  const VoltageInfo& r = d.recording;
  json["recording"] = {{"files", job.inputs},
                       {"format", r.format},
                       {"samples", std::string(name_of(r.samples))},
                       {"scale", r.scale},
                       {"offset", r.offset},
                       {"sample_rate_hz", to_json(r.sample_rate)},
                       {"start_mjd_utc", to_json(r.start)},
                       {"telescope", r.telescope},
                       {"source", r.source},
                       {"right_ascension_deg", to_json(r.right_ascension)},
                       {"declination_deg", to_json(r.declination)},
                       {"frame", r.frame == RecordedFrame::date ? "of date" : "ICRS (J2000)"},
                       {"tracked", to_json(r.tracked)}};
  if (!r.filter_bank.empty()) json["recording"]["filter_bank"] = Json::parse(r.filter_bank);
}

}  // namespace

std::vector<std::string> visibility_axes(const VisibilityInfo& info) {
  std::vector<std::string> axes{"time"};
  if (info.order == VisibilityOrder::register_tile) axes.emplace_back("part");
  axes.emplace_back("channel");
  for (std::string& name : value_axes(info.order)) axes.push_back(std::move(name));
  if (has_parts_axis(info)) axes.emplace_back("part");
  return axes;
}

ArrayItems visibility_items(const XEngineDescription& d) {
  const VisibilityInfo& info = d.output;
  ArrayItems items{is_float(info.type) ? 'f' : 'i', bytes_of(info.type), {}};
  if (info.order == VisibilityOrder::register_tile) items.shape.push_back(2);
  items.shape.push_back(info.channels);
  for (const long long axis : value_shape(d)) items.shape.push_back(axis);
  if (has_parts_axis(info)) items.shape.push_back(2);
  if (is_float(info.type) && info.order != VisibilityOrder::register_tile) {
    items.kind = 'c';
    items.bytes *= 2;
  }
  return items;
}

ArrayItems weight_items(const XEngineDescription& d) { return {'i', 8, value_shape(d)}; }

std::string visibility_json(const XEngineJob& job, const XEngineDescription& d,
                            const std::vector<XEngineIntegration>& integrations,
                            const std::string& weights_file) {
  const ArrayItems items = visibility_items(d);
  std::vector<long long> shape = items.shape;
  shape.insert(shape.begin(), std::ssize(integrations));
  long long saturated = 0;
  for (const XEngineIntegration& integration : integrations)
    saturated += integration.dump.saturated;
  Json json{{"file", name_in_folder(job.output)},
            {"definition", "V = sum over t of A_i conj(A_j); of a baseline [a, b], i is of a"},
            {"values", "sums"},
            {"sums_are_of", weights_file.empty()
                                ? "samples times channels_averaged products each; divide by that "
                                  "number for means"
                                : "as many products as weights_file says; divide by its numbers "
                                  "for means"},
            {"dtype", items.descr()},
            {"shape", shape},
            {"axes", visibility_axes(d.output)},
            {"order", std::string(name_of(d.output.order))},
            {"phase_centre", d.centre.text()},
            {"antennas", antennas_of(d.antennas)},
            {"polarisations", d.shape.polarisations},
            {"baselines", pairs_of(d)},
            {"frequency_hz", d.frequency.empty() ? Json(nullptr) : Json(d.frequency)},
            {"channel_width_hz", to_json(d.channel_width)},
            {"channels_averaged", d.average}};
  add_times(json, d, integrations);
  json["weights_file"] = weights_file.empty() ? Json(nullptr) : Json(weights_file);
  json["saturated"] = saturated;
  add_recording(json, job, d);
  json["ran"] = without_device(d.ran);
  json["version"] = "tessera " TESSERA_VERSION;
  json["command"] = job.command;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
