// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_description.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

/// Members of the description, each read by name so that others can be refused.
class Members {
 public:
  Members(const std::string& name, const Json& json) : name_(name), json_(json) {}

  [[noreturn]] void fail(const char* key, const std::string& must) const {
    throw voltage_error(name_, "\"{}\" is {}; it must be {}", key, json_.at(key).dump(), must);
  }
  const Json* find(const char* key) {
    known_.emplace_back(key);
    const auto at = json_.find(key);
    return at == json_.end() || at->is_null() ? nullptr : &*at;
  }
  long long count(const char* key, std::optional<long long> otherwise = {}) {
    const Json* const value = find(key);
    if (!value && otherwise) return *otherwise;
    if (!value) throw voltage_error(name_, "it has no \"{}\"", key);
    if (!value->is_number_integer() || value->get<double>() < 1 || value->get<double>() > 9e15)
      fail(key, "a whole number from 1");
    return value->get<long long>();
  }
  std::optional<double> real(const char* key) {
    const Json* const value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_number()) fail(key, "a number");
    return value->get<double>();
  }
  std::string text(const char* key, const std::string& otherwise = "") {
    const Json* const value = find(key);
    if (!value) return otherwise;
    if (!value->is_string()) fail(key, "a text");
    return value->get<std::string>();
  }
  bool flag(const char* key) {
    const Json* const value = find(key);
    if (value && !value->is_boolean()) fail(key, "true or false");
    return value && value->get<bool>();
  }
  void refuse_others() const {
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(known_, key) == known_.end())
        throw voltage_error(name_, "\"{}\" is not known; there are {}", key,
                            fmt::join(known_, ", "));
  }

 private:
  const std::string& name_;
  const Json& json_;
  std::vector<std::string> known_;
};

std::vector<double> numbers(Members& members, const char* key, const Json& list) {
  std::vector<double> values;
  for (const Json& value : list) {
    if (!value.is_number()) members.fail(key, "a list of numbers");
    values.push_back(value.get<double>());
  }
  return values;
}

void read_frequency(Members& members, VoltageInfo& info) {
  const Json* const given = members.find("frequency");
  if (!given) return;
  const auto channels = static_cast<std::size_t>(info.shape.channels);
  const std::string must =
      fmt::format("a list of {} numbers in hertz, or {{\"first\": ..., \"step\": ...}}", channels);
  if (given->is_array()) {
    info.frequency = numbers(members, "frequency", *given);
    if (info.frequency.size() != channels) members.fail("frequency", must);
    if (channels > 1) info.channel_width = std::abs(info.frequency[1] - info.frequency[0]);
    return;
  }
  if (!given->is_object() || !given->contains("first") || !given->at("first").is_number() ||
      !given->contains("step") || !given->at("step").is_number())
    members.fail("frequency", must);
  const double first = given->at("first").get<double>(), step = given->at("step").get<double>();
  for (std::size_t c = 0; c < channels; ++c)
    info.frequency.push_back(first + step * static_cast<double>(c));
  if (step != 0) info.channel_width = std::abs(step);
}

void read_antennas(Members& members, VoltageInfo& info) {
  const auto antennas = static_cast<std::size_t>(info.shape.antennas);
  const Json* const names = members.find("antenna_names");
  const Json* const places = members.find("antenna_positions");
  if (names) {
    const std::string must = fmt::format("a list of {} texts", antennas);
    if (!names->is_array() || names->size() != antennas) members.fail("antenna_names", must);
    for (const Json& name : *names) {
      if (!name.is_string()) members.fail("antenna_names", must);
      info.antenna_names.push_back(name.get<std::string>());
    }
  }
  if (!places) return;
  const std::string must = fmt::format("a list of {} [x, y, z] in metres", antennas);
  if (!places->is_array() || places->size() != antennas) members.fail("antenna_positions", must);
  for (const Json& place : *places) {
    if (!place.is_array() || place.size() != 3) members.fail("antenna_positions", must);
    const std::vector<double> xyz = numbers(members, "antenna_positions", place);
    info.antenna_positions.push_back({xyz[0], xyz[1], xyz[2]});
  }
}

