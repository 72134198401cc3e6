// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/part_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/counted.hpp"
#include "core/isa.hpp"
#include "core/ranks.hpp"
#include "jobs/batch_manifest.hpp"
#include "jobs/shell_word.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::string PartResult::describe() const {
  return fmt::format("{}{}{}: {} of part {} of {}, {:.3g} s; tessera join {} makes the outputs",
                     ran, ran.empty() ? "" : "\n", folder, counted(units, "unit"), part, parts,
                     seconds, shell_word(output));
}

PartRecord new_record(const PartOfRun& part, const std::string& output,
                      const std::vector<std::string>& words) {
  PartRecord record;
  record.folder = std::filesystem::current_path().string();
  const auto is_kept = [](const std::string& word) { return storable(word) == word; };
  if (!std::ranges::all_of(words, is_kept) || !is_kept(record.folder))
    throw Error(ErrorKind::usage, "--part: names that are not UTF-8 cannot be kept; rename them");
  record.version = TESSERA_VERSION;
  record.part = part;
  record.words = words;
  record.output = output;
  record.inputs = inputs_in(words, output);
  record.isa = current_isa();
  record.host = host_name();
  return record;
}

}  // namespace tessera
