// SPDX-License-Identifier: Apache-2.0
#include "tune/operations.hpp"

#include "core/machine.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<TunableOperation>& operations() {
  static std::vector<TunableOperation> list;
  return list;
}

}  // namespace

std::string machine_of(const TuneRequest& request) {
  if (request.backend == Backend::cpu) return cpu_table_name();
  return table_name(this_machine().devices.at(static_cast<std::size_t>(request.device)).name);
}

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
