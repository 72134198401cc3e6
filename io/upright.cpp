// SPDX-License-Identifier: Apache-2.0
#include "io/upright.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/memory.hpp"
#include "core/pools.hpp"
#include "core/stop.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

// The orientation as mirrors of the stored image and an exchange of rows and columns after them.
bool swaps_axes(int orientation) { return orientation >= 5; }
bool mirrors_columns(int orientation) {
  return orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
}
bool mirrors_rows(int orientation) {
  return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
}

AnyMutableView mirrored(AnyMutableView view, bool columns, bool rows) {
  view.data = view.address(columns ? view.size.width - 1 : 0, rows ? view.size.height - 1 : 0);
  if (columns) view.pixel = -view.pixel;
  if (rows) view.row = -view.row;
  return view;
}

ImageMetadata turned(ImageMetadata metadata) {
  if (swaps_axes(metadata.orientation)) std::swap(metadata.across, metadata.down);
  metadata.orientation = 1;
  return metadata;
}

class UprightSource : public ImageSource {
 public:
  explicit UprightSource(std::unique_ptr<ImageSource> inner)
      : inner_(std::move(inner)),
        stored_(inner_->info()),
        orientation_(inner_->metadata().orientation) {}

  ImageInfo info() const override { return stored_; }
  bool planes_in_turn() const override { return inner_->planes_in_turn(); }
  std::string format() const override { return inner_->format(); }
  std::vector<FileDetail> details() const override {
    std::vector<FileDetail> list = inner_->details();
    for (FileDetail& detail : list)
      if (detail.name == "orientation") detail.value += "; applied";
    return list;
  }
  StackAxes axes() const override { return inner_->axes(); }
  ImageMetadata metadata() const override { return turned(inner_->metadata()); }
  std::vector<std::string> warnings() const override { return inner_->warnings(); }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(stored_, rows, to.info());
    const int height = stored_.size.height;
    const bool upwards = mirrors_rows(orientation_);
    inner_->read_plane(plane, upwards ? Rows{height - rows.end, height - rows.first} : rows,
                       mirrored(to, mirrors_columns(orientation_), upwards));
  }

 protected:
  std::unique_ptr<ImageSource> inner_;
  ImageInfo stored_;
  int orientation_;
};

/// Rows become columns: every row needs the whole plane.
class TurnedSource : public UprightSource {
 public:
  using UprightSource::UprightSource;

  ImageInfo info() const override {
    ImageInfo info = stored_;
    std::swap(info.size.width, info.size.height);
    return info;
  }
  bool planes_in_turn() const override { return true; }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(info(), rows, to.info());
    if (plane != held_plane_) hold(plane);
    const AnyMutableView stored =
        mirrored(held_.view(), mirrors_columns(orientation_), mirrors_rows(orientation_));
    // Squares of pixels stay in the cache while their rows become columns.
    constexpr int kSquare = 32;
    const int bytes = stored_.size.channels * bytes_of(stored_.type);
    for (int y = rows.first; y < rows.end; y += kSquare) {
      poll_stop();
      for (int x = 0; x < to.size.width; x += kSquare)
        for (int v = y; v < std::min(y + kSquare, rows.end); ++v)
          for (int u = x; u < std::min(x + kSquare, to.size.width); ++u)
            std::memcpy(to.address(u, v - rows.first), stored.address(v, u),
                        static_cast<std::size_t>(bytes));
    }
  }

 private:
  void hold(int plane) {
    ImageInfo one = stored_;
    one.size.planes = 1;
    if (!held_) held_ = Image(one);
    held_plane_ = -1;
    inner_->read_plane(plane, {0, one.size.height}, held_.view());
    held_plane_ = plane;
  }

  Image held_;
  int held_plane_ = -1;
};

void check_held(const std::string& path, ImageInfo info, const ReadLimits& limits) {
  info.size.planes = 1;
  const auto needed = static_cast<double>(bytes_of(info));
  const auto most = limits.bytes > 0 ? static_cast<double>(limits.bytes)
                                     : static_cast<double>(available_memory());
  if (needed > most)
    throw Error(ErrorKind::resources,
                fmt::format("{}: the option upright turns its rows into columns, for which {} must "
                            "be in memory; {} may be: raise the limit or leave upright out",
                            path, bytes_text(needed), bytes_text(most)));
}

}  // namespace

std::unique_ptr<ImageSource> upright_source(std::unique_ptr<ImageSource> source,
                                            const std::string& path, const ReadLimits& limits) {
  const int orientation = source->metadata().orientation;
  if (orientation == 1) return source;
  if (!swaps_axes(orientation)) return std::make_unique<UprightSource>(std::move(source));
  check_held(path, source->info(), limits);
  return std::make_unique<TurnedSource>(std::move(source));
}

}  // namespace tessera