/// J2000 and ICRS are the same here.
void read_place(Members& members, VoltageInfo& info) {
  info.right_ascension = members.real("right_ascension");
  info.declination = members.real("declination");
  const std::string frame = members.text("frame", "icrs");
  if (frame != "icrs" && frame != "j2000" && frame != "date")
    members.fail("frame", "icrs, j2000 or date");
  info.frame = frame == "date" ? RecordedFrame::date : RecordedFrame::icrs;
  if (members.find("tracked")) info.tracked = members.flag("tracked");
}

void read_times(Members& members, VoltageInfo& info) {
  info.sample_rate = members.real("sample_rate");
  if (info.sample_rate && !(*info.sample_rate > 0)) members.fail("sample_rate", "positive, in Hz");
  const auto start = members.real("start"), second = members.real("start_second");
  if (start && !(*start >= 0 && *start < 1e7)) members.fail("start", "an MJD");
  if (!start) return;
  const double day = std::floor(*start);
  info.set_start(static_cast<long long>(day), second.value_or(86400 * (*start - day)));
}

std::vector<MissingSamples> read_missing(Members& members, const XEngineShape& shape) {
  std::vector<MissingSamples> missing;
  const Json* const given = members.find("missing");
  if (!given) return missing;
  const auto fail = [&] {
    members.fail("missing", fmt::format("a list of [first, count] or [first, count, [inputs]], one "
                                        "after the other, with inputs from 0 to {}",
                                        shape.inputs() - 1));
  };
  const auto whole = [](const Json& value) {
    return value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() <= 9e15;
  };
  if (!given->is_array()) fail();
  for (const Json& run : *given) {
    if (!run.is_array() || run.size() < 2 || run.size() > 3 || !whole(run[0]) || !whole(run[1]))
      fail();
    MissingSamples one{run[0].get<long long>(), run[1].get<long long>(), {}};
    const long long before = missing.empty() ? 0 : missing.back().first + missing.back().count;
    if (one.count < 1 || one.first < before) fail();
    if (run.size() == 3) {
      if (!run[2].is_array() || run[2].empty()) fail();
      for (const Json& input : run[2]) {
        if (!whole(input) || input.get<long long>() >= shape.inputs()) fail();
        one.inputs.push_back(input.get<int>());
      }
    }
    missing.push_back(std::move(one));
  }
  return missing;
}

void read_band(Members& members, VoltageInfo& info) {
  const std::string sideband = members.text("sideband", "upper");
  if (sideband != "upper" && sideband != "lower") members.fail("sideband", "upper or lower");
  info.lower_sideband = sideband == "lower";
  const Json* const bank = members.find("filter_bank");
  if (bank && !bank->is_object()) members.fail("filter_bank", "an object");
  if (bank) info.filter_bank = bank->dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Real samples become two's complement when they are read.
void read_real(Members& members, VoltageDescription& described) {
  VoltageInfo& info = described.info;
  info.real = members.flag("real");
  if (!info.real) return;
  if (info.samples == SampleType::ci4 || described.order.axes.find('C') != std::string::npos)
    members.fail("real", "false for ci4 and for dp4a");
  described.order.real = true;
  described.order.offset_binary = std::exchange(info.offset_binary, false);
  info.bits = 4 * bytes_of(info.samples);
}

void read_samples(const std::string& name, Members& members, VoltageDescription& described) {
  const std::string type = members.text("samples", "ci8"), layout = members.text("layout", "tci");
  try {
    from_text("samples", type, described.order.type);
  } catch (const Error&) {
    members.fail("samples", "ci8, ci4, ci16, cf16 or cf32");
  }
  described.info.samples = described.order.type;
  described.order.shape = described.info.shape;
  if (!find_named_order(layout, described.order))
    throw voltage_error(
        name,
        "\"layout\" is \"{}\" of {}; it must be tci, cti, cit, act, tcc, or dp4a of "
        "ci8",
        layout, type);
}

}  // namespace

