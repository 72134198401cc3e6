// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_whole_maps.hpp"

#include <cstring>
#include <optional>
#include <string>

#include "core/packed_text.hpp"
#include "core/ranks.hpp"
#include "io/packed_rows.hpp"

namespace tessera {

void NoiseWholeMaps::write(Rows rows, AnyView from) {
  ViewSink::write(rows, from);
  for (int row = rows.first; row < rows.end; ++row) own_.push_back(row);
}

// Each text is the number of a row and its values in all planes.
void NoiseWholeMaps::join_ranks() {
  if (ranks().count() == 1) return;
  const auto bytes = static_cast<std::size_t>(row_bytes(maps_.info()));
  exchange_texts(
      [&, next = own_.begin()]() mutable -> std::optional<std::string> {
        if (next == own_.end()) return std::nullopt;
        PackedText text;
        text.put(*next);
        for (int p = 0; p < maps_.size.planes; ++p)
          text.put_bytes(maps_.address(0, *next, p), bytes);
        ++next;
        return text.text();
      },
      [&](std::string sent) {
        PackedText text(std::move(sent));
        const int row = text.take<int>();
        const std::string values = text.rest();
        for (int p = 0; p < maps_.size.planes; ++p)
          std::memcpy(maps_.address(0, row, p), values.data() + static_cast<std::size_t>(p) * bytes,
                      bytes);
      });
}

}  // namespace tessera
