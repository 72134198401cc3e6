// SPDX-License-Identifier: Apache-2.0
#include "io/spooled_sink.hpp"

#include <algorithm>

#include "io/packed_rows.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr long long kPartBytes = 16 << 20;

}  // namespace

SpooledSink::SpooledSink(const std::string& path, const ImageInfo& info,
                         const std::function<std::unique_ptr<ImageSink>()>& create)
    : info_(info), spool_(path, create), rows_(spool_.file(), info, "") {
  spool_.begin([this] { rows_.begin(); });
}

void SpooledSink::finish() {
  spool_.finish([this](ImageSink& output) { write_output(output); });
}

void SpooledSink::write_output(ImageSink& output) const {
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
      output.write_plane(plane, {first, first + count}, view);
    }
  output.finish();
}

}  // namespace tessera
