// SPDX-License-Identifier: Apache-2.0
#include "jobs/pixel_size.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

std::string to_text(PixelSize value) { return fmt::format("{}x{}", value.width, value.height); }

void from_text(std::string_view what, std::string_view text, PixelSize& value) {
  const std::size_t cross = text.find('x');
  PixelSize size{0, 0};
  if (cross != std::string_view::npos) {
    from_text(what, text.substr(0, cross), size.width);
    from_text(what, text.substr(cross + 1), size.height);
  }
  if (size.width < 1 || size.height < 1)
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not a size; write {}, both 1 or more",
                                              what, text, PixelSize::kHint));
  value = size;
}

}  // namespace tessera
