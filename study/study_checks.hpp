// SPDX-License-Identifier: Apache-2.0
/// Options that not every study has. All throw Error(usage).
#pragma once

#include <string>

#include "study/studies.hpp"

namespace tessera {

/// For a study "of correlation" that has one case.
void refuse_sizes(const StudyOptions& options, const std::string& of);

/// The reason follows "the study of correlation": "compiles nothing at run time".
void refuse_search(const StudyOptions& options, const std::string& of,
                   const std::string& reason = "compiles nothing at run time");

/// --side, or the usual one.
int side_within(const StudyOptions& options, int usual, int least, int most);

/// For a study whose user gave an image, which has its own size.
void refuse_side(const StudyOptions& options, const std::string& of);

/// "scan.png: it is 640x480 u8 with 1 channel"; Error(input) that continues with what is taken.
[[noreturn]] void refuse_image(const StudyOptions& options, const std::string& taken);

}  // namespace tessera
