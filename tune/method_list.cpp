// SPDX-License-Identifier: Apache-2.0
#include "tune/method_list.hpp"

#include <map>

namespace tessera {
namespace {

using ListNames = std::vector<std::string> (*)();

std::map<std::string, ListNames, std::less<>>& registered_names() {
  static std::map<std::string, ListNames, std::less<>> names;
  return names;
}

}  // namespace

RegisteredMethods::RegisteredMethods(const char* operation, ListNames names) {
  registered_names()[operation] = names;
}

std::vector<std::string> methods_of(std::string_view operation) {
  const auto found = registered_names().find(operation);
  return found == registered_names().end() ? std::vector<std::string>{} : found->second();
}

}  // namespace tessera
