// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "core/counted.hpp"
#include "io/child_process.hpp"
#include "io/packed_rows.hpp"
#include "io/video/video.hpp"
#include "io/video/video_probe.hpp"
#include "io/video/video_program.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// The same pixels on every machine, colours at full resolution.
constexpr const char* kConversion = "bicubic+accurate_rnd+full_chroma_int+bitexact";

struct FrameRange {
  int first = 0, count = 0;
};

FrameRange chosen_frames(const std::string& path, const ReadOptions& options, int frames) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}; it has {}, counted from 0", path, what, frames));
  };
  const int first = options.first_frame;
  if (first < 0 || first >= frames) refuse(fmt::format("there is no frame {}", first));
  const int count = options.frames.value_or(frames - first);
  if (count < 1 || count > frames - first)
    refuse(fmt::format("{} from frame {} on cannot be read", counted(count, "frame"), first));
  return {first, count};
}

void check_first_bytes(const File& file) {
  char bytes[64] = {};
  const auto count = static_cast<size_t>(file.read_some(0, bytes, sizeof bytes));
  if (!is_video({bytes, count}))
    throw Error(ErrorKind::input, file.path() +
                                      ": it does not begin like a video; AVI, MP4, MOV, Matroska, "
                                      "WebM and MPEG can be read");
}

class VideoSource : public ImageSource, public TimedFrames {
 public:
  VideoSource(const std::string& path, const ReadOptions& options)
      : file_(File::open_to_read(path)), allow_truncated_(options.allow_truncated) {
    check_first_bytes(file_);
    facts_ = probe_video(file_);
    range_ = chosen_frames(path, options, facts_.frames);
    info_ = checked_info(path, {facts_.width, facts_.height, facts_.grey ? 1 : 3, range_.count},
                         facts_.type(), options.limits);
    ImageInfo frame = info_;
    frame.size.planes = 1;
    check_memory(path, frame, options.limits);
    video_program(path, "ffmpeg");  // if it is missing, this is reported before anything is done
  }

  ImageInfo info() const override { return info_; }
  std::vector<FileDetail> details() const override { return facts_.details(); }
  bool planes_in_turn() const override { return true; }
  FrameTiming timing() const override { return {facts_.frame_rate, facts_.variable_rate}; }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(info_, rows, to.info());
    if (plane < current_ || !started_) start(plane);
    while (current_ < plane) advance();
    for (int row = rows.first; row < rows.end; ++row)
      scatter_row(frame_.view().address(0, row), to, row - rows.first);
  }

 private:
  void start(int plane) {
    ImageInfo frame = info_;
    frame.size.planes = 1;
    if (!frame_) frame_ = Image(frame);
    child_.reset();
    child_ = std::make_unique<ChildProcess>(ChildPlan{.subject = file_.path(),
                                                      .arguments = arguments(range_.first + plane),
                                                      .descriptor = file_.descriptor(),
                                                      .confined = kVideoReader});
    started_ = true;
    missing_ = false;
    damage_.clear();
    current_ = plane - 1;
  }

  // Frames are counted while they are decoded: seeking by time is not exact in every file.
  std::vector<std::string> arguments(int first) const {
    std::vector<std::string> all = video_program(file_.path(), "ffmpeg");
    const auto add = [&](const std::vector<std::string>& words) {
      all.insert(all.end(), words.begin(), words.end());
    };
    add({"-nostdin", "-noautorotate"});
    add(video_input());
    add({"-map", "0:V:0", "-vsync", "passthrough", "-sws_flags", kConversion});
    if (first > 0) add({"-vf", fmt::format("trim=start_frame={}", first)});
    add({"-pix_fmt", facts_.wanted_format(), "-c:v", "rawvideo", "-f", "rawvideo", "pipe:1"});
    return all;
  }

  void advance() {
    if (!missing_) take_frame();
    if (missing_) fill_missing(frame_.view());
    ++current_;
  }

  // Every complaint of ffmpeg is treated as damage. It runs ahead of us, so that only at the end it
  // is known whether the complaint was about a frame or about a file that is cut short.
  void take_frame() {
    const int number = range_.first + current_ + 1;
    const bool last_of_file = number + 1 == facts_.frames;
    const long long bytes = bytes_of(frame_.info());
    const bool whole = child_->read(frame_.view().data, bytes) == bytes;
    char extra = 0;
    const bool more = whole && last_of_file && child_->read(&extra, 1) > 0;
    const int code = !whole || (last_of_file && !more) ? child_->finish() : 0;
    std::string line = plain_line(child_->last_line());
    if (line.empty() && code != 0) line = fmt::format("ffmpeg ended with code {}", code);
    const std::string of = fmt::format("frame {} of {}", number, facts_.frames);
    if (damage_.empty() && !line.empty())
      damage_ = fmt::format("it is damaged at or near {}: {}", of, line);
    if (!whole)
      lose(fmt::format("it ends at {}{}{}", of, line.empty() ? "" : ": ", line), true);
    else if (more)
      lose(fmt::format("it has more than the {} that its header claims",
                       counted(facts_.frames, "frame")),
           false);
    else if (current_ + 2 == range_.count && !damage_.empty())
      lose(damage_, false);
  }

  void lose(const std::string& what, bool frame_is_missing) {
    const std::string sentence = file_.path() + ": " + what;
    if (!allow_truncated_) {
      started_ = false;
      child_.reset();
      throw Error(ErrorKind::input, sentence);
    }
    const int last = facts_.frames - 1;
    if (frame_is_missing)
      warn(fmt::format("{}; frames {} to {} are missing", sentence, range_.first + current_ + 1,
                       last));
    else
      warn(sentence);
    missing_ = frame_is_missing;
  }

  File file_;
  bool allow_truncated_;
  VideoFacts facts_;
  FrameRange range_;
  ImageInfo info_;
  Image frame_;
  std::unique_ptr<ChildProcess> child_;
  int current_ = -1;  ///< the plane in frame_
  bool started_ = false;
  bool missing_ = false;  ///< the frames after current_
  std::string damage_;    ///< the complaints of ffmpeg since it was started
};

}  // namespace

std::unique_ptr<ImageSource> open_video(const std::string& path, const ReadOptions& options) {
  return std::make_unique<VideoSource>(path, options);
}

}  // namespace tessera
