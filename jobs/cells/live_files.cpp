// SPDX-License-Identifier: Apache-2.0
// Pictures that appear in a folder, and a TIFF stack that grows. Files that are being written
// cannot be read yet: they are tried again when they have changed.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <set>
#include <utility>

#include "core/folder.hpp"
#include "io/formats.hpp"
#include "io/packed_rows.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/film_files.hpp"
#include "jobs/cells/live_frames.hpp"
#include "jobs/job_files.hpp"

namespace tessera {
namespace {

/// Some file systems keep times only to a second or two: what has not changed is tried again after
/// this time all the same.
constexpr double kRetrySeconds = 2;
/// A change within the same tick of the file system's clock as an earlier one does not show.
constexpr double kClockSeconds = 0.1;
/// Listing a folder and opening a stack may take at most a part of the time.
constexpr double kRestAfterWork = 4;

using LookClock = std::chrono::steady_clock;

double seconds_from(LookClock::time_point then) {
  return std::chrono::duration<double>(LookClock::now() - then).count();
}

/// When to look at a path again: if it has changed, but not all the time.
class Changes {
 public:
  /// The path's times and size now, after work that began at `start`.
  void seen(const FileStamp& stamp, LookClock::time_point start) {
    using namespace std::chrono;
    const auto now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    const bool may_change = static_cast<double>(now - stamp.modified_ns) < 1e9 * kClockSeconds;
    stamp_ = may_change ? FileStamp{} : stamp;
    at_ = LookClock::now();
    rest_ = kRestAfterWork * seconds_from(start);
    known_ = true;
  }
  bool worth_a_look(const FileStamp& stamp) const {
    if (!known_) return true;
    const double waited = seconds_from(at_);
    return waited >= rest_ && (stamp != stamp_ || waited >= kRetrySeconds);
  }
  void forget() { known_ = false; }

 private:
  FileStamp stamp_;
  LookClock::time_point at_;
  double rest_ = 0;
  bool known_ = false;
};

FilmReading whole_film(FilmReading reading) {
  reading.first_frame = 0;
  reading.frames.reset();
  return reading;
}

void copy_frame(const Image& from, AnyMutableView to) {
  const AnyView view = std::as_const(from).view();
  for (int y = 0; y < view.size.height; ++y) scatter_row(view.address(0, y), to, y);
}

struct NameOrder {
  bool operator()(const std::string& a, const std::string& b) const { return comes_before(a, b); }
};

class AppearingPictures final : public LiveFrames {
 public:
  AppearingPictures(const std::string& input, const FilmReading& reading, const LiveEnd& end)
      : LiveFrames(end, reading),
        input_(input),
        folder_(is_regular_folder(input) ? input : folder_of(input)),
        reading_(whole_film(reading)),
        to_skip_(reading.first_frame) {
    reading_.allow_truncated = false;
    wait_for_first(input, [this] { open_first(); });
  }
  std::string format() const override { return format_; }

 protected:
  Next look() override {
    list();
    for (; to_skip_ > 0 && !waiting_.empty(); --to_skip_) pass();
    if (waiting_.empty()) return Next::not_yet;
    return failed_.worth_a_look(stamp_of(*waiting_.begin())) ? Next::ready : Next::not_yet;
  }
  void read_next(AnyMutableView to) override {
    const std::string& name = *waiting_.begin();
    const FileStamp before = stamp_of(name);
    const auto start = LookClock::now();
    try {
      const auto picture = open_image(name, reading_);
      check_alike(name, picture->info());
      picture->read_plane(0, {0, picture_.size.height}, to);
    } catch (const Error&) {
      failed_.seen(before, start);
      throw;
    }
    pass();
  }

