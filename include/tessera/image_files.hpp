// SPDX-License-Identifier: Apache-2.0
/// Whole image files: PNG, JPEG, TIFF, FITS, NPY, raw samples and videos (docs/files.md).
///
///     tessera::Image image = tessera::read_image("in.png");
///     tessera::write_image("out.npy", image.view(), {.force = true});
///
/// Programs that use it link tessera::files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/image_metadata.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

enum class Sandbox : unsigned char { off, on };
template <>
struct Names<Sandbox> {
  static constexpr std::array<std::pair<std::string_view, Sandbox>, 2> list{
      {{"off", Sandbox::off}, {"on", Sandbox::on}}};
};

/// Every limit is an option of the commands that read images: --max-side, --max-pixels …
struct ReadLimits {
  long long side = 1LL << 20;
  long long pixels = 1LL << 30;
  long long pages = 1LL << 16;
  long long tags = 1LL << 12;
  long long expansion = 200;
  long long bytes = 0;
  Sandbox sandbox = Sandbox::off;

  static constexpr auto fields() {
    using L = ReadLimits;
    return std::tuple{
        field("max-side", &L::side, "largest width and height that a file may have"),
        field("max-pixels", &L::pixels, "most pixels held in memory at once"),
        field("max-pages", &L::pages, "most pages, planes or frames of a file"),
        field("max-tags", &L::tags, "most entries of a page's header"),
        field("max-expansion", &L::expansion,
              "most decoded bytes per byte of the file, for images over 256 MiB"),
        field("max-bytes", &L::bytes,
              "most bytes of samples held in memory at once; 0: the free memory"),
        field("sandbox", &L::sandbox,
              "on: PNG, JPEG, TIFF and FITS are decoded in a process without rights, for files of "
              "strangers"),
    };
  }
};

struct ReadOptions {
  bool allow_truncated = false;
  std::optional<int> page;
  std::string raw;
  int first_frame = 0;
  std::optional<int> frames;
  bool upright = false;
  /// An HDU of a FITS by its EXTNAME, "SCI" or "SCI,2"; names such as "cube.fits[SCI]" set it.
  std::string hdu;
  ReadLimits limits;

  static constexpr auto fields() {
    using O = ReadOptions;
    return std::tuple{
        field("allow-truncated", &O::allow_truncated,
              "fill missing parts of a damaged or short file with NaN (0 for integers) and warn"),
        field("page", &O::page, "one page of a TIFF or HDU of a FITS, counted from 0"),
        field("raw", &O::raw,
              "contents of a .raw file: WIDTHxHEIGHT[xCHANNELS[xPLANES]]:TYPE"
              "[:big][:skip=BYTES]"),
        field("first-frame", &O::first_frame, "the first frame of a video, counted from 0"),
        field("frames", &O::frames, "number of frames of a video; auto: to its end"),
        field("upright", &O::upright,
              "turn and mirror the image as its orientation (EXIF, TIFF tag 274) says"),
    };
  }
};

enum class Compression : unsigned char { automatic, none, deflate, lzw, packbits, zstd, rice };
template <>
struct Names<Compression> {
  static constexpr std::array<std::pair<std::string_view, Compression>, 7> list{
      {{"auto", Compression::automatic},
       {"none", Compression::none},
       {"deflate", Compression::deflate},
       {"lzw", Compression::lzw},
       {"packbits", Compression::packbits},
       {"zstd", Compression::zstd},
       {"rice", Compression::rice}}};
};

struct WriteOptions {
  bool force = false;
  Compression compression = Compression::automatic;
  int quality = 95;
  double frame_rate = 25;
  /// Without it the same image and options give the same bytes, whenever and wherever.
  bool stamp = false;
  /// How the image was made: version, method, parameters. Formats with a place for it keep it:
  /// HISTORY cards of FITS, the description of a TIFF.
  std::vector<std::string> history;
  /// The command line, for FITS, where it is customary to keep it. In other formats the same
  /// options give the same file.
  std::string command;
  /// The input's header, if it is a FITS, and the input pixel that became the output's first.
  std::vector<std::string> header;
  Point origin;
  int plane = 0;  ///< the same for planes
  /// The input's orientation, resolution, colour profile …; the format keeps what it can hold.
  ImageMetadata metadata;
  /// Zeros are left out of NPY, raw and plain FITS files, as holes that take no disk space.
  bool sparse = false;

  static constexpr auto fields() {
    using O = WriteOptions;
    return std::tuple{
        field("force", &O::force, kForceHelp),
        field("compression", &O::compression, "compression of a TIFF or FITS; auto: none"),
        field("quality", &O::quality, "of a JPEG", Range{1, 100}),
        field("frame-rate", &O::frame_rate, "of a video", Range{0.001, 1000, "frames per second"}),
        field("stamp", &O::stamp,
              "add the date, and for faraday the seconds, to the history in a FITS or TIFF"),
    };
  }
};

/// The whole image, in the format that its first bytes show, otherwise its extension. Throws
/// Error(input) naming the file and what is wrong with it, Error(resources) if it does not fit in
/// memory. `warnings` receives a sentence for every part that `allow_truncated` filled. With
/// `page_locked` it is a page_locked_image.
TESSERA_API Image read_image(const std::string& path, const ReadOptions& options = {},
                             std::vector<std::string>* warnings = nullptr,
                             bool page_locked = false);

/// Orientation, profile and the like. Copied to WriteOptions::metadata, it goes on to another file.
TESSERA_API ImageMetadata read_metadata(const std::string& path, const ReadOptions& options = {});

/// `view` is in host memory, with any steps; the format follows from the extension. The file
/// appears whole or not at all. Throws Error(usage) for a name, size or type the format cannot take
/// and for a file that exists.
TESSERA_API void write_image(const std::string& path, AnyView view,
                             const WriteOptions& options = {});

}  // namespace tessera
