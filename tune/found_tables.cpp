// SPDX-License-Identifier: Apache-2.0
// Where tables are found: shipped ones are embedded in the library (tuning/*.tsv), the user's lie
// in the cache folder. A table that cannot be read is ignored, and `tessera info` says why.
#include <fstream>
#include <sstream>

#include "core/embedded.hpp"
#include "core/folder.hpp"
#include "core/kernel.hpp"
#include "tessera/error.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

struct Tables {
  std::vector<TuningLine> user, shipped;
  std::vector<FoundTable> found;
};

void add_table(Tables& tables, std::vector<TuningLine>& to, const std::string& name,
               std::string_view text) {
  FoundTable found{name, 0, ""};
  try {
    const auto lines = parse_table(text, name);
    found.lines = static_cast<int>(lines.size());
    to.insert(to.end(), lines.begin(), lines.end());
  } catch (const Error& error) {
    found.problem = error.what();
  }
  tables.found.push_back(found);
}

Tables load_tables() {
  Tables tables;
  const std::string cache = cache_folder(), folder = cache + "/tuning";
  for (const std::string& name : cache.empty() ? std::vector<std::string>{} : names_in(folder)) {
    if (!name.ends_with(".tsv")) continue;
    std::ostringstream text;
    text << std::ifstream(joined(folder, name)).rdbuf();
    add_table(tables, tables.user, joined(folder, name), text.str());
  }
  for (const EmbeddedText& text : embedded_tuning_tables())
    add_table(tables, tables.shipped, std::string(text.name) + " (shipped)", text.text);
  return tables;
}

const Tables& tables() {
  static const Tables all = load_tables();
  return all;
}

}  // namespace

const std::vector<FoundTable>& found_tables() { return tables().found; }

Knobs find_knobs(const std::string& site, const ProblemKey& problem, const std::string& machine) {
  Knobs knobs = find_in(tables().user, machine, site, problem);
  return knobs.empty() ? find_in(tables().shipped, machine, site, problem) : knobs;
}

}  // namespace tessera
