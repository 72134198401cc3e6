// SPDX-License-Identifier: Apache-2.0
#include "jobs/image_result.hpp"

#include <fmt/format.h>

namespace tessera {

std::string ImageResult::describe() const {
  std::string text = fmt::format(
      "{}\n{}: {:.3g} s, {:.1f} Mpixel/s (read {:.3g} s, work {:.3g} s, write {:.3g} s)", ran,
      output, seconds.all, pixels_per_second / 1e6, seconds.read, seconds.work, seconds.write);
  return check ? text + "\n" + check->describe() : text;
}

}  // namespace tessera
