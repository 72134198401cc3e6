// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/part_choice.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

#include "core/environment.hpp"
#include "tessera/error.hpp"
#include "tessera/printable.hpp"

namespace tessera {
namespace {

std::optional<long long> whole_number(const std::string& text) {
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 0 && number <= std::numeric_limits<int>::max() ? std::optional(number)
                                                                           : std::nullopt;
}

long long slurm_number(const char* name, std::optional<long long> otherwise = std::nullopt) {
  const std::string text = environment(name);
  if (text.empty() && otherwise) return *otherwise;
  if (text.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--part slurm: {} is not set; submit an array (#SBATCH --array=1-40), "
                            "or give --part K/N",
                            name));
  const std::optional<long long> number = whole_number(text);
  if (!number)
    throw Error(ErrorKind::usage,
                fmt::format("--part slurm: {} is '{}', which is not a number; give --part K/N",
                            name, printable(text)));
  return *number;
}

// An array of some tasks, as --array=3,7 submits it again, would cut the run in another way.
PartOfRun part_of_slurm() {
  const long long id = slurm_number("SLURM_ARRAY_TASK_ID");
  const long long least = slurm_number("SLURM_ARRAY_TASK_MIN");
  const long long most = slurm_number("SLURM_ARRAY_TASK_MAX");
  const long long step = slurm_number("SLURM_ARRAY_TASK_STEP", 1);
  if (step < 1 || id < least || id > most || (id - least) % step != 0)
    throw Error(ErrorKind::usage,
                fmt::format("--part slurm: task {} is not one of {} to {} in steps of {}; give "
                            "--part K/N",
                            id, least, most, step));
  const long long tasks = (most - least) / step + 1;
  if (const long long count = slurm_number("SLURM_ARRAY_TASK_COUNT", tasks); count != tasks)
    throw Error(ErrorKind::usage,
                fmt::format("--part slurm: the array has {} tasks, and {} to {} in steps of {} "
                            "would be {}; give --part K/N",
                            count, least, most, step, tasks));
  return {static_cast<int>((id - least) / step + 1), static_cast<int>(tasks)};
}

}  // namespace

std::string PartOfRun::text() const { return fmt::format("part {} of {}", part, parts); }

PartOfRun parse_part(const PartChoice& choice) {
  if (choice.word == "slurm") return part_of_slurm();
  const std::size_t slash = choice.word.find('/');
  const std::optional<long long> part = whole_number(choice.word.substr(0, slash));
  const std::optional<long long> parts =
      slash == std::string::npos ? std::nullopt : whole_number(choice.word.substr(slash + 1));
  if (!part || !parts)
    throw Error(ErrorKind::usage, fmt::format("--part: '{}' is not K/N, such as 3/40, or slurm",
                                              printable(choice.word)));
  if (*part < 1 || *part > *parts)
    throw Error(
        ErrorKind::usage,
        fmt::format("--part: there is no part {} of {}; parts are counted from 1", *part, *parts));
  return {static_cast<int>(*part), static_cast<int>(*parts)};
}

std::string part_folder(const std::string& output, const PartOfRun& part) {
  std::string name = output;
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return fmt::format("{}.part-{}-of-{}", name, part.part, part.parts);
}

}  // namespace tessera
