// SPDX-License-Identifier: Apache-2.0
/// An image file while it is read or written: rows of planes, what is known of the file beside its
/// samples, and what the reader had to make up.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "core/strips.hpp"
#include "io/limits.hpp"
#include "tessera/image_files.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

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
