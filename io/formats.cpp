// SPDX-License-Identifier: Apache-2.0
#include "io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/counted.hpp"
#include "core/pools.hpp"
#include "core/ranks.hpp"
#include "io/file.hpp"
#include "io/fits/fits.hpp"
#include "io/hdu_name.hpp"
#include "io/jpeg/jpeg.hpp"
#include "io/npy/npy.hpp"
#include "io/png/png.hpp"
#include "io/raw/raw.hpp"
#include "io/sandbox/sandbox.hpp"
#include "io/spooled_sink.hpp"
#include "io/tiff/tiff.hpp"
#include "io/unwritten_sink.hpp"
#include "io/upright.hpp"
#include "io/video/video.hpp"
#include "tessera/error.hpp"
#include "tessera/printable.hpp"

namespace tessera {
namespace {

constexpr double kMostFileBytes = 0x1p62;  // offsets in files have 63 bits, and there are headers

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

// An option that a format does not use would otherwise be ignored silently.
void check_options(const std::string& path, const Format& format, const ReadOptions& options) {
  const auto refuse = [&](const char* option) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the option {} does not apply to {} files; leave it out", path,
                            option, format.name));
  };
  if (options.page && !format.pages) refuse("page");
  if (!options.hdu.empty() && format.name != std::string_view("FITS")) refuse("hdu");
  if (!options.hdu.empty() && options.page)
    throw Error(ErrorKind::usage,
                fmt::format("{}: it is asked for HDU {} and for page {}; give one of them", path,
                            printable(options.hdu), *options.page));
  if (options.first_frame != 0 && !format.frames) refuse("first-frame");
  if (options.frames && !format.frames) refuse("frames");
}

const Format& format_to_write(const std::string& path) {
  const std::string extension = extension_of(path);
  const Format* format = format_with_extension(extension);
  if (format && !format->built_in() && !format->refused)
    throw missing_library(ErrorKind::usage, path, *format);
  if (format && format->can_write()) return *format;
  throw Error(ErrorKind::usage,
              fmt::format("{}: '{}' is not the extension of a format that can be written: {}", path,
                          extension, names_where(&Format::can_write)));
}

void check_image_to_write(const std::string& path, const ImageInfo& info) {
  const Size& size = info.size;
  if (info.device != kHost)
    throw Error(ErrorKind::usage, path + ": the image is on a GPU; copy it to the host first");
  if (size.width < 1 || size.height < 1 || size.planes < 1 || size.channels < 1 ||
      size.channels > 4)
    throw Error(ErrorKind::usage,
                fmt::format("{}: an image of {}x{} pixels, {} and {} "
                            "cannot be written; it needs at least one pixel and 1 to 4 channels",
                            path, size.width, size.height, counted(size.channels, "channel"),
                            counted(size.planes, "plane")));
  const double bytes =
      1.0 * size.width * size.height * size.channels * size.planes * bytes_of(info.type);
  if (bytes > kMostFileBytes)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: an image of {}x{} pixels, {} and {} has {}; a file "
                    "can have at most {}",
                    path, size.width, size.height, counted(size.channels, "channel"),
                    counted(size.planes, "plane"), bytes_text(bytes), bytes_text(kMostFileBytes)));
}

[[maybe_unused]] Format left_out(const char* name, std::vector<std::string> extensions,
                                 const char* library) {
  return {name, std::move(extensions), library};
}

Format refused(const char* name, std::vector<std::string> extensions,
               bool (*matches)(std::string_view)) {
  Format format{name, std::move(extensions), "", matches};
  format.refused = true;
  return format;
}

