// SPDX-License-Identifier: Apache-2.0
#include "study/studies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine.hpp"
#include "study/study_threads.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<Study>& all_studies() {
  static std::vector<Study> all;
  return all;
}

int parse_side(const std::string& text, int most) {
  int side = 0;
  from_text("--sizes", text, side);
  if (side < 1 || side > most)
    throw Error(ErrorKind::usage,
                fmt::format("--sizes: {} is not a side from 1 to {}", side, most));
  return side;
}

void add_range(const std::string& word, std::size_t dash, int most, std::vector<StudySize>& sizes) {
  const int first = parse_side(word.substr(0, dash), most);
  const int last = parse_side(word.substr(dash + 1), most);
  if (last < first)
    throw Error(ErrorKind::usage, fmt::format("--sizes: {} ends before it begins", word));
  for (int side = first; side <= last; side += 2) sizes.push_back({side, side});
}

}  // namespace

const std::vector<Study>& studies() { return all_studies(); }

StudyResult run_study(const Study& study, const StudyOptions& options,
                      const StudyProgress& progress) {
  const StudyThreads threads{parse_threads(options.threads), options.pin};
  if (options.backend == Backend::cuda && threads != StudyThreads{})
    throw Error(ErrorKind::usage,
                "--threads and --pin are for rungs of the CPU, which --backend cuda leaves out");
  const ScopedStudyThreads scope(threads);
  StudyResult result = study.run(options, progress);
  result.pinned = pinned_text();
  return result;
}

bool add_study(const Study& study) {
  all_studies().push_back(study);
  return true;
}

std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == separator)
      words.emplace_back();
    else
      words.back() += letter;
  return words;
}

std::vector<std::string> chosen_rungs(const std::string& text,
                                      const std::vector<std::string>& known) {
  if (text == "all") return known;
  const std::vector<std::string> words = split_text(text, ',');
  for (const std::string& word : words)
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw_unknown("--rungs", word, known);
  std::vector<std::string> chosen;
  for (const std::string& rung : known)
    if (std::find(words.begin(), words.end(), rung) != words.end()) chosen.push_back(rung);
  return chosen;
}

std::vector<StudySize> parse_sizes(const std::string& text, int most) {
  std::vector<StudySize> sizes;
  for (const std::string& word : split_text(text, ',')) {
    if (const std::size_t times = word.find('x'); times != std::string::npos) {
      sizes.push_back(
          {parse_side(word.substr(0, times), most), parse_side(word.substr(times + 1), most)});
    } else if (const std::size_t dash = word.find('-', 1); dash != std::string::npos) {
      add_range(word, dash, most, sizes);
    } else {
      const int side = parse_side(word, most);
      sizes.push_back({side, side});
    }
  }
  return sizes;
}

void need_device(const std::string& study, int device) {
  const Machine& machine = this_machine();
  const int count = static_cast<int>(machine.devices.size());
  if (count == 0)
    throw Error(ErrorKind::resources, fmt::format("{}: its rungs need a GPU, and there is none: {}",
                                                  study, machine.no_device_reason));
  if (device < 0 || device >= count)
    throw Error(ErrorKind::resources,
                fmt::format("{}: there is no device {}; there are {}, counted "
                            "from 0",
                            study, device, count));
}

}  // namespace tessera
