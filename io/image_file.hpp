// SPDX-License-Identifier: Apache-2.0
/// An image file while it is read or written: rows of planes, what is known of the file beside its
/// samples, and what the reader had to make up.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/strips.hpp"
#include "io/limits.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct ReadOptions {
  bool allow_truncated = false;
  std::optional<int> page;
  std::string raw;
  int first_frame = 0;
  std::optional<int> frames;
  ReadLimits limits;

  static constexpr auto fields() {
    using O = ReadOptions;
    return std::tuple{
        field("allow-truncated", &O::allow_truncated,
              "fill what a damaged or short file lacks with NaN (0 for integers) and warn"),
        field("page", &O::page, "one page of a TIFF or HDU of a FITS, counted from 0"),
        field("raw", &O::raw,
              "what a .raw file holds: WIDTHxHEIGHT[xCHANNELS[xPLANES]]:TYPE"
              "[:big][:skip=BYTES]"),
        field("first-frame", &O::first_frame, "the first frame of a video, counted from 0"),
        field("frames", &O::frames, "how many frames of a video; auto is to its end"),
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
  /// How the image came to be: version, what ran, parameters. Formats with a place for it keep it:
  /// HISTORY cards of FITS, the description of a TIFF.
  std::vector<std::string> history;
  /// The command line, for FITS: there the habit is to keep it. Elsewhere the same options give the
  /// same file.
  std::string command;
  /// The input's header, where it is a FITS, and its pixel that became the output's first.
  std::vector<std::string> header;
  Point origin;
  int plane = 0;  ///< the same for planes
  /// Zeros are left out of NPY, raw and plain FITS files, as holes that take no disk.
  bool sparse = false;

  static constexpr auto fields() {
    using O = WriteOptions;
    return std::tuple{
        field("force", &O::force, kForceHelp),
        field("compression", &O::compression, "how a TIFF or FITS is compressed; auto is not"),
        field("quality", &O::quality, "of a JPEG, 1 to 100"),
        field("frame-rate", &O::frame_rate, "frames a second of a video"),
    };
  }
};

/// What `tessera info FILE` says beside size and type: {"compression", "deflate"}.
struct FileDetail {
  std::string name, value;

  static constexpr auto fields() {
    using D = FileDetail;
    return std::tuple{field("name", &D::name, "what it is"),
                      field("value", &D::value, "what the file has")};
  }
};

class ImageSource : public RowSource {
 public:
  /// All planes, one after the other.
  void read(Rows rows, AnyMutableView to) override;
  /// `to` has one plane.
  virtual void read_plane(int plane, Rows rows, AnyMutableView to) = 0;
  /// Whether going through the file plane after plane costs much less than row after row.
  virtual bool planes_in_turn() const { return false; }

  /// "PNG"; set by open_image.
  virtual std::string format() const { return format_; }
  void set_format(const std::string& name) { format_ = name; }
  virtual std::vector<FileDetail> details() const { return {}; }
  /// Cards of a FITS header, 80 characters each.
  virtual std::vector<std::string> header() const { return {}; }
  /// One sentence for everything that --allow-truncated filled.
  virtual std::vector<std::string> warnings() const { return warnings_; }

 protected:
  /// Keeps a sentence, once.
  void warn(const std::string& sentence);

 private:
  std::string format_;
  std::vector<std::string> warnings_;
};

/// What --allow-truncated puts where a file has nothing: NaN, or 0 for integers.
void fill_missing(Type type, void* samples, long long count);
void fill_missing(AnyMutableView to);

class ImageSink : public RowSink {
 public:
  /// All planes, one after the other.
  void write(Rows rows, AnyView from) override;
  /// `from` has one plane. Rows of a plane come in ascending order.
  virtual void write_plane(int plane, Rows rows, AnyView from) = 0;
  /// Whether all rows of a plane have to come before those of the next.
  virtual bool planes_in_turn() const { return false; }
};

}  // namespace tessera
