// SPDX-License-Identifier: Apache-2.0
/// Operations that can be tuned: their tasks, the choices of `auto`, and the pictures of their
/// tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "tessera/options.hpp"
#include "tune/search.hpp"
#include "tune/table_pictures.hpp"

namespace tessera {

struct TuneRequest {
  Backend backend = Backend::cpu;
  int device = 0;
  Type type = Type::f32;
  bool full = false;          ///< every candidate at every size, not the likely ones
  std::string sizes = "all";  ///< as the operation writes them; "all" are its own
};

/// The name of what is tuned, as tables know it.
std::string machine_of(const TuneRequest& request);

/// The choice of `auto`, and all alternatives.
struct Choice {
  std::string chosen;
  std::vector<std::pair<std::string, std::function<Trial()>>> methods;
};

/// A choice to be checked, made when it is its turn.
struct ChoiceCase {
  std::string label;  ///< "9x9 any filter"
  std::function<Choice()> choose;
};

/// All of them throw Error(usage) for sizes that the operation does not know.
struct TunableOperation {
  std::string name;  ///< "convolve"
  std::vector<TuneTask> (*tasks)(const TuneRequest&);
  /// Null: `auto` asks no table.
  std::vector<ChoiceCase> (*choices)(const TuneRequest&);
  /// The kernels that the tasks of a GPU will compile, without a GPU.
  std::vector<KernelName> (*kernels)(const TuneRequest&);
  /// From the lines of one backend and type; if the backend is automatic, those of the table's
  /// first time. Throws Error(input) if there is no time in it.
  TablePictures (*pictures)(const std::vector<TuningLine>&, Backend, Type);
};

/// An operation registers itself while the program starts; returns true.
bool add_tunable(const TunableOperation& operation);
/// Throws Error(usage) listing the known ones.
const TunableOperation& find_tunable(const std::string& name);

}  // namespace tessera
