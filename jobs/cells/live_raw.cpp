// SPDX-License-Identifier: Apache-2.0
// Raw frames of a pipe or a growing file.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "io/file.hpp"
#include "io/limits.hpp"
#include "io/packed_rows.hpp"
#include "io/raw/raw.hpp"
#include "jobs/cells/live_frames.hpp"
#include "jobs/job_files.hpp"

namespace tessera {
namespace {

RawLayout layout_of(const std::string& name, const std::string& text) {
  if (text.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{}: raw frames have no header; give --raw WIDTHxHEIGHT:TYPE, such as "
                            "640x480:u8",
                            name));
  const RawLayout layout = parse_raw_layout(text);
  if (!layout.items().plain())
    throw Error(ErrorKind::usage,
                fmt::format("{}: raw frames are {}; they can be u8, u16, f32 or f64", name,
                            name_of(layout.type)));
  return layout;
}

/// Planes of the layout are the number of frames, if it is given; 1 is its default.
class RawFrames : public LiveFrames {
 public:
  std::string format() const override { return "raw"; }

 protected:
  RawFrames(const std::string& name, const FilmReading& reading, const LiveEnd& end)
      : LiveFrames(end, reading), name_(name), layout_(layout_of(name, reading.raw)) {
    ClaimedSize one = layout_.size;
    if (one.planes > 1) limit_to(one.planes);
    one.planes = 1;
    frame_ = checked_info(name, one, layout_.type, reading.limits);
    set_info(frame_);
    bytes_ = row_bytes(frame_) * frame_.size.height;
  }

  void decode(unsigned char* samples) const {
    decode_items(layout_.items(), samples, samples, frame_.size.samples());
  }
  std::string rest_text(long long got) const {
    if (got == 0) return "";
    return fmt::format("{}: it ends within frame {}: {} of its {} bytes are there", name_,
                       first_ + next_, got, bytes_);
  }

  std::string name_;
  RawLayout layout_;
  ImageInfo frame_;
  long long bytes_ = 0;  ///< of a frame
};

class PipedFrames : public RawFrames {
 public:
  PipedFrames(const std::string& input, const FilmReading& reading, const LiveEnd& end)
      : RawFrames(input_name(input), reading, end),
        request_(end.request),
        // Without O_NONBLOCK it would wait here for a writer, and hear no signal.
        pipe_(input == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                           : open_file(input, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
              input_name(input)),
        to_skip_(layout_.skip + reading.first_frame * bytes_),
        buffer_(static_cast<std::size_t>(bytes_)) {
    if (pipe_.descriptor() < 0)
      throw system_error(ErrorKind::input, name_, "cannot be opened", errno);
  }

 protected:
  Next look() override {
    while (got_ < bytes_) {
      pollfd entry{pipe_.descriptor(), POLLIN, 0};
      if (::poll(&entry, 1, 0) <= 0) return Next::not_yet;
      const long long wanted = to_skip_ > 0 ? std::min(to_skip_, bytes_) : bytes_ - got_;
      const auto got = ::read(pipe_.descriptor(), buffer_.data() + (to_skip_ > 0 ? 0 : got_),
                              static_cast<std::size_t>(wanted));
      if (got == 0) return ended("the pipe ended");
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) return Next::not_yet;
      if (got < 0) throw system_error(ErrorKind::input, name_, "cannot be read", errno);
      (to_skip_ > 0 ? to_skip_ -= got : got_ += got);
    }
    return Next::ready;
  }
  void pause(double seconds) override { request_.wait_for(pipe_.descriptor(), seconds); }
  void read_next(AnyMutableView to) override {
    std::copy_n(buffer_.data(), bytes_, to.address(0, 0));
    decode(to.address(0, 0));
    got_ = 0;
  }
  std::string rest() const override { return rest_text(got_); }

 private:
  const EndRequest& request_;
  File pipe_;
  long long to_skip_;
  std::vector<unsigned char> buffer_;
  long long got_ = 0;  ///< bytes of the next frame
};

class GrowingRaw : public RawFrames {
 public:
  GrowingRaw(const std::string& input, const FilmReading& reading, const LiveEnd& end)
      : RawFrames(input, reading, end), file_(File::open_to_read(input)) {}

 protected:
  Next look() override { return held() >= bytes_ ? Next::ready : Next::not_yet; }
  void read_next(AnyMutableView to) override {
    file_.read_all(offset(), to.address(0, 0), bytes_);
    decode(to.address(0, 0));
  }
  std::string rest() const override { return rest_text(held()); }

 private:
  long long offset() const { return layout_.skip + (1LL * first_ + next_) * bytes_; }
  long long held() const { return std::max(0LL, file_.bytes() - offset()); }

  File file_;
};

}  // namespace

std::unique_ptr<LiveFrames> open_live_pipe(const std::string& input, const FilmReading& reading,
                                           const LiveEnd& end) {
  return std::make_unique<PipedFrames>(input, reading, end);
}

std::unique_ptr<LiveFrames> open_live_raw(const std::string& input, const FilmReading& reading,
                                          const LiveEnd& end) {
  return std::make_unique<GrowingRaw>(input, reading, end);
}

}  // namespace tessera
