// SPDX-License-Identifier: Apache-2.0
/// The inverse of json_text: a result read back from the file it was written to.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// The file's JSON. Throws Error(input) if it is missing, too large for a result, or not JSON.
Json read_json(const std::string& path);

/// The error for a value of the file.
[[noreturn]] inline void throw_no_result(const std::string& where, const std::string& wanted) {
  throw Error(ErrorKind::input, fmt::format("{} is not {}", where, wanted));
}

template <class T>
void read_value(const std::string& where, const Json& json, T& value);

inline void read_value(const std::string& where, const Json& json, std::string& value) {
  if (!json.is_string()) throw_no_result(where, "a text");
  value = json.get<std::string>();
}
inline void read_value(const std::string& where, const Json& json, bool& value) {
  if (!json.is_boolean()) throw_no_result(where, "true or false");
  value = json.get<bool>();
}
inline void read_value(const std::string& where, const Json& json, int& value) {
  if (!json.is_number_integer()) throw_no_result(where, "a whole number");
  value = json.get<int>();
}
inline void read_value(const std::string& where, const Json& json, double& value) {
  if (!json.is_number() || !std::isfinite(json.get<double>())) throw_no_result(where, "a number");
  value = json.get<double>();
}

template <class T>
void read_value(const std::string& where, const Json& json, std::vector<T>& values) {
  if (!json.is_array()) throw_no_result(where, "a list");
  values.clear();
  for (std::size_t k = 0; k < json.size(); ++k)
    read_value(fmt::format("{}[{}]", where, k), json[k], values.emplace_back());
}

template <class T>
void read_value(const std::string& where, const Json& json, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) read_value(where, json, value.emplace());
}

/// All fields of a struct must be present; other members are ignored.
template <class T>
void read_value(const std::string& where, const Json& json, T& value) {
  if (!json.is_object()) throw_no_result(where, "an object");
  for_each_option(value, [&](const char* name, auto& member, const Help&) {
    const auto found = json.find(name);
    if (found == json.end())
      throw Error(ErrorKind::input, fmt::format("{} has no \"{}\"", where, name));
    read_value(fmt::format("{}.{}", where, name), *found, member);
  });
}

}  // namespace tessera
