// SPDX-License-Identifier: Apache-2.0
/// Shared by the commands that search films for cells.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/command.hpp"
#include "tessera/cells_options.hpp"

namespace tessera {

inline constexpr const char* kFilmHelp =
    "a video, a stack of TIFF pages or NPY planes, a folder or pattern of pictures";

/// Names of the options that were given.
using Given = std::shared_ptr<std::vector<std::string>>;

/// The options of cells, noting which are given: the classic model knows few of them.
template <class Takes>
Given add_cells_options(Command& command, CellsOptions& options, Takes takes) {
  auto given = std::make_shared<std::vector<std::string>>();
  for_each_option(options, [&](const char* name, auto& value, const Help& help) {
    if (!takes(name)) return;
    using Value = std::remove_reference_t<decltype(value)>;
    if (command.device_option(name, value)) return;
    command.option(name, value_hint<Value>(), to_text(value), help,
                   [name, &value, given](const std::string& text) {
                     from_text(std::string("--") + name, text, value);
                     given->emplace_back(name);
                   });
  });
  return given;
}

/// A bool takes a value, unlike a flag: some are yes by default.
template <class T>
void add_film_option(Command& command, const char* name, T& value, const Help& help) {
  if constexpr (std::is_same_v<T, bool>)
    command.option(name, value_hint<bool>(), to_text(value), help,
                   [name, &value](const std::string& text) {
                     from_text(std::string("--") + name, text, value);
                   });
  else
    command.option(name, value, help);
}

}  // namespace tessera