bool is_bmp(std::string_view bytes) { return bytes.starts_with("BM"); }
bool is_gif(std::string_view bytes) { return bytes.starts_with("GIF8"); }
bool is_ico(std::string_view bytes) { return bytes.starts_with(std::string_view("\0\0\1\0", 4)); }

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> table {
    npy_format(),
#if TESSERA_HAVE_PNG
        png_format(),
#else
        left_out("PNG", {".png"}, "libpng"),
#endif
#if TESSERA_HAVE_TIFF
        tiff_format(),
#else
        left_out("TIFF", {".tif", ".tiff", ".btf"}, "libtiff"),
#endif
#if TESSERA_HAVE_FITS
        fits_format(),
#else
        left_out("FITS", {".fits", ".fit", ".fts"}, "cfitsio"),
#endif
#if TESSERA_HAVE_JPEG
        jpeg_format(),
#else
        left_out("JPEG", {".jpg", ".jpeg"}, "libjpeg"),
#endif
        video_format(), raw_format(), refused("BMP", {".bmp"}, is_bmp),
        refused("GIF", {".gif"}, is_gif), refused("ICO", {".ico"}, is_ico),
  };
  return table;
}

// A format without a signature (raw) goes by its name. So does a file that is too short or too
// damaged to identify: its reader says what is wrong.
const Format& format_to_read(const std::string& path) {
  char bytes[64] = {};
  const File file = File::open_to_read(path);
  const auto count = static_cast<size_t>(file.read_some(0, bytes, sizeof bytes));
  const Format* named = format_of_name(path);
  const Format* format = format_of_bytes({bytes, count});
  if (!format || (named && named->can_read() && !named->matches)) format = named;
  if (!format)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: neither its first bytes nor its name belong to a format that can be "
                    "read: {}",
                    path, names_where(&Format::can_read)));
  if (format->refused)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: it is a {} file, which cannot be read; convert it to PNG or TIFF first",
                    path, format->name));
  if (!format->built_in()) throw missing_library(ErrorKind::input, path, *format);
  if (!format->can_read())
    throw Error(ErrorKind::input, fmt::format("{}: {} can only be written", path, format->name));
  return *format;
}

const Format* format_of_name(const std::string& path) {
  return format_with_extension(extension_of(path));
}

std::string format_names() { return names_where(&Format::built_in); }

std::unique_ptr<ImageSource> open_image(const std::string& name, const ReadOptions& given) {
  const auto [path, hdu] = split_hdu(name);
  ReadOptions options = given;
  if (!hdu.empty()) options.hdu = hdu;
  const Format& format = format_to_read(path);
  check_options(path, format, options);
  const bool by_library = *format.library != '\0';
  auto source = by_library && options.limits.sandbox == Sandbox::on
                    ? open_in_sandbox(path, format, options)
                    : format.open(path, options);
  source->set_format(format.name);
  return options.upright ? upright_source(std::move(source), path, options.limits)
                         : std::move(source);
}

std::unique_ptr<ImageSink> create_image(const std::string& path, const ImageInfo& info,
                                        const WriteOptions& options) {
  const Format& format = format_to_write(path);
  check_image_to_write(path, info);
  check_ranges(path, options);
  WriteOptions how = options;
  how.metadata = held_metadata(format.holds, info, options.metadata).held;
  const bool in_order = !format.any_order || !format.any_order(how);
  if (is_part()) return std::make_unique<UnwrittenSink>(format.create(path, info, how));
  if (ranks().count() > 1 && !ranks().apart() && in_order)
    return std::make_unique<SpooledSink>(path, info,
                                         [&] { return format.create(path, info, how); });
  return format.create(path, info, how);
}

Image read_image(const std::string& path, const ReadOptions& options,
                 std::vector<std::string>* warnings, bool page_locked) {
  const auto source = open_image(path, options);
  check_memory(path, source->info(), options.limits);
  Image image = page_locked ? page_locked_image(source->info()) : Image(source->info());
  source->read({0, source->info().size.height}, image.view());
  if (warnings) *warnings = source->warnings();
  return image;
}

ImageMetadata read_metadata(const std::string& path, const ReadOptions& options) {
  return open_image(path, options)->metadata();
}

void write_image(const std::string& path, AnyView view, const WriteOptions& options) {
  const auto sink = create_image(path, view.info(), options);
  sink->write({0, view.size.height}, view);
  sink->finish();
}

}  // namespace tessera
