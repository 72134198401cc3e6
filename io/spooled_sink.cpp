// SPDX-License-Identifier: Apache-2.0
#include "io/spooled_sink.hpp"

#include <algorithm>

#include "core/ranks.hpp"
#include "io/packed_rows.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr long long kPartBytes = 16 << 20;

std::unique_ptr<ImageSink> made_by_first(
    const std::function<std::unique_ptr<ImageSink>()>& create) {
  std::unique_ptr<ImageSink> made;
  told_by_first([&] {
    made = create();
    return std::string();
  });
  return made;
}

}  // namespace

SpooledSink::SpooledSink(const std::string& path, const ImageInfo& info,
                         const std::function<std::unique_ptr<ImageSink>()>& create)
    : info_(info),
      output_(made_by_first(create)),
      spool_(path, true, Output::Writers::all_ranks),
      rows_(spool_.file(), info, "") {
  spool_.begin([this] { rows_.begin(); });
}

void SpooledSink::finish() {
  spool_.share();
  if (output_) write_output();
  ranks().wait();
}

void SpooledSink::write_output() {
  const long long row = row_bytes(info_);
  const int height = info_.size.height;
  const int part = static_cast<int>(std::clamp<long long>(kPartBytes / row, 1, height));
  ImageInfo some = info_;
  some.size.planes = 1;
  some.size.height = part;
  Image rows(some);
  for (int plane = 0; plane < info_.size.planes; ++plane)
    for (int first = 0; first < height; first += part) {
      const int count = std::min(part, height - first);
      const AnyMutableView view(rows.view().rows(0, count));
      spool_.file().read_all((1LL * plane * height + first) * row, view.address(0, 0), count * row);
      output_->write_plane(plane, {first, first + count}, view);
    }
  output_->finish();
}

}  // namespace tessera