VoltageDescription parse_voltage_description(const std::string& name, const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw voltage_error(name,
                        "it is not a JSON object that describes a recording: {{\"antennas\": "
                        "..., \"channels\": ..., ...}}");
  Members members(name, json);
  VoltageDescription described;
  VoltageInfo& info = described.info;
  const long long antennas = members.count("antennas"),
                  polarisations = members.count("polarisations"),
                  channels = members.count("channels");
  info.shape = checked_shape(name, {antennas, polarisations, channels});
  read_samples(name, members, described);
  info.offset_binary = members.flag("offset_binary");
  info.real_low = members.flag("real_low");
  read_real(members, described);
  if (members.find("length")) info.length = members.count("length");
  if (const auto scale = members.real("scale")) info.scale = *scale;
  read_times(members, info);
  read_frequency(members, info);
  read_antennas(members, info);
  info.telescope = members.text("telescope");
  info.source = members.text("source");
  read_place(members, info);
  read_band(members, info);
  described.missing = read_missing(members, info.shape);
  members.refuse_others();
  return described;
}

bool has_voltage_description(const std::string& path, const VoltageOptions& options) {
  return !options.description.empty() || ::access((path + ".json").c_str(), F_OK) == 0;
}

VoltageDescription read_voltage_description(const std::string& path,
                                            const VoltageOptions& options) {
  const std::string name = options.description.empty() ? path + ".json" : options.description;
  if (!has_voltage_description(path, options))
    throw voltage_error(path, "it does not say what it holds, and there is no {} to describe it",
                        name);
  const File file = File::open_to_read(name);
  constexpr long long kMostBytes = 1 << 26;
  if (file.bytes() > kMostBytes)
    throw voltage_error(name, "it has {} bytes; a description has at most {}", file.bytes(),
                        kMostBytes);
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  text.resize(static_cast<std::size_t>(
      file.read_some(0, text.data(), static_cast<long long>(text.size()))));
  return parse_voltage_description(name, text);
}

std::string voltage_description_text(const VoltageInfo& info,
                                     const std::vector<MissingSamples>& missing) {
  Json json{{"antennas", info.shape.antennas},
            {"polarisations", info.shape.polarisations},
            {"channels", info.shape.channels},
            {"samples", std::string(name_of(info.samples))},
            {"layout", "tci"},
            {"offset_binary", info.offset_binary},
            {"real_low", info.real_low}};
  const auto add = [&](const char* key, const auto& value) {
    if (value) json[key] = *value;
  };
  if (info.real) json["real"] = true;
  if (info.lower_sideband) json["sideband"] = "lower";
  if (info.scale != 1) json["scale"] = info.scale;
  add("sample_rate", info.sample_rate);
  if (!info.frequency.empty()) json["frequency"] = info.frequency;
  if (info.start) {
    json["start"] = info.start_day;
    json["start_second"] = info.start_second;
  }
  if (!info.telescope.empty()) json["telescope"] = info.telescope;
  if (!info.source.empty()) json["source"] = info.source;
  add("right_ascension", info.right_ascension);
  add("declination", info.declination);
  if (info.frame == RecordedFrame::date) json["frame"] = "date";
  add("tracked", info.tracked);
  if (!info.antenna_names.empty()) json["antenna_names"] = info.antenna_names;
  if (!info.antenna_positions.empty()) json["antenna_positions"] = info.antenna_positions;
  if (!info.filter_bank.empty()) json["filter_bank"] = Json::parse(info.filter_bank);
  if (missing.empty()) return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  Json runs = Json::array();
  for (const MissingSamples& run : missing) {
    Json one{run.first, run.count};
    if (!run.inputs.empty()) one.push_back(run.inputs);
    runs.push_back(std::move(one));
  }
  json["missing"] = std::move(runs);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
