// SPDX-License-Identifier: Apache-2.0
#include "study/study_checks.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
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

void refuse_side(const StudyOptions& options, const std::string& of) {
  if (options.side)
    throw Error(ErrorKind::usage,
                fmt::format("--side: the study of {} takes the image as it is; leave it out", of));
}

void refuse_image(const StudyOptions& options, const std::string& taken) {
  const ImageInfo info = options.image->info();
  throw Error(
      ErrorKind::input,
      fmt::format("{}: it is {}x{} {} with {} and {}; {}", options.image_name, info.size.width,
                  info.size.height, name_of(info.type), counted(info.size.channels, "channel"),
                  counted(info.size.planes, "plane"), taken));
}

int side_within(const StudyOptions& options, int usual, int least, int most) {
  const int side = options.side.value_or(usual);
  if (side < least || side > most)
    throw Error(ErrorKind::usage,
                fmt::format("--side: {} is not from {} to {}", side, least, most));
  return side;
}

}  // namespace tessera
