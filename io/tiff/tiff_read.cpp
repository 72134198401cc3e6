// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tiffio.h>

#include <filesystem>
#include <memory>

#include "core/counted.hpp"
#include "io/packed_rows.hpp"
#include "io/tiff/tiff.hpp"
#include "io/tiff/tiff_axes.hpp"
#include "io/tiff/tiff_blocks.hpp"
#include "io/tiff/tiff_file.hpp"
#include "io/tiff/tiff_images.hpp"

namespace tessera {
namespace {

/// The number of pages left out that `tessera info` names; the rest are counted.
constexpr size_t kMostNamed = 8;
/// Most bytes of a description that are looked at: OME-XML has some 100 bytes per plane, ImageJ's
/// lines are few.
constexpr long long kMostOme = 64LL << 20, kMostImageJ = 64LL << 10;

class TiffSource : public ImageSource {
 public:
  TiffSource(const std::string& path, const ReadOptions& options) : file_(path), options_(options) {
    std::string warning;
    directories_ = file_.directories(options.limits, options.allow_truncated, warning);
    if (!warning.empty()) warn(warning);
    find_images();
    if (options.page)
      choose_page(*options.page);
    else
      choose_planes();
    check_expansion(path, info_, file_.bytes(), options.limits);
  }

  ImageInfo info() const override { return info_; }
  bool planes_in_turn() const override { return info_.size.planes > 1; }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(info_, rows, to.info());
    const int page = first_page_ + plane;
    if (!blocks_ || blocks_->page().directory.page != page) open_page(page);
    blocks_->read(rows, to);
  }

  std::vector<FileDetail> details() const override {
    std::vector<FileDetail> list = tiff_details(file_, first_);
    list.push_back({"pages", fmt::format("{}{}", pages(),
                                         images_.count > 0 ? ", without their own "
                                                             "directories"
                                                           : "")});
    if (!left_out_.empty()) list.push_back({"left out", left_out_});
    const StackAxes found = axes();
    if (!found.planes.empty())
      list.push_back({"axes", fmt::format("{} ({})", found.text(), found.from)});
    if (found.um_per_pixel > 0)
      list.push_back({"pixel size", fmt::format("{:.6g} um", found.um_per_pixel)});
    if (found.seconds_per_frame > 0)
      list.push_back({"frame interval", fmt::format("{:.6g} s", found.seconds_per_frame)});
    return list;
  }

  ImageMetadata metadata() const override {
    ImageMetadata metadata = tiff_metadata(file_, first_);
    if (turned_page_ > 0) {
      metadata.orientation = 1;
      metadata.others.emplace_back("orientations, which differ between its pages");
    }
    return metadata;
  }

  StackAxes axes() const override {
    if (options_.page) return {};
    TiffStack stack;
    stack.name = std::filesystem::path(file_.path()).filename().string();
    stack.description = tiff_text(file_, first_.directory, TIFFTAG_IMAGEDESCRIPTION, kMostOme);
    stack.x_per_unit = tiff_rational(file_, first_.directory, TIFFTAG_XRESOLUTION);
    stack.y_per_unit = tiff_rational(file_, first_.directory, TIFFTAG_YRESOLUTION);
    stack.resolution_unit = tiff_resolution_unit(file_, first_);
    stack.planes = info_.size.planes;
    stack.samples = info_.size.channels;
    stack.most_planes = options_.limits.pages;
    return tiff_axes(stack);
  }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> list = ImageSource::warnings();
    if (!losses_.blocks.empty())
      list.push_back(fmt::format("{}; the missing parts of {} were filled in", losses_.first,
                                 losses_.blocks.size() == 1
                                     ? "a strip or tile"
                                     : fmt::format("{} strips or tiles", losses_.blocks.size())));
    return list;
  }

 private:
  int pages() const {
    return images_.count > 0 ? images_.count : static_cast<int>(directories_.size());
  }

  /// Before pages are chosen: images that only ImageJ's description tells of are pages too.
  void find_images() {
    const TiffDirectory directory = file_.directory(directories_[0], 0);
    const std::string description =
        tiff_text(file_, directory, TIFFTAG_IMAGEDESCRIPTION, kMostImageJ);
    if (imagej_images(description) <= std::ssize(directories_)) return;
    stack_ = read_page(0);
    images_ = find_tiff_images(file_, stack_, directories_, description, options_.limits);
    if (images_.missing.empty()) return;
    if (!options_.allow_truncated) throw Error(ErrorKind::input, images_.missing);
    warn(images_.missing + "; the others are filled in");
  }

