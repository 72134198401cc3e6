// SPDX-License-Identifier: Apache-2.0
/// Several files in one word.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Whether a word stands for several files: a folder, a pattern in quotes, or "@list.txt".
bool names_several(const std::string& word);

/// The files that a word stands for: one file, the images of a folder, the matches of a pattern
/// ('Q/*.fits'), or "@list.txt", a text with one file per line ('#' begins a comment; names are
/// relative to the list's folder). Patterns and folders are sorted by name. Throws Error(input) if
/// there are none.
std::vector<std::string> files_in_word(const std::string& word);

}  // namespace tessera
