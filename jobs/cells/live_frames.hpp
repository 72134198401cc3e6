// SPDX-License-Identifier: Apache-2.0
/// Frames of a film that is still being recorded: from a pipe, a growing file, or a folder in which
/// pictures appear.
///
///     auto live = open_live("-", reading, {.end = end});
///     while (live->wait(1) != LiveFrames::Next::end) …
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/cells/film_axes.hpp"
#include "jobs/cells/film_source.hpp"
#include "jobs/end_request.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// When a recording is over.
struct LiveEnd {
  const EndRequest& request;
  std::optional<double> idle_seconds;  ///< without a new frame; none: a pipe has its own end
};

/// Plane k is the k-th frame after --first-frame; planes are read in turn, when they are ready.
class LiveFrames : public ImageSource {
 public:
  enum class Next : unsigned char { ready, not_yet, end };

  /// Waits for the next frame, at most `seconds`. Nothing is computed while it waits.
  Next wait(double seconds);
  /// The words of the reason after wait has returned `end`.
  const std::string& why_ended() const { return why_ended_; }
  /// The facts at the end. `unreadable` says why the frame that was ready could not be read; it
  /// counts if no later one could be.
  FilmEnd film_end(const std::string& unreadable) const;

  ImageInfo info() const override { return info_; }
  bool planes_in_turn() const override { return true; }
  void read_plane(int plane, Rows rows, AnyMutableView to) override;

 protected:
  using Clock = std::chrono::steady_clock;
  LiveFrames(const LiveEnd& end, const FilmReading& reading);

  /// Whether a frame is ready now.
  virtual Next look() = 0;
  /// Returns after some time, or earlier if there may be something new.
  virtual void pause(double seconds);
  virtual void read_next(AnyMutableView to) = 0;
  /// The sentence about a part of a frame that was left over; empty if there is none.
  virtual std::string rest() const { return ""; }
  virtual FilmEnd facts() const { return {}; }

  /// The info of a single frame.
  void set_info(ImageInfo frame);
  /// The recording has this many frames, with those before --first-frame. Throws Error(usage) if
  /// none are left.
  void limit_to(long long frames);
  /// Waits until the first frame is ready and `open` can open it; throws Error(input) if the
  /// recording ends before that.
  template <class Open>
  void wait_for_first(const std::string& name, Open open);
  Next ended(std::string why, bool by_itself = true);

  int next_ = 0;  ///< the frames read so far
  int first_ = 0;

 private:
  LiveEnd end_;
  std::optional<int> most_;
  ImageInfo info_;
  /// Waited since the last frame. Time in which frames could not be taken in, because those before
  /// them were still being followed, does not count: they may be there.
  double quiet_seconds_ = 0;
  std::string why_ended_;
  bool by_itself_ = false;
};

template <class Open>
void LiveFrames::wait_for_first(const std::string& name, Open open) {
  std::string why = name + ": no frame came";
  for (;;) {
    const Next next = wait(1);
    if (next == Next::end) throw Error(ErrorKind::input, rest().empty() ? why : rest());
    if (next == Next::not_yet) continue;
    try {
      return open();
    } catch (const Error& error) {  // it may be half written
      if (error.kind() != ErrorKind::input) throw;
      why = error.what();
    }
  }
}

/// Opens what a name stands for, waiting for the first frame if its size is not known before that.
/// Throws Error(usage) for files that cannot be watched, Error(input) if no frame comes.
std::unique_ptr<LiveFrames> open_live(const std::string& input, const FilmReading& reading,
                                      const LiveEnd& end);

/// Whether a recording has an end that its reader notices: a pipe.
bool is_pipe(const std::string& input);

/// The kinds, for open_live.
std::unique_ptr<LiveFrames> open_live_pipe(const std::string& input, const FilmReading& reading,
                                           const LiveEnd& end);
std::unique_ptr<LiveFrames> open_live_raw(const std::string& input, const FilmReading& reading,
                                          const LiveEnd& end);
std::unique_ptr<LiveFrames> open_live_pictures(const std::string& input, const FilmReading& reading,
                                               const LiveEnd& end);
std::unique_ptr<LiveFrames> open_live_stack(const std::string& input, const FilmReading& reading,
                                            const LiveEnd& end);

}  // namespace tessera
