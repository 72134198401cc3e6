// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_description.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

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
  info.frame = frame == "date" ? SkyFrame::date : SkyFrame::icrs;
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
  if (members.find("length")) info.length = members.count("length");
  if (const auto scale = members.real("scale")) info.scale = *scale;
  read_times(members, info);
  read_frequency(members, info);
  read_antennas(members, info);
  info.telescope = members.text("telescope");
  info.source = members.text("source");
  read_place(members, info);
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

std::string voltage_description_text(const VoltageInfo& info) {
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
  if (info.frame == SkyFrame::date) json["frame"] = "date";
  add("tracked", info.tracked);
  if (!info.antenna_names.empty()) json["antenna_names"] = info.antenna_names;
  if (!info.antenna_positions.empty()) json["antenna_positions"] = info.antenna_positions;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
