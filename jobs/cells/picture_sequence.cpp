// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/picture_sequence.hpp"

#include <fmt/format.h>

#include "io/formats.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

class PictureSequence : public ImageSource {
 public:
  PictureSequence(std::vector<std::string> files, const ReadOptions& options)
      : files_(std::move(files)), options_(options) {
    check_count(files_.front(), "pages", static_cast<long long>(files_.size()),
                options.limits.pages);
    open_picture(0);
    picture_ = open_->info();
    if (picture_.size.planes != 1)
      throw Error(ErrorKind::input, fmt::format("{}: it holds {} frames; the files of one film "
                                                "hold one frame each: give films one by one",
                                                files_.front(), picture_.size.planes));
    info_ = picture_;
    info_.size.planes = static_cast<int>(files_.size());
  }

  ImageInfo info() const override { return info_; }
  bool planes_in_turn() const override { return true; }
  std::string format() const override { return open_->format() + " pictures"; }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    if (plane != opened_) open_picture(plane);
    if (open_->info() != picture_)
      throw Error(
          ErrorKind::input,
          fmt::format("{}: it is {}, the first picture is {}; the pictures of a film must be alike",
                      files_[static_cast<std::size_t>(plane)], describe(open_->info()),
                      describe(picture_)));
    open_->read_plane(0, rows, to);
  }

 private:
  void open_picture(int plane) {
    open_ = open_image(files_[static_cast<std::size_t>(plane)], options_);
    opened_ = plane;
  }

  std::vector<std::string> files_;
  ReadOptions options_;
  ImageInfo info_, picture_;
  std::unique_ptr<ImageSource> open_;
  int opened_ = -1;
};

}  // namespace

std::unique_ptr<ImageSource> open_pictures(const std::vector<std::string>& files,
                                           const ReadOptions& options) {
  return std::make_unique<PictureSequence>(files, options);
}

}  // namespace tessera
