// SPDX-License-Identifier: Apache-2.0
// Rungs whose names are words separated by dots.
#include <algorithm>

#include "study/studies.hpp"

namespace tessera {
namespace {

/// The alternatives at the point where a word stops matching: after "row.co." the paths, not a
/// hundred rungs.
std::vector<std::string> words_instead_of(const std::string& word,
                                          const std::vector<std::string>& known) {
  std::size_t kept = 0;
  for (std::size_t dot = word.find('.'); dot != std::string::npos; dot = word.find('.', dot + 1))
    if (std::ranges::any_of(known, [&](const std::string& name) {
          return name.starts_with(word.substr(0, dot + 1));
        }))
      kept = dot + 1;
  std::vector<std::string> words;
  for (const std::string& name : known)
    if (const std::string next = name.substr(0, name.find('.', kept));
        name.starts_with(word.substr(0, kept)) && std::ranges::find(words, next) == words.end())
      words.push_back(next);
  return words;
}

}  // namespace

std::vector<std::string> rungs_beginning(const std::string& words,
                                         const std::vector<std::string>& known) {
  if (words == "all") return known;
  std::vector<std::string> found;
  for (const std::string& word : split_text(words, ',')) {
    const std::size_t before = found.size();
    for (const std::string& name : known)
      if (name == word || name.starts_with(word + ".")) found.push_back(name);
    if (found.size() == before) throw_unknown("--rungs", word, words_instead_of(word, known));
  }
  return found;
}

}  // namespace tessera
