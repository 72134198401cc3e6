// SPDX-License-Identifier: Apache-2.0
#include "io/plain_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "io/packed_rows.hpp"

namespace tessera {
namespace {

long long row_items(const ImageInfo& info) { return 1LL * info.size.width * info.size.channels; }

}  // namespace

PlainSource::PlainSource(File file, const PlainLayout& layout, const ImageInfo& info,
                         bool allow_truncated, std::vector<FileDetail> details)
    : file_(std::move(file)),
      layout_(layout),
      info_(info),
      details_(std::move(details)),
      items_(std::max(0LL, file_.bytes() - layout.offset) / layout.items.bytes) {
  const long long end = layout.offset + info.size.samples() * layout.items.bytes;
  if (layout.fills_file && file_.bytes() > end)
    warn(fmt::format("{}: {} after its array {} not read", file_.path(),
                     counted(file_.bytes() - end, "byte"),
                     file_.bytes() - end == 1 ? "is" : "are"));
  if (items_ >= info.size.samples()) return;
  const std::string short_by = fmt::format(
      "{}: its {}x{} pixels, {} and {} need {} after byte {}; there are {}", file_.path(),
      info.size.width, info.size.height, counted(info.size.channels, "channel"),
      counted(info.size.planes, "plane"), counted(info.size.samples() * layout.items.bytes, "byte"),
      layout.offset, std::max(0LL, file_.bytes() - layout.offset));
  if (!allow_truncated) throw Error(ErrorKind::input, short_by);
  warn(short_by);
}

void PlainSource::read(Rows rows, AnyMutableView to) {
  check_rows(info_, rows, to.info());
  if (layout_.fortran_order) return read_fortran({0, info_.size.planes}, rows, to);
  ImageSource::read(rows, to);
}

void PlainSource::read_plane(int plane, Rows rows, AnyMutableView to) {
  if (layout_.fortran_order) return read_fortran({plane, plane + 1}, rows, to);
  const long long items = row_items(info_);
  const long long first = (1LL * plane * info_.size.height + rows.first) * items;
  if (packed_in_plane(to)) return read_items(first, rows.count() * items, to.address(0, 0));
  std::vector<unsigned char> samples(static_cast<size_t>(row_bytes(info_)));
  for (int y = 0; y < rows.count(); ++y) {
    read_items(first + y * items, items, samples.data());
    scatter_row(samples.data(), to, y);
  }
}

// Decoded in place if an item is a sample; otherwise through memory for a part of the items.
void PlainSource::read_items(long long first, long long count, unsigned char* samples) {
  constexpr long long kPart = 1 << 16;
  const long long sample_bytes = bytes_of(info_.type), item_bytes = layout_.items.bytes;
  const long long held = std::clamp(items_ - first, 0LL, count);
  if (held > 0 && layout_.items.plain()) {
    file_.read_all(layout_.offset + first * item_bytes, samples, held * item_bytes);
    decode_items(layout_.items, samples, samples, held);
  } else {
    raw_.resize(static_cast<size_t>(kPart * item_bytes));
    for (long long done = 0; done < held; done += kPart) {
      const long long part = std::min(kPart, held - done);
      file_.read_all(layout_.offset + (first + done) * item_bytes, raw_.data(), part * item_bytes);
      decode_items(layout_.items, raw_.data(), samples + done * sample_bytes, part);
    }
  }
  fill_missing(info_.type, samples + held * sample_bytes, count - held);
}

// The first axis is contiguous: for one column and channel, a run holds all planes of all requested
// rows.
void PlainSource::read_fortran(Rows planes, Rows rows, AnyMutableView to) {
  const Size& size = info_.size;
  const long long run = 1LL * size.planes * rows.count();
  const long long bytes = bytes_of(info_.type);
  std::vector<unsigned char> samples(static_cast<size_t>(run * bytes));
  for (int channel = 0; channel < size.channels; ++channel)
    for (int x = 0; x < size.width; ++x) {
      const long long column = 1LL * channel * size.width + x;
      read_items((column * size.height + rows.first) * size.planes, run, samples.data());
      scatter_column(samples.data() + planes.first * bytes, x, channel, to);
    }
}

void PlainSource::scatter_column(const unsigned char* samples, int x, int channel,
                                 AnyMutableView to) const {
  const int bytes = bytes_of(info_.type);
  for (int y = 0; y < to.size.height; ++y)
    for (int plane = 0; plane < to.size.planes; ++plane)
      std::copy_n(samples + (1LL * y * info_.size.planes + plane) * bytes, bytes,
                  to.address(x, y, plane) + channel * bytes);
}

PlainRows::PlainRows(const File& file, const ImageInfo& info, std::string start, bool sparse)
    : file_(file), info_(info), start_(std::move(start)), sparse_(sparse), order_(info) {}

void PlainRows::begin() const {
  const long long offset = std::ssize(start_);
  const long long bytes = offset + info_.size.samples() * bytes_of(info_.type);
  sparse_ ? file_.extend(bytes) : file_.reserve(bytes);
  file_.write_all(0, start_.data(), offset);
}

void PlainRows::write_plane(int plane, Rows rows, AnyView from) {
  check_plane_rows(info_, rows, from.info());
  order_.next(plane, rows);
  const long long bytes = row_bytes(info_);
  const long long offset =
      std::ssize(start_) + (1LL * plane * info_.size.height + rows.first) * bytes;
  for_packed_rows(from, [&](long long at, const unsigned char* packed, long long count) {
    write(offset + at, packed, count);
  });
}

void PlainRows::write(long long offset, const void* from, long long count) const {
  sparse_ ? file_.write_around_zeros(offset, from, count) : file_.write_all(offset, from, count);
}

void PlainRows::check_whole() const { order_.check_whole(); }

}  // namespace tessera
