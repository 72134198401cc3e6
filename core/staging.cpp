// SPDX-License-Identifier: Apache-2.0
#include "core/staging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/device.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

ImageInfo strip_info(const AnyView& view, int rows, int device) {
  ImageInfo info = view.info();
  info.size.height = rows;
  info.device = device;
  return info;
}

/// Output rows a strip so that input and output of two strips fit the limit: the pool hands the
/// second strip new memory while the first is still in use.
int staged_rows(const Piece& in, const MutablePiece& out, const RowRule& rule,
                const Stream& stream) {
  const long long halo = rule.needs({0, 1}).count() - 1;
  const long long in_row = bytes_of(strip_info(in.view, 1, 0));
  const long long out_row = bytes_of(strip_info(AnyView(out.view), 1, 0));
  const auto limit = static_cast<long long>(stream.memory_limit());
  const long long rows = (limit / 2 - halo * in_row) / std::max(1LL, in_row + out_row);
  if (rows < 1)
    throw Error(ErrorKind::resources,
                fmt::format("{}: {} on device {} is too little, one row at a time takes {}; give a "
                            "larger --memory-limit or --backend cpu",
                            rule.operation, bytes_text(static_cast<double>(limit)), stream.device(),
                            bytes_text(static_cast<double>(2 * ((halo + 1) * in_row + out_row)))));
  return static_cast<int>(std::min<long long>(rows, out.view.size.height));
}

/// Copies the rows `found` names, leaving out those at both ends that no pixel stands for, and says
/// which rows of `needed` the copy holds.
Rows upload_rows(const Piece& in, Rows needed, std::vector<int> found, Stream& stream,
                 Scratch& memory, AnyMutableView& view) {
  while (!found.empty() && found.back() == kNoPixel) found.pop_back();
  const auto first =
      std::find_if(found.begin(), found.end(), [](int row) { return row != kNoPixel; });
  const Rows held{needed.first + static_cast<int>(first - found.begin()),
                  needed.first + static_cast<int>(found.size())};
  found.erase(found.begin(), first);
  const ImageInfo info = strip_info(in.view, held.count(), stream.device());
  memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  view = packed(memory.data(), info);
  for (std::size_t row = 0; row < found.size();) {
    std::size_t count = 1;
    while (row + count < found.size() && found[row + count] == found[row] + static_cast<int>(count))
      ++count;
    device_stream(stream).copy(in.view.rows(found[row], static_cast<int>(count)),
                               view.rows(static_cast<int>(row), static_cast<int>(count)));
    row += count;
  }
  return held;
}

}  // namespace

void run_staged(const Piece& in, const MutablePiece& out, const RowRule& rule, Stream& stream,
                const std::function<void(const Piece&, const MutablePiece&)>& on_device) {
  const int strip = staged_rows(in, out, rule, stream);
  const Rows all = out.rows();
  for (int first = all.first; first < all.end;) {
    const Rows made{first, strip_end(first, strip, rule.row_step, all.end)};
    first = made.end;
    const int row = made.first - all.first, count = made.count();
    const Rows needed = rule.needs(made);
    const ImageInfo info = strip_info(AnyView(out.view), count, stream.device());
    const Scratch out_memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
    const AnyMutableView device_out = packed(out_memory.data(), info);
    Scratch in_memory;
    AnyMutableView device_in;
    const Rows held = upload_rows(
        in, needed, find_rows(rule.operation, needed, in.rows(), rule.image_height, rule.border),
        stream, in_memory, device_in);
    on_device({device_in, held.first}, {device_out, made.first});
    device_stream(stream).copy(device_out, out.view.rows(row, count));
  }
}

}  // namespace tessera
