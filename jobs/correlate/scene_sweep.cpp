// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/scene_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

struct Axis {
  std::string option;
  std::vector<std::string> values;
};

[[noreturn]] void refuse_sweep(const std::string& why) {
  throw Error(ErrorKind::usage,
              "correlate: --sweep " + why +
                  "; give OPTION=VALUES, such as gradient-scale=1,2,texture-scale=3,6");
}

std::vector<std::string> names_of(const ScenePlanesOptions& options) {
  std::vector<std::string> names;
  for_each_option(options,
                  [&](const char* name, const auto&, const Help&) { names.emplace_back(name); });
  return names;
}

/// Words with '=' begin the values of an option.
std::vector<Axis> axes_of(const std::string& text) {
  std::vector<Axis> axes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) axes.push_back({word.substr(0, equals), {}});
    if (axes.empty()) refuse_sweep("'" + word + "' has no values");
    const std::string value = equals == std::string::npos ? word : word.substr(equals + 1);
    if (value.empty()) refuse_sweep("'" + axes.back().option + "' lacks a value");
    axes.back().values.push_back(value);
  }
  if (axes.empty() || text.ends_with(',')) refuse_sweep("'" + text + "' ends with nothing");
  return axes;
}

/// Sets an option, and returns its value as the tool writes it.
std::string set_option(ScenePlanesOptions& options, const Axis& axis, const std::string& value) {
  std::string written;
  for_each_option(options, [&](const char* name, auto& field, const Help&) {
    if (axis.option != name) return;
    from_text("--sweep " + axis.option, value, field);
    written = to_text(field);
  });
  return written;
}

}  // namespace

std::string SceneSweep::name_of(std::size_t setting) const {
  std::string name;
  for (std::size_t k = 0; k < options.size(); ++k)
    name +=
        fmt::format("{}{} {}", name.empty() ? "" : ", ", options[k], settings[setting].values[k]);
  return name;
}

SceneSweep parse_sweep(const std::string& text, const ScenePlanesOptions& usual) {
  SceneSweep sweep{{}, {{{}, usual}}};
  if (text.empty()) return sweep;
  const std::vector<std::string> known = names_of(usual);
  for (const Axis& axis : axes_of(text)) {
    if (std::ranges::count(known, axis.option) == 0) throw_unknown("--sweep", axis.option, known);
    if (std::ranges::count(sweep.options, axis.option) > 0)
      refuse_sweep("'" + axis.option + "' is given twice");
    sweep.options.push_back(axis.option);
    if (sweep.settings.size() * axis.values.size() > kMostSettings)
      refuse_sweep(fmt::format("has more than {} settings", kMostSettings));
    std::vector<SceneSetting> more;
    for (const SceneSetting& setting : sweep.settings)
      for (const std::string& value : axis.values) {
        SceneSetting one = setting;
        one.values.push_back(set_option(one.scene, axis, value));
        check_ranges("correlate", one.scene);
        if (std::ranges::count(more, one.values, &SceneSetting::values) > 0)
          refuse_sweep("'" + axis.option + "' has " + one.values.back() + " twice");
        more.push_back(std::move(one));
      }
    sweep.settings = std::move(more);
  }
  return sweep;
}

}  // namespace tessera
