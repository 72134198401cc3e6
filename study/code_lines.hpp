// SPDX-License-Identifier: Apache-2.0
/// The cost of a rung in code: one of a study's figures besides its speed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/embedded.hpp"

namespace tessera {

/// Texts of the studies and of the kernels they compare with, named by their path in the tree:
/// "ops/convolve/study/r01_naive.cu". Put into the program by cmake/kernels.cmake.
std::span<const EmbeddedText> embedded_study_texts();

/// The text of that name; empty if there is none.
std::string_view study_text(std::string_view name);

/// Lines with more than blanks and comments.
int count_code_lines(std::string_view text);

/// A path without the doors of its operation: "ops/noise/noise_slide.cuh" for
/// "ops/noise/cuda/noise_slide.cuh". The files of a method lie behind several doors and are known
/// by their names. Files in study/ and parts/ keep their paths.
std::string without_doors(std::string_view path);

/// The paths of the texts for which wanted(path) is true.
template <class Wanted>
std::vector<std::string> study_files(Wanted wanted) {
  std::vector<std::string> files;
  for (const EmbeddedText& text : embedded_study_texts())
    if (const std::string name(text.name); wanted(name)) files.push_back(name);
  return files;
}

/// Lines of code of all texts whose paths begin like this, with or without doors; 0 if there are
/// none.
int code_lines_of(const std::vector<std::string>& beginnings);

}  // namespace tessera
