// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/live_frames.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>

#include "core/counted.hpp"
#include "io/formats.hpp"
#include "jobs/batch_files.hpp"

namespace tessera {
namespace {

/// A growing file or folder is looked at this often: a stat costs microseconds.
constexpr double kLookSeconds = 0.02;

bool has_mode(const std::string& path, mode_t kind) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

}  // namespace

LiveFrames::LiveFrames(const LiveEnd& end, const FilmReading& reading)
    : first_(reading.first_frame), end_(end), most_(reading.frames) {
  if (first_ < 0 || most_.value_or(1) < 1)
    throw Error(ErrorKind::usage,
                "cells: --first-frame is counted from 0, and --frames can be 1 or more");
}

void LiveFrames::set_info(ImageInfo frame) {
  frame.size.planes = std::numeric_limits<int>::max();
  info_ = frame;
}

void LiveFrames::limit_to(long long frames) {
  if (first_ >= frames)
    throw Error(ErrorKind::usage,
                fmt::format("cells: there is no frame {}; --raw says that there are {}, counted "
                            "from 0",
                            first_, frames));
  most_ = static_cast<int>(
      std::min(frames - first_, 1LL * most_.value_or(std::numeric_limits<int>::max())));
}

LiveFrames::Next LiveFrames::ended(std::string why, bool by_itself) {
  why_ended_ = std::move(why);
  by_itself_ = by_itself;
  return Next::end;
}

LiveFrames::Next LiveFrames::wait(double seconds) {
  const auto start = Clock::now();
  const auto since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  for (;;) {
    if (end_.request.asked()) return ended("it was asked to end", false);
    if (most_ && next_ >= *most_)
      return ended(fmt::format("{} {} read", counted(next_, "frame"), next_ == 1 ? "was" : "were"),
                   false);
    const Next next = look();
    if (next != Next::not_yet) return next;
    double left = seconds - since(start);
    if (end_.idle_seconds) {
      if (quiet_seconds_ >= *end_.idle_seconds)
        return ended(fmt::format("no frame came for {:.3g} s", *end_.idle_seconds));
      left = std::min(left, *end_.idle_seconds - quiet_seconds_);
    }
    if (since(start) >= seconds) return Next::not_yet;
    const auto before = Clock::now();
    pause(std::max(left, 0.001));
    quiet_seconds_ += since(before);
  }
}

void LiveFrames::pause(double seconds) {
  end_.request.wait_for(-1, std::min(seconds, kLookSeconds));
}

void LiveFrames::read_plane(int, Rows, AnyMutableView to) {
  read_next(to);
  ++next_;
  quiet_seconds_ = 0;
}

FilmEnd LiveFrames::film_end(const std::string& unreadable) const {
  FilmEnd end = facts();
  if (by_itself_) end.damage = unreadable.empty() ? rest() : unreadable;
  return end;
}

bool is_pipe(const std::string& input) { return input == "-" || has_mode(input, S_IFIFO); }

std::unique_ptr<LiveFrames> open_live(const std::string& input, const FilmReading& reading,
                                      const LiveEnd& end) {
  if (is_pipe(input)) return open_live_pipe(input, reading, end);
  if (names_many(input)) return open_live_pictures(input, reading, end);
  const Format* format = format_of_name(input);
  const std::string kind = format ? format->name : "";
  if (!reading.raw.empty() || kind == "raw") return open_live_raw(input, reading, end);
  if (kind == "TIFF") return open_live_stack(input, reading, end);
  if (!has_mode(input, S_IFREG)) File::open_to_read(input);  // says what it is
  throw Error(ErrorKind::usage,
              fmt::format("{}: a growing file can be raw frames (--raw) or a TIFF stack; a film "
                          "that is finished is followed by `tessera cells track`",
                          input));
}

}  // namespace tessera
