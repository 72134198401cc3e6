// SPDX-License-Identifier: Apache-2.0
#include "study/study_checks.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {

void refuse_sizes(const StudyOptions& options, const std::string& of) {
  if (options.sizes != StudyOptions{}.sizes)
    throw Error(
        ErrorKind::usage,
        fmt::format("--sizes: the study of {} has one case, not {}; --side says how large it is",
                    of, options.sizes));
}

void refuse_search(const StudyOptions& options, const std::string& of, const std::string& reason) {
  if (options.search != StudyOptions{}.search)
    throw Error(ErrorKind::usage,
                fmt::format("--search: the study of {} {}; leave it out", of, reason));
}

int side_within(const StudyOptions& options, int usual, int least, int most) {
  const int side = options.side.value_or(usual);
  if (side < least || side > most)
    throw Error(ErrorKind::usage,
                fmt::format("--side: {} is not from {} to {}", side, least, most));
  return side;
}

}  // namespace tessera
