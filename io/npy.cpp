// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "io/file.hpp"
#include "io/npy_header.hpp"
#include "io/npy_samples.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr long long kMostHeaderBytes = 1 << 20;

Error input_error(const std::string& path, const std::string& what) {
  return {ErrorKind::input, path + ": " + what};
}

struct NpyLayout {
  NpyHeader header;
  long long data_offset = 0;
};

NpyLayout read_layout(const File& file) {
  const std::string& path = file.path();
  unsigned char start[12] = {};
  const long long got = file.read_some(0, start, sizeof start);
  if (got < 10)
    throw input_error(path, fmt::format("it has {} bytes; an NPY header needs at least 10", got));
  if (!is_npy({reinterpret_cast<const char*>(start), 10}))
    throw input_error(path, "it does not begin like an NPY file: byte 0x93, then NUMPY");
  const int version = start[6];
  if (version < 1 || version > 3)
    throw input_error(path, fmt::format("it is NPY version {}; 1, 2 and 3 can be read", version));
  const long long text_offset = version == 1 ? 10 : 12;
  if (got < text_offset)
    throw input_error(
        path,
        fmt::format("it has {} bytes; an NPY version {} header needs at least 12", got, version));
  long long length = start[8] | start[9] << 8;
  if (version > 1)
    length |= static_cast<long long>(start[10]) << 16 | static_cast<long long>(start[11]) << 24;
  if (length > kMostHeaderBytes || text_offset + length > file.bytes())
    throw input_error(path,
                      fmt::format("its NPY header is said to be {} bytes; the file has {}, and "
                                  "{} is the most",
                                  length, file.bytes(), kMostHeaderBytes));
  std::string text(static_cast<size_t>(length), '\0');
  file.read_all(text_offset, text.data(), length);
  return {parse_npy_header(path, text), text_offset + length};
}

ClaimedSize size_of_shape(const std::string& path, const std::vector<long long>& shape) {
  switch (shape.size()) {
    case 1:
      return {shape[0], 1, 1, 1};
    case 2:
      return {shape[1], shape[0], 1, 1};
    case 3:
      if (shape[2] <= 4) return {shape[1], shape[0], shape[2], 1};
      return {shape[2], shape[1], 1, shape[0]};
    case 4:
      return {shape[2], shape[1], shape[3], shape[0]};
    default:
      throw input_error(
          path, fmt::format("its shape is ({}); an image has 1 to 4 axes", fmt::join(shape, ", ")));
  }
}

class NpySource : public RowSource {
 public:
  NpySource(const std::string& path, const ReadLimits& limits)
      : file_(File::open_to_read(path)), layout_(read_layout(file_)) {
    const NpyHeader& header = layout_.header;
    item_ = npy_item(path, header.descr);
    info_ = checked_info(path, size_of_shape(path, header.shape), item_.type, limits);
    const long long needed = info_.size.samples() * item_.bytes,
                    held = file_.bytes() - layout_.data_offset;
    if (held < needed)
      throw input_error(path,
                        fmt::format("shape ({}) of {} needs {} bytes after byte {}; there are {}",
                                    fmt::join(header.shape, ", "), header.descr, needed,
                                    layout_.data_offset, held));
  }

  ImageInfo info() const override { return info_; }

  void read(Rows rows, AnyMutableView to) override {
    check_rows(info_, rows, to.info());
    if (layout_.header.fortran_order) return read_fortran(rows, to);
    for (int plane = 0; plane < info_.size.planes; ++plane) read_plane(rows, to, plane);
  }

 private:
  long long row_items() const { return 1LL * info_.size.width * info_.size.channels; }

  void read_items(long long first, long long count, unsigned char* raw) const {
    file_.read_all(layout_.data_offset + first * item_.bytes, raw, count * item_.bytes);
  }

