// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/found_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "core/counted.hpp"
#include "core/folder.hpp"
#include "jobs/shell_word.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// "…3-of-40" after ".part-"; none for other names.
std::optional<PartOfRun> part_in_name(const std::string& ending) {
  PartOfRun part;
  const char* const end = ending.data() + ending.size();
  const auto [after, error] = std::from_chars(ending.data(), end, part.part);
  constexpr std::string_view kOf = "-of-";
  if (error != std::errc() || !std::string_view(after, end).starts_with(kOf)) return std::nullopt;
  const auto [stop, wrong] = std::from_chars(after + kOf.size(), end, part.parts);
  const bool whole = wrong == std::errc() && stop == end;
  return whole && part.part >= 1 && part.part <= part.parts ? std::optional(part) : std::nullopt;
}

/// By the number of parts of their runs: the parts that are there.
std::map<int, std::vector<int>> parts_near(const std::string& output) {
  std::map<int, std::vector<int>> runs;
  const std::string all = part_folder(output, {});
  const std::string prefix = name_in_folder(all.substr(0, all.rfind("1-of-")));
  for (const std::string& name : names_in(folder_of(all)))
    if (name.starts_with(prefix))
      if (const auto part = part_in_name(name.substr(prefix.size())))
        runs[part->parts].push_back(part->part);
  return runs;
}

std::string numbers_text(const std::vector<int>& numbers) {
  constexpr std::size_t kMostNamed = 10;
  const std::vector<int> named(
      numbers.begin(), numbers.begin() + static_cast<long>(std::min(kMostNamed, numbers.size())));
  if (named.size() < numbers.size())
    return fmt::format("{} and {} more", fmt::join(named, ", "), numbers.size() - named.size());
  return fmt::format("{}", fmt::join(named, ", "));
}

int number_of_parts(const std::string& output) {
  const std::map<int, std::vector<int>> runs = parts_near(output);
  if (runs.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: it has no parts, such as {}; make them with --part", output,
                            part_folder(output, {1, 2})));
  if (runs.size() > 1)
    throw Error(ErrorKind::input,
                fmt::format("{}: there are parts of {} and parts of {}; remove those of one run",
                            output, runs.begin()->first, std::next(runs.begin())->first));
  const auto& [parts, there] = *runs.begin();
  std::vector<int> missing;
  for (int part = 1; part <= parts; ++part)
    if (std::ranges::count(there, part) == 0) missing.push_back(part);
  if (!missing.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: {} of {} missing: {}; make {} with --part {}/{}", output,
                            counted(std::ssize(missing), "part"),
                            fmt::format("{} {}", parts, missing.size() == 1 ? "is" : "are"),
                            numbers_text(missing), missing.size() == 1 ? "it" : "them",
                            missing.front(), parts));
  return parts;
}

/// As parts are compared: --force does not change what they are.
std::string command_of(const PartRecord& record) {
  std::string line = "tessera";
  for (const std::string& word : record.words)
    if (word != "--force") line += " " + shell_word(word);
  return line;
}

/// A file that was not there has no bytes.
PartInput input_at(const PartRecord& record, std::size_t i) {
  return i < record.inputs.size() ? record.inputs[i] : PartInput{};
}

void check_alike(const std::string& folder, const PartRecord& record, const PartRecord& first) {
  const auto differ = [&](const char* what, const std::string& one, const std::string& other) {
    if (one == other) return;
    throw Error(
        ErrorKind::input,
        fmt::format("{}: it was made by {} '{}', and part 1 by '{}'; make one of them again",
                    folder, what, one, other));
  };
  differ("version", record.version, first.version);
  differ("the command", command_of(record), command_of(first));
  for (std::size_t i = 0; i < std::max(record.inputs.size(), first.inputs.size()); ++i)
    if (const PartInput seen = input_at(record, i), other = input_at(first, i); seen != other)
      throw Error(
          ErrorKind::input,
          fmt::format("{}: it was made of another {} than part 1 ({}; {}); make one of them "
                      "again",
                      folder, seen.name.empty() ? other.name : seen.name, seen.text(),
                      other.text()));
}

std::string same_name(const std::string& folder, const std::string& output) {
  std::string name = (fs::path(folder) / output).lexically_normal().string();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(fs::path(name).parent_path(), ignored);
  return (real / fs::path(name).filename()).string();
}

}  // namespace

FoundParts find_parts(const std::string& output) {
  const int parts = number_of_parts(output);
  FoundParts found;
  for (int part = 1; part <= parts; ++part) {
    const std::string folder = fs::absolute(part_folder(output, {part, parts})).string();
    found.folders.push_back(folder);
    found.records.push_back(read_part_record(folder));
    const PartRecord& record = found.records.back();
    if (record.part.part != part || record.part.parts != parts)
      throw Error(ErrorKind::input,
                  fmt::format("{}: it holds {}; give it that name", folder, record.part.text()));
    check_alike(folder, record, found.first());
  }
  if (found.first().version != TESSERA_VERSION)
    throw Error(ErrorKind::input,
                fmt::format("{}: its parts were made by version {}, and this is {}; join them with "
                            "that version, or make them again",
                            output, found.first().version, TESSERA_VERSION));
  for (std::size_t i = 0; i < found.folders.size(); ++i)
    check_part_files(found.folders[i], found.records[i]);
  return found;
}

void check_inputs_now(const FoundParts& parts) {
  const PartRecord& first = parts.first();
  const std::vector<PartInput> now = inputs_in(first.words, first.output);
  for (const PartInput& input : first.inputs) {
    const auto same = std::ranges::find(now, input.name, &PartInput::name);
    if (same == now.end() || *same != input)
      throw Error(ErrorKind::input,
                  fmt::format("{}: it is not the file that the parts were made of ({}; {}); make "
                              "them again",
                              input.name, same == now.end() ? "now it is gone" : same->text(),
                              input.text()));
  }
}

std::string folder_of_run(const FoundParts& parts, const std::string& output) {
  const std::string here = fs::current_path().string();
  const std::string wanted = same_name(here, output);
  for (const std::string& folder : {parts.first().folder, here})
    if (fs::is_directory(folder) && same_name(folder, parts.first().output) == wanted)
      return folder;
  throw Error(ErrorKind::input,
              fmt::format("{}: its parts were made in {} as {}; join them in a folder where that "
                          "name leads to them",
                          output, parts.first().folder, parts.first().output));
}

}  // namespace tessera