 private:
  static bool is_regular_folder(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }
  void open_first() {
    const std::string& name = *waiting_.begin();
    const FileStamp before = stamp_of(name);
    const auto start = LookClock::now();
    try {
      const auto picture = open_image(name, reading_);
      picture_ = picture->info();
      format_ = picture->format() + " pictures";
    } catch (const Error&) {
      failed_.seen(before, start);
      throw;
    }
    if (picture_.size.planes != 1)
      throw Error(ErrorKind::usage, fmt::format("{}: it holds {} frames; the files of one film "
                                                "hold one frame each",
                                                name, picture_.size.planes));
    set_info(picture_);
  }
  void check_alike(const std::string& name, const ImageInfo& info) const {
    if (info != picture_)
      throw Error(
          ErrorKind::input,
          fmt::format("{}: it is {}, the first picture is {}; the pictures of a film must be alike",
                      name, describe(info), describe(picture_)));
  }
  void pass() {
    last_ = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    failed_.forget();
  }
  void list() {
    struct stat status {};
    if (::stat(folder_.c_str(), &status) != 0) return;
    const FileStamp stamp{0, 1'000'000'000LL * status.st_mtim.tv_sec + status.st_mtim.tv_nsec};
    if (!listed_.worth_a_look(stamp)) return;
    const auto start = LookClock::now();
    for (const std::string& name : names_now())
      if (known_.insert(name).second) take(name);
    listed_.seen(stamp, start);
  }
  std::vector<std::string> names_now() const {
    try {
      return files_of(input_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      return {};  // as yet
    }
  }
  void take(const std::string& name) {
    if (last_.empty() || comes_before(last_, name))
      waiting_.insert(name);
    else
      warn(fmt::format("{}: it came after later frames had been followed, and is left out", name));
  }

  std::string input_, folder_, format_, last_;
  FilmReading reading_;
  int to_skip_;
  ImageInfo picture_;
  std::set<std::string> known_;
  std::set<std::string, NameOrder> waiting_;
  Changes listed_, failed_;
};

class GrowingStack final : public LiveFrames {
 public:
  GrowingStack(const std::string& input, const FilmReading& reading, const LiveEnd& end)
      : LiveFrames(end, reading), input_(input), reading_(whole_film(reading)) {
    File::open_to_read(input);  // a name that is wrong is said at once
    wait_for_first(input, [this] { set_info(film_->frame()); });
  }
  std::string format() const override { return film_->format(); }

 protected:
  Next look() override {
    if (!has_more()) open_again();
    return has_more() ? Next::ready : Next::not_yet;
  }
  void read_next(AnyMutableView to) override {
    Image frame;
    film_->skip_to(first_ + next_);
    if (!film_->next(frame)) {
      readable_ = first_ + next_;
      throw Error(ErrorKind::input, film_->damage());
    }
    copy_frame(frame, to);
  }
  std::string rest() const override {
    return !unreadable_.empty() || !film_ ? unreadable_ : film_->damage();
  }
  FilmEnd facts() const override {
    return {
        .notes = film_->notes(), .timing = film_->timing(), .um_per_pixel = film_->um_per_pixel()};
  }

 private:
  bool has_more() const { return film_ && first_ + next_ < readable_; }
  void open_again() {
    const FileStamp stamp = stamp_of(input_);
    if (!changes_.worth_a_look(stamp)) return;
    const auto start = LookClock::now();
    try {
      auto film = std::make_unique<FilmSource>(input_, reading_);
      if (film_ && film->frame() != film_->frame())
        throw Error(ErrorKind::input,
                    fmt::format("{}: its frames were {}, and are {} now", input_,
                                describe(film_->frame()), describe(film->frame())));
      film_ = std::move(film);
      readable_ = film_->frames();
      unreadable_.clear();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      unreadable_ = error.what();
    }
    changes_.seen(stamp, start);
  }

  std::string input_, unreadable_;
  FilmReading reading_;
  std::unique_ptr<FilmSource> film_;  ///< as it was when it was last opened
  int readable_ = 0;
  Changes changes_;
};

}  // namespace

std::unique_ptr<LiveFrames> open_live_pictures(const std::string& input, const FilmReading& reading,
                                               const LiveEnd& end) {
  return std::make_unique<AppearingPictures>(input, reading, end);
}

std::unique_ptr<LiveFrames> open_live_stack(const std::string& input, const FilmReading& reading,
                                            const LiveEnd& end) {
  return std::make_unique<GrowingStack>(input, reading, end);
}

}  // namespace tessera
