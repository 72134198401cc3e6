// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "jobs/batch.hpp"

namespace tessera {

namespace {

/// With many files the user must know which one is meant; not every sentence names it.
std::string error_of(const BatchFile& file) {
  for (const std::string& name : {file.input, file.output})
    if (file.error.find(name) != std::string::npos) return file.error;
  return file.input + ": " + file.error;
}

}  // namespace

void add_first_note(std::vector<std::string> notes, BatchResult& result) {
  if (notes.empty()) return;
  std::ranges::sort(notes);  // files end in any order
  if (notes.size() > 1)
    notes.front() += fmt::format(" (and {} like it)", counted(std::ssize(notes) - 1, "note"));
  result.notes.push_back(notes.front());
}

std::string BatchResult::describe() const {
  std::string text = fmt::format("{}: {} done, {} had, {} failed in {:.3g} s", manifest, done, had,
                                 failed, seconds);
  for (const std::string& table : tables)
    text += fmt::format("{}{}", &table == &tables.front() ? "\n" : ", ", table);
  for (const std::string& note : notes) text += "\n  " + note;
  return text;
}

std::vector<std::string> BatchResult::complaints() const {
  std::vector<std::string> sentences;
  for (const BatchFile& file : files) {
    if (file.state == "failed") sentences.push_back(error_of(file));
    for (const std::string& warning : file.warnings) sentences.push_back("warning: " + warning);
  }
  return sentences;
}

int BatchResult::exit_code() const {
  const auto warned = [](const BatchFile& file) { return !file.warnings.empty(); };
  if (failed == 0 && std::ranges::none_of(files, warned)) return 0;
  if (done + had > 0) return static_cast<int>(ErrorKind::partial);
  const ErrorKind first = files.front().kind;
  const auto alike = [first](const BatchFile& file) { return file.kind == first; };
  return static_cast<int>(std::ranges::all_of(files, alike) ? first : ErrorKind::failure);
}

}  // namespace tessera
