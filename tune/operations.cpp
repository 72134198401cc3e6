// SPDX-License-Identifier: Apache-2.0
#include "tune/operations.hpp"

#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<TunableOperation>& operations() {
  static std::vector<TunableOperation> list;
  return list;
}

}  // namespace

bool add_tunable(const TunableOperation& operation) {
  operations().push_back(operation);
  return true;
}

const TunableOperation& find_tunable(const std::string& name) {
  std::vector<std::string> known;
  for (const TunableOperation& operation : operations()) {
    if (operation.name == name) return operation;
    known.push_back(operation.name);
  }
  throw_unknown("op", name, known);
}

}  // namespace tessera