  void read_plane(Rows rows, AnyMutableView to, int plane) {
    const long long first = (1LL * plane * info_.size.height + rows.first) * row_items();
    if (item_.plain() && packed_in_plane(to)) {
      const long long count = rows.count() * row_items();
      unsigned char* samples = to.address(0, 0, plane);
      read_items(first, count, samples);
      return decode_npy(item_, samples, samples, count);
    }
    std::vector<unsigned char> raw(static_cast<size_t>(row_items() * item_.bytes));
    std::vector<unsigned char> samples(static_cast<size_t>(row_bytes(info_)));
    for (int y = 0; y < rows.count(); ++y) {
      read_items(first + y * row_items(), row_items(), raw.data());
      decode_npy(item_, raw.data(), samples.data(), row_items());
      scatter_row(samples.data(), to, y, plane);
    }
  }

  // The first axis lies side by side: a run holds, for one column and channel, all planes of all
  // rows asked for.
  void read_fortran(Rows rows, AnyMutableView to) {
    const Size& size = info_.size;
    const long long run = 1LL * size.planes * rows.count();
    std::vector<unsigned char> raw(static_cast<size_t>(run * item_.bytes));
    std::vector<unsigned char> samples(static_cast<size_t>(run * bytes_of(info_.type)));
    for (int channel = 0; channel < size.channels; ++channel)
      for (int x = 0; x < size.width; ++x) {
        const long long column = 1LL * channel * size.width + x;
        read_items((column * size.height + rows.first) * size.planes, run, raw.data());
        decode_npy(item_, raw.data(), samples.data(), run);
        scatter_column(samples.data(), x, channel, to);
      }
  }

  void scatter_column(const unsigned char* samples, int x, int channel, AnyMutableView to) const {
    const int bytes = bytes_of(info_.type);
    for (int y = 0; y < to.size.height; ++y)
      for (int plane = 0; plane < to.size.planes; ++plane, samples += bytes)
        std::copy_n(samples, bytes, to.address(x, y, plane) + channel * bytes);
  }

  File file_;
  NpyLayout layout_;
  NpyItem item_;
  ImageInfo info_;
};

class NpySink : public RowSink {
 public:
  NpySink(const std::string& path, const ImageInfo& info, bool force)
      : output_(path, force), info_(info) {
    const std::string header = npy_header_bytes(info);
    data_offset_ = static_cast<long long>(header.size());
    output_.file().reserve(data_offset_ + info.size.samples() * bytes_of(info.type));
    output_.file().write_all(0, header.data(), data_offset_);
  }

  void write(Rows rows, AnyView from) override {
    check_rows(info_, rows, from.info());
    check_next_row(rows, next_row_);
    for (int plane = 0; plane < info_.size.planes; ++plane) write_plane(rows, from, plane);
    next_row_ = rows.end;
  }

  void finish() override {
    check_next_row({info_.size.height, info_.size.height}, next_row_);
    output_.finish();
  }

 private:
  void write_plane(Rows rows, AnyView from, int plane) {
    const long long bytes = row_bytes(info_);
    const long long offset = data_offset_ + (1LL * plane * info_.size.height + rows.first) * bytes;
    if (packed_in_plane(from))
      return output_.file().write_all(offset, from.address(0, 0, plane), rows.count() * bytes);
    std::vector<unsigned char> row(static_cast<size_t>(bytes));
    for (int y = 0; y < rows.count(); ++y) {
      gather_row(from, y, plane, row.data());
      output_.file().write_all(offset + y * bytes, row.data(), bytes);
    }
  }

  Output output_;
  ImageInfo info_;
  long long data_offset_ = 0;
  int next_row_ = 0;
};

}  // namespace

bool is_npy(std::string_view first_bytes) { return first_bytes.starts_with(kMagic); }

std::unique_ptr<RowSource> open_npy(const std::string& path, const ReadLimits& limits) {
  return std::make_unique<NpySource>(path, limits);
}

std::unique_ptr<RowSink> create_npy(const std::string& path, const ImageInfo& info,
                                    const WriteOptions& options) {
  return std::make_unique<NpySink>(path, info, options.force);
}

}  // namespace tessera
