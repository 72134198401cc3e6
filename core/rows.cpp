// SPDX-License-Identifier: Apache-2.0
#include "core/rows.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {

std::vector<int> find_rows(const char* operation, Rows needed, Rows held, int image_height,
                           Border border) {
  std::vector<int> found;
  found.reserve(static_cast<std::size_t>(needed.count()));
  for (int row = needed.first; row < needed.end; ++row) {
    if (held.contains(row)) {
      found.push_back(row - held.first);
      continue;
    }
    const int stand_in = border_index(row, image_height, border);
    if (stand_in != kNoPixel && !held.contains(stand_in))
      throw Error(ErrorKind::usage,
                  fmt::format("{}: the piece holds rows {} to {}, but row {} is needed; give it "
                              "all rows that needs() names",
                              operation, held.first, held.end, stand_in));
    found.push_back(stand_in == kNoPixel ? kNoPixel : stand_in - held.first);
  }
  return found;
}

std::vector<const unsigned char*> row_addresses(const Piece& in, int plane,
                                                const std::vector<int>& rows) {
  std::vector<const unsigned char*> addresses;
  addresses.reserve(rows.size());
  for (const int row : rows)
    addresses.push_back(row == kNoPixel ? nullptr : in.view.address(0, row, plane));
  return addresses;
}

}  // namespace tessera
