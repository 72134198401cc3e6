// SPDX-License-Identifier: Apache-2.0
/// The methods of every operation by name, for help and completion: operations register theirs
/// while the program starts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The names of a methods table; one that CPU and GPU have appears once.
template <class Methods>
std::vector<std::string> names_of_methods(const Methods& methods) {
  std::vector<std::string> names;
  for (const auto& method : methods) {
    bool known = false;
    for (const std::string& name : names) known = known || name == method.name;
    if (!known) names.emplace_back(method.name);
  }
  return names;
}

/// A static object of it stands next to every methods table.
class RegisteredMethods {
 public:
  RegisteredMethods(const char* operation, std::vector<std::string> (*names)());
};

/// The methods of an operation; none if no operation of that name is linked.
std::vector<std::string> methods_of(std::string_view operation);

}  // namespace tessera
