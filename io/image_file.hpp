// SPDX-License-Identifier: Apache-2.0
/// Interfaces for reading and writing an image file: rows of planes, details about the file, and
/// warnings about samples that the reader had to fill in.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "core/strips.hpp"
#include "io/beam_table.hpp"
#include "io/limits.hpp"
#include "io/stack_axes.hpp"
#include "tessera/image_files.hpp"
#include "tessera/image_metadata.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A detail that `tessera info FILE` prints after size and type: {"compression", "deflate"}.
struct FileDetail {
  std::string name, value;

  static constexpr auto fields() {
    using D = FileDetail;
    return std::tuple{field("name", &D::name, "name of the detail"),
                      field("value", &D::value, "its value in the file")};
  }
};

class ImageSource : public RowSource {
 public:
  /// All planes, one after the other.
  void read(Rows rows, AnyMutableView to) override;
  /// `to` has one plane.
  virtual void read_plane(int plane, Rows rows, AnyMutableView to) = 0;
  /// Whether reading plane after plane is much faster than reading the same rows of all planes.
  virtual bool planes_in_turn() const { return false; }

  /// "PNG"; set by open_image.
  virtual std::string format() const { return format_; }
  void set_format(const std::string& name) { format_ = name; }
  virtual std::vector<FileDetail> details() const { return {}; }
  /// Frames, slices and channels of a stack, if the file says which planes they are.
  virtual StackAxes axes() const { return {}; }
  /// Cards of a FITS header, 80 characters each.
  virtual std::vector<std::string> header() const { return {}; }
  /// Orientation, resolution, colour profile and others that outputs carry on.
  virtual ImageMetadata metadata() const { return {}; }
  /// Beams of the planes, if the file has a table of them.
  virtual BeamTable beams() const { return {}; }
  /// One sentence for everything that allow-truncated filled in, that is left out, or that may be
  /// damaged.
  virtual std::vector<std::string> warnings() const { return warnings_; }

 protected:
  /// Adds a warning, unless it is already there.
  void warn(const std::string& sentence);

 private:
  std::string format_;
  std::vector<std::string> warnings_;
};

/// The value that allow-truncated puts in place of missing samples: NaN, or 0 for integers.
void fill_missing(Type type, void* samples, long long count);
void fill_missing(AnyMutableView to);

/// The history to keep in a file: that of the options, and the date if it is asked for.
std::vector<std::string> history_to_write(const WriteOptions& options);

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
