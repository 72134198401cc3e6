// SPDX-License-Identifier: Apache-2.0
#include "cli/command_methods.hpp"

#include <array>
#include <utility>
#include <vector>

#include "tune/method_list.hpp"

namespace tessera {
namespace {

/// Commands that run an operation of another name.
constexpr std::array<std::pair<const char*, const char*>, 10> kOperations{
    {{"erode", "morphology"},
     {"dilate", "morphology"},
     {"opening", "morphology"},
     {"closing", "morphology"},
     {"white-tophat", "morphology"},
     {"black-tophat", "morphology"},
     {"gradient", "morphology"},
     {"median", "rank"},
     {"beam", "convolve"},
     {"faraday catalogue", "faraday synth"}}};

std::vector<std::string> methods_of_command(const std::string& command) {
  for (const auto& [name, operation] : kOperations)
    if (command == name) return methods_of(operation);
  std::vector<std::string> methods = methods_of(command);
  return methods.empty() ? methods_of(command.substr(0, command.find(' '))) : methods;
}

}  // namespace

std::string method_hint(const std::string& command) {
  std::string hint;
  for (const std::string& method : methods_of_command(command)) hint += "|" + method;
  return hint.empty() ? "" : "auto" + hint;
}

}  // namespace tessera
