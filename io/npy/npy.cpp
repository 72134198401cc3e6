// SPDX-License-Identifier: Apache-2.0
#include "io/npy/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/refuse.hpp"
#include "io/file.hpp"
#include "io/npy/npy_header.hpp"
#include "io/npy_items.hpp"
#include "io/plain_file.hpp"

namespace tessera {
namespace {

struct NpyLayout {
  NpyHeader header;
  long long data_offset = 0;
};

NpyLayout read_layout(const File& file) {
  const NpyText read = read_npy_text(file);
  return {parse_npy_header(file.path(), read.text), read.data_offset};
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
      refuse_input(path, fmt::format("its shape has {} axes; an image has 1 to 4", shape.size()));
  }
}

std::unique_ptr<ImageSource> open_npy(const std::string& path, const ReadOptions& options) {
  File file = File::open_to_read(path);
  const NpyLayout layout = read_layout(file);
  const NpyHeader& header = layout.header;
  const Items items = npy_items(path, header.descr);
  const ImageInfo info =
      checked_info(path, size_of_shape(path, header.shape), items.type, options.limits);
  return std::make_unique<PlainSource>(
      std::move(file), PlainLayout{layout.data_offset, items, header.fortran_order, true}, info,
      options.allow_truncated,
      std::vector<FileDetail>{{"shape", fmt::format("({})", fmt::join(header.shape, ", "))},
                              {"dtype", header.descr},
                              {"order", header.fortran_order ? "Fortran" : "C"}});
}

std::unique_ptr<ImageSink> create_npy(const std::string& path, const ImageInfo& info,
                                      const WriteOptions& options) {
  return std::make_unique<PlainSink>(path, info, options, npy_header_bytes(info));
}

bool is_npy(std::string_view first_bytes) { return first_bytes.starts_with(kNpyMagic); }

}  // namespace

Format npy_format() {
  return {
      "NPY", {".npy"}, "", is_npy, open_npy, create_npy, [](const WriteOptions&) { return true; }};
}

}  // namespace tessera