  TiffPage read_page(int page) const {
    if (images_.count > 0) return tiff_image(file_, stack_, images_, page);
    return read_tiff_page(file_, directories_[static_cast<size_t>(page)], page, options_.limits);
  }

  void open_page(int page) {
    TiffPage opened = read_page(page);
    blocks_.reset();
    blocks_ = std::make_unique<TiffBlocks>(file_, std::move(opened), options_.limits,
                                           options_.allow_truncated ? &losses_ : nullptr);
  }

  void choose_page(int page) {
    if (page < 0 || page >= pages())
      throw Error(ErrorKind::usage,
                  fmt::format("{}: there is no page {}; it has {}, counted from 0", file_.path(),
                              page, pages()));
    start_with(page);
  }

  void start_with(int page) {
    open_page(page);
    first_ = blocks_->page();
    info_ = first_.info;
    first_page_ = page;
  }

  /// The first page and those that follow it with the same size, channels and type.
  void choose_planes() {
    start_with(0);
    if (images_.count > 0) {
      info_.size.planes = images_.count;
      return;
    }
    const auto pages = static_cast<int>(directories_.size());
    int planes = 1, out = 0;
    bool lost = false;
    for (int page = 1; page < pages; ++page) {
      // Pages that are left out are read only to be named, and to see whether one is lost.
      const Difference here =
          static_cast<size_t>(out) < kMostNamed || !lost ? difference(page) : Difference{};
      if (here.kind.empty() && out == 0) {
        ++planes;
        if (here.turned && turned_page_ == 0) turned_page_ = page;
        continue;
      }
      lost |= !here.other_version;
      if (static_cast<size_t>(++out) <= kMostNamed)
        left_out_ += fmt::format("{}page {} ({})", out == 1 ? "" : ", ", page,
                                 here.kind.empty() ? "after a page of another kind" : here.kind);
    }
    if (static_cast<size_t>(out) > kMostNamed)
      left_out_ += fmt::format(" and {} more", static_cast<size_t>(out) - kMostNamed);
    info_.size.planes = planes;
    if (turned_page_ > 0 && options_.upright)
      throw Error(ErrorKind::input,
                  fmt::format("{}: pages 0 and {} have different orientations; with the option "
                              "upright all must have the same: the option page reads one",
                              file_.path(), turned_page_));
    if (lost)
      warn(
          fmt::format("{}: {} of its {} pages {} read; left out: {}; the option page reads any "
                      "one of them",
                      file_.path(), planes, pages, planes == 1 ? "is" : "are", left_out_));
  }

  /// How a page differs from the first.
  struct Difference {
    std::string kind;            ///< empty if it is one more plane
    bool other_version = false;  ///< nothing is lost without it
    bool turned = false;         ///< it has another orientation
  };
  Difference difference(int page) const {
    try {
      const TiffPage other = read_page(page);
      if (other.info == first_.info && other.other_version == first_.other_version)
        return {"", false, other.orientation != first_.orientation};
      return {tiff_kind(other), other.other_version};
    } catch (const UnsupportedTiff& error) {
      // "FILE: page 3: " would only be repeated there.
      const std::string sentence = error.what();
      return {sentence.substr(fmt::format("{}: page {}: ", file_.path(), page).size())};
    }
  }

  TiffFile file_;
  ReadOptions options_;
  std::vector<long long> directories_;
  TiffImages images_;
  TiffPage stack_;  ///< the page with the only directory, if there are such images
  TiffPage first_;
  ImageInfo info_;
  int first_page_ = 0;
  int turned_page_ = 0;  ///< the first whose orientation differs from the first page's; 0: none
  std::string left_out_;
  TiffLosses losses_;
  std::unique_ptr<TiffBlocks> blocks_;  ///< of the last page that was read
};

bool is_tiff(std::string_view first_bytes) {
  for (const std::string_view start : {std::string_view("II*\0", 4), std::string_view("MM\0*", 4),
                                       std::string_view("II+\0", 4), std::string_view("MM\0+", 4)})
    if (first_bytes.starts_with(start)) return true;
  return false;
}

std::unique_ptr<ImageSource> open_tiff(const std::string& path, const ReadOptions& options) {
  return std::make_unique<TiffSource>(path, options);
}

}  // namespace

Format tiff_format() {
  Format format{"TIFF", {".tif", ".tiff", ".btf"}, "libtiff", is_tiff, open_tiff, create_tiff};
  format.any_order = [](const WriteOptions&) { return true; };
  format.pages = true;
  format.holds = {.orientation = true,
                  .white_is_zero = true,
                  .resolution = true,
                  .profile = true,
                  .exif = true,
                  .description = true};
  return format;
}

}  // namespace tessera
