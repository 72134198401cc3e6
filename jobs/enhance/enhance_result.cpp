// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/enhance_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/result.hpp"

namespace tessera {

void to_json(Json& json, const EnhanceValue& value) {
  if (value.whole)
    json = static_cast<int>(value.value);
  else
    json = value.value;
}

std::optional<EnhanceValue> value_in(Type type, std::optional<double> value) {
  if (!value) return {};
  return EnhanceValue{*value, is_integer(type)};
}

void EnhanceResult::add(Type type, const std::vector<EnhanceFinding>& findings) {
  for (const EnhanceFinding& one : findings)
    found.push_back(
        {one.step, one.plane, one.channel, value_in(type, one.low), value_in(type, one.high)});
  const auto contrast = std::ranges::find(found, EnhanceStep::contrast, &EnhanceRange::step);
  if (contrast == found.end()) return;
  low = contrast->low;
  high = contrast->high;
}

std::string EnhanceResult::describe() const {
  std::string text = describe_run();
  const auto contrasts = std::ranges::count(found, EnhanceStep::contrast, &EnhanceRange::step);
  if (low && high)
    text += fmt::format("\ncontrast: {} became black, {} white", low->value, high->value);
  else if (contrasts > 0)
    text += "\ncontrast: nothing to stretch";
  if (contrasts > 1) text += fmt::format(" (the first of {})", contrasts);
  for (const std::string& file : {histogram, before_after})
    if (!file.empty()) text += "\n" + file;
  return text + notes_text(notes);
}

}  // namespace tessera
