// SPDX-License-Identifier: Apache-2.0
#include "io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "io/file.hpp"
#include "io/npy.hpp"
#include "io/png.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

const Format* format_with_extension(const std::string& extension) {
  for (const Format& format : formats())
    if (std::ranges::count(format.extensions, extension) > 0) return &format;
  return nullptr;
}

const Format* format_of_bytes(std::string_view first_bytes) {
  for (const Format& format : formats())
    if (format.matches && format.matches(first_bytes)) return &format;
  return nullptr;
}

std::string names_where(bool (Format::*can)() const) {
  std::string names;
  for (const Format& format : formats())
    if ((format.*can)())
      names +=
          fmt::format("{}{} ({})", names.empty() ? "" : ", ", format.name, format.extensions[0]);
  return names;
}

Error missing_library(ErrorKind kind, const std::string& path, const Format& format) {
  return {kind, fmt::format("{}: {} needs {}, which this build lacks; there are {}", path,
                            format.name, format.library, format_names())};
}

// A file too short or too damaged to tell what it is goes by its name, whose reader says what is
// wrong.
const Format& format_to_read(const std::string& path) {
  char bytes[64] = {};
  const File file = File::open_to_read(path);
  const auto count = static_cast<size_t>(file.read_some(0, bytes, sizeof bytes));
  const Format* format = format_of_bytes({bytes, count});
  if (!format) format = format_with_extension(extension_of(path));
  if (!format)
    throw Error(ErrorKind::input,
                fmt::format("{}: neither its first bytes nor its name are of a format that can be "
                            "read: {}",
                            path, names_where(&Format::can_read)));
  if (!format->built_in()) throw missing_library(ErrorKind::input, path, *format);
  if (!format->can_read())
    throw Error(ErrorKind::input, fmt::format("{}: {} can only be written", path, format->name));
  return *format;
}

const Format& format_to_write(const std::string& path) {
  const std::string extension = extension_of(path);
  const Format* format = format_with_extension(extension);
  if (format && !format->built_in()) throw missing_library(ErrorKind::usage, path, *format);
  if (format && format->can_write()) return *format;
  throw Error(ErrorKind::usage,
              fmt::format("{}: '{}' is no ending of a format that can be written: {}", path,
                          extension, names_where(&Format::can_write)));
}

void check_image_to_write(const std::string& path, const ImageInfo& info) {
  const Size& size = info.size;
  if (info.device != kHost)
    throw Error(ErrorKind::usage, path + ": the image is on a GPU; copy it to the host first");
  if (size.width < 1 || size.height < 1 || size.planes < 1 || size.channels < 1 ||
      size.channels > 4)
    throw Error(ErrorKind::usage,
                fmt::format("{}: an image of {}x{} pixels, {} channels and {} planes "
                            "cannot be written; it needs pixels and 1 to 4 channels",
                            path, size.width, size.height, size.channels, size.planes));
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> table {
    {"NPY", {".npy"}, "", is_npy, open_npy, create_npy},
#if TESSERA_HAVE_PNG
        {"PNG", {".png"}, "libpng", is_png, open_png, create_png},
#else
        {"PNG", {".png"}, "libpng", nullptr, nullptr, nullptr},
#endif
  };
  return table;
}

std::string format_names() { return names_where(&Format::built_in); }

std::unique_ptr<RowSource> open_image(const std::string& path, const ReadLimits& limits) {
  return format_to_read(path).open(path, limits);
}

std::unique_ptr<RowSink> create_image(const std::string& path, const ImageInfo& info,
                                      const WriteOptions& options) {
  const Format& format = format_to_write(path);
  check_image_to_write(path, info);
  return format.create(path, info, options);
}

Image read_image(const std::string& path, const ReadLimits& limits) {
  const auto source = open_image(path, limits);
  check_memory(path, source->info());
  Image image(source->info());
  source->read({0, source->info().size.height}, image.view());
  return image;
}

void write_image(const std::string& path, AnyView view, const WriteOptions& options) {
  const auto sink = create_image(path, view.info(), options);
  sink->write({0, view.size.height}, view);
  sink->finish();
}

}  // namespace tessera
