// SPDX-License-Identifier: Apache-2.0
/// Results declare their fields like options (include/tessera/options.hpp); this turns them into
/// JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

/// Keys in the order they are declared, so that people can read it too.
using Json = nlohmann::ordered_json;

template <class T>
concept HasFields = requires {
  T::fields();
};

template <class T>
Json to_json(const T& value);

template <class T>
Json to_json(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

template <class T>
Json to_json(const std::optional<T>& value) {
  return value ? to_json(*value) : Json(nullptr);
}

template <class T>
Json to_json(const T& value) {
  if constexpr (HasFields<T>) {
    Json object = Json::object();
    for_each_option(value, [&](const char* name, const auto& member, const Help&) {
      object[name] = to_json(member);
    });
    return object;
  } else if constexpr (Named<T>) {
    return std::string(name_of(value));
  } else {
    return value;
  }
}

/// Indents are two spaces; bytes that are not UTF-8 (in file names) become replacement characters.
template <class T>
std::string json_text(const T& value) {
  return to_json(value).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera
