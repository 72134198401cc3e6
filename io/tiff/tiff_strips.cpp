// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_strips.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A slot is the number of its bytes, then these. Slots begin with blocks of the file system, so
/// that what they do not use can be holes, and ranks on two machines never write the same block.
constexpr long long kBlock = 4096, kSizeBytes = 8;

long long slot_bytes(long long strip_bytes) {
  const long long most = kSizeBytes + 2 * strip_bytes + 1024;  // of any compression
  return (most + kBlock - 1) / kBlock * kBlock;
}

}  // namespace

TiffStripFile::TiffStripFile(const std::string& path, const ImageInfo& info,
                             const WriteOptions& options, int compression)
    : output_(path, options.force),
      pages_(info, options, compression),
      strips_of_page_(tiff_strips(info)) {
  pages_.begin(&output_.file());
}

void TiffStripFile::add(const std::vector<unsigned char>& encoded) {
  const long long bytes = std::ssize(encoded);
  output_.file().write_all(pages_.place_strip(bytes), encoded.data(), bytes);
  if (++strips_ < strips_of_page_) return;
  pages_.finish_page();
  strips_ = 0;
}

TiffStripsSink::TiffStripsSink(const std::string& path, const ImageInfo& info,
                               const WriteOptions& options, int compression)
    : info_(info),
      spool_(path,
             [&] { return std::make_unique<TiffStripFile>(path, info, options, compression); }),
      encoder_(path, info, compression),
      strip_(static_cast<std::size_t>(tiff_strip_rows(info) * row_bytes(info))),
      slot_bytes_(slot_bytes(std::ssize(strip_))),
      runs_(static_cast<std::size_t>(info.size.planes)) {}

long long TiffStripsSink::slot(int plane, int strip) const {
  return (1LL * plane * tiff_strips(info_) + strip) * slot_bytes_;
}

void TiffStripsSink::write_plane(int plane, Rows rows, AnyView from) {
  check_plane_rows(info_, rows, from.info());
  Rows& run = runs_.at(static_cast<std::size_t>(plane));
  if (rows.first < run.end) check_next_row(rows, run.end);
  if (rows.first > run.end) run = {rows.first, rows.first};
  while (run.end < rows.end) {
    const int strip = run.end / tiff_strip_rows(info_);
    const Rows part{run.end, std::min(rows.end, tiff_strip(info_, strip).end)};
    write_rows(plane, strip, part, from.rows(part.first - rows.first, part.count()));
    run.end = part.end;
  }
}

// Rows of a strip whose others come later, or to another rank, wait in its slot: a rank may have a
// begun strip of every plane.
void TiffStripsSink::write_rows(int plane, int strip, Rows rows, AnyView from) {
  const long long row = row_bytes(info_), place = slot(plane, strip), samples = place + kSizeBytes;
  const Rows all = tiff_strip(info_, strip);
  const long long before = (rows.first - all.first) * row;
  for_packed_rows(from, [&](long long at, const unsigned char* packed, long long count) {
    std::copy_n(packed, count, strip_.data() + before + at);
  });
  if (rows.end < all.end || runs_[static_cast<std::size_t>(plane)].first > all.first)
    return spool_.file().write_all(samples + before, strip_.data() + before, rows.count() * row);
  if (before > 0) spool_.file().read_all(samples, strip_.data(), before);
  const std::vector<unsigned char>& made = encoded(strip);
  const long long bytes = std::ssize(made);
  spool_.file().write_all(place, &bytes, kSizeBytes);
  spool_.file().write_all(samples, made.data(), bytes);
}

const std::vector<unsigned char>& TiffStripsSink::encoded(int strip) {
  const std::vector<unsigned char>& made = encoder_.encode(strip, strip_.data());
  if (std::ssize(made) > slot_bytes_ - kSizeBytes)
    throw Error(ErrorKind::failure,
                fmt::format("{}: a strip of {} bytes has {} when it is compressed; compression "
                            "none needs less",
                            spool_.file().path(), strip_.size(), made.size()));
  return made;
}

void TiffStripsSink::finish() {
  spool_.finish([this](TiffStripFile& file) { write_output(file); });
}

void TiffStripsSink::write_output(TiffStripFile& file) {
  const File& spool = spool_.file();
  std::vector<unsigned char> made;
  for (int plane = 0; plane < info_.size.planes; ++plane)
    for (int strip = 0; strip < tiff_strips(info_); ++strip) {
      const long long place = slot(plane, strip), samples = place + kSizeBytes;
      long long bytes = 0;
      spool.read_all(place, &bytes, kSizeBytes);
      if (bytes == 0) {
        spool.read_all(samples, strip_.data(), tiff_strip(info_, strip).count() * row_bytes(info_));
        file.add(encoded(strip));
        continue;
      }
      made.resize(static_cast<std::size_t>(bytes));
      spool.read_all(samples, made.data(), bytes);
      file.add(made);
    }
  file.finish();
}

}  // namespace tessera
