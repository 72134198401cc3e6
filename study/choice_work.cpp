// SPDX-License-Identifier: Apache-2.0
#include "study/choice_work.hpp"

namespace tessera {
namespace {

std::vector<ChoiceEntry>& all_choice_entries() {
  static std::vector<ChoiceEntry> all;
  return all;
}

}  // namespace

const std::vector<ChoiceEntry>& choice_entries() { return all_choice_entries(); }

bool add_choice_work(const ChoiceEntry& entry) {
  all_choice_entries().push_back(entry);
  return true;
}

std::vector<ChoiceWork> choice_grid(const std::string& operation) {
  constexpr int kSides[] = {512, 2048, 8192};
  std::vector<ChoiceWork> grid;
  std::vector<std::string> known{"all"};
  for (const ChoiceEntry& entry : choice_entries()) known.push_back(entry.operation);
  for (const int side : kSides)
    for (const ChoiceEntry& entry : choice_entries())
      if (operation == "all" || operation == entry.operation)
        for (ChoiceWork& work : entry.make(side)) grid.push_back(std::move(work));
  if (grid.empty()) throw_unknown("tune: op", operation, known);
  return grid;
}

}  // namespace tessera
