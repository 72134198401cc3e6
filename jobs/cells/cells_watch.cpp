// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "core/folder.hpp"
#include "core/parallel.hpp"
#include "io/output_place.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cells_calibrate.hpp"
#include "jobs/cells/cells_follow.hpp"
#include "jobs/cells/cells_inside.hpp"
#include "jobs/cells/cells_live_page.hpp"
#include "jobs/cells/cells_outputs.hpp"
#include "jobs/cells/cells_summary.hpp"
#include "jobs/cells/film_files.hpp"
#include "jobs/cells/film_spool.hpp"
#include "jobs/cells/grey_levels.hpp"
#include "jobs/cells/live_frames.hpp"
#include "jobs/cells/tracked_film.hpp"
#include "jobs/job_files.hpp"

namespace tessera {
namespace {

using WatchClock = std::chrono::steady_clock;

constexpr double kIdleSeconds = 10;
/// Frames that arrive while others are followed or a page is made are taken in, so that their
/// arrival is known; but not without bound.
constexpr int kMostArrived = 64;
constexpr long long kMostArrivedBytes = 256LL << 20;
/// A page that is due is made even if no frame comes.
constexpr double kTickSeconds = 0.25;
/// Pages of long films may take at most this part of the time.
constexpr double kPageShare = 0.1;

double seconds_after(WatchClock::time_point then) {
  return std::chrono::duration<double>(WatchClock::now() - then).count();
}

long long milliseconds_on_the_wall() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

/// A frame, or nothing if none came for some time.
struct WatchItem {
  Image frame;
  WatchClock::time_point arrived;
  std::unique_ptr<LiveShot> shot;  ///< for a page
};

void check_watch(const CellsWatchJob& job) {
  check_cells_outputs(job.track);
  check_ranges("cells", job.watch);
  const CellsJob& track = job.track;
  if (!is_pipe(track.input) && !names_many(track.input)) File::open_to_read(track.input);
  prepare_folder(track);
  if (const std::string page = joined(track.output, kLivePageName);
      !track.force && path_exists(page))
    throw exists_error(page);
}

FilmFile film_of(std::unique_ptr<LiveFrames> live) {
  FilmFile film;
  film.source = std::move(live);
  return film;
}

class CellsWatcher {
 public:
  CellsWatcher(const CellsWatchJob& job, const EndRequest& end, const Progress& progress)
      : CellsWatcher(job, end, progress,
                     open_live(job.track.input, job.track.reading,
                               {end, job.watch.idle             ? job.watch.idle
                                     : is_pipe(job.track.input) ? std::nullopt
                                                                : std::optional(kIdleSeconds)})) {}

  CellsWatchResult run() {
    const long long bytes =
        std::max(1LL, plan_.frame().size.samples() * bytes_of(plan_.frame().type));
    const int in_flight =
        static_cast<int>(std::clamp(kMostArrivedBytes / bytes, 3LL, 1LL * kMostArrived));
    ordered<WatchItem>([this](WatchItem& item) { return read(item); },
                       [this](WatchItem& item) { work(item); },
                       [this](WatchItem& item) { show(item); }, in_flight);
    if (source_.read_so_far() == 0)
      throw Error(ErrorKind::input, source_.damage().empty()
                                        ? input_name(job_.track.input) + ": no frame came"
                                        : source_.damage());
    return finish();
  }

 private:
  CellsWatcher(const CellsWatchJob& job, const EndRequest& end, const Progress& progress,
               std::unique_ptr<LiveFrames> live)
      : job_(job),
        end_(end),
        progress_(progress),
        live_(*live),
        source_(job.track.input, film_of(std::move(live)), job.track.reading),
        plan_(source_.frame(), job.track.options),
        state_(plan_.start()),
        stream_(job.track.settings.stream(plan_.device())),
        levels_(source_.frame()),
        waits_(waits_text(job.track.options)) {
    if (!job.track.film.inside.empty())
      inside_.emplace(job.track.film.inside, source_.frame().size, job.track.reading.limits);
    if (job.track.film.overlay || job.track.film.report) spool_.emplace(source_.frame());
    describe_live(base_);
  }

  /// Everything that a live result has besides its tracks.
  void describe_live(CellsFilmResult& result) const {
    name_film(job_.track, source_, result);
    result.notes.clear();  // said at the end
    result.ran = plan_.describe();
    result.film.format = source_.format();
    result.film.width = source_.frame().size.width;
    result.film.height = source_.frame().size.height;
    result.film.first_frame = source_.first_frame();
  }

  // On the reader's thread.
  bool read(WatchItem& item) {
    try {
      return read_or_end(item);
    } catch (const Error& error) {  // the frames before it are worth keeping
      if (error.kind() != ErrorKind::input || source_.read_so_far() == 0) throw;
      FilmEnd end = live_.film_end("");
      end.damage = error.what();
      source_.end(std::move(end));
      why_ended_ = "it could not be read any further";
      return false;
    }
  }
  bool read_or_end(WatchItem& item) {
    for (;;) {
      switch (live_.wait(std::min(kTickSeconds, job_.watch.page_every))) {
        case LiveFrames::Next::end:
          source_.end(live_.film_end(unreadable_));
          why_ended_ = live_.why_ended();
          return false;
        case LiveFrames::Next::not_yet:
          return true;
        case LiveFrames::Next::ready:
          if (!try_read(item.frame)) continue;
          item.arrived = WatchClock::now();
          if (source_.read_so_far() == 1) end_.arm();
          return true;
      }
    }
  }
  /// Not if the frame is only half written.
  bool try_read(Image& frame) {
    const Stopwatch watch(read_seconds_);
    try {
      const bool is_read = source_.next(frame);
      unreadable_ = is_read ? "" : source_.damage();
      return is_read;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      unreadable_ = error.what();
      return false;
    }
  }

  void work(WatchItem& item) {
    if (item.frame) follow(item);
    if (is_page_due()) item.shot = shot();
  }
  void follow(WatchItem& item) {
    const Stopwatch watch(work_seconds_);
    const int number = seen_++;
    plan_.add(state_, std::as_const(item.frame).view(), stream_);
    stream_.wait();  // on a device work is only enqueued
    clock_.processed(item.arrived, state_.frames_done());
    last_frame_ms_ = milliseconds_on_the_wall();
    keep(std::as_const(item.frame).view());
    latest_ = std::move(item.frame);
    if (KeptPictures::wants(number)) keep_picture();
  }
  void keep(AnyView frame) {
    if (!spool_) return;
    try {
      spool_->add(frame);
    } catch (const Error& error) {
      base_.warnings.push_back(fmt::format(
          "overlay and report are not made, frames could not be kept for them: {}", error.what()));
      spool_.reset();
    }
  }

  void keep_picture() {
    if (pictures_.last() != seen_ - 1)
      pictures_.add(seen_ - 1, preview_picture(levels_.of(latest_)), state_.frames_done());
  }

  bool is_page_due() const {
    if (page_is_made_ || seen_ == shown_) return false;
    return shown_ == 0 ||
           seconds_after(last_page_) >= std::max(job_.watch.page_every, page_seconds_ / kPageShare);
  }
  std::unique_ptr<LiveShot> shot() {
    double spent = 0;
    auto made = std::make_unique<LiveShot>();
    {
      const Stopwatch watch(spent);
      made->result = base_;
      made->result.options = plan_.used_options(state_);
      made->result.tracks = plan_.tracks(state_);
      for (CellTrack& track : made->result.tracks)
        for (CellSpot& spot : track.spots) spot.frame += source_.first_frame();
      made->result.film.frames = state_.frames_done();
      take_facts(*made);
    }
    shot_seconds_ = spent;
    shown_ = seen_;
    last_page_ = WatchClock::now();
    page_is_made_ = true;
    return made;
  }
  void take_facts(LiveShot& shot) {
    keep_picture();
    shot.latency = clock_.latency();
    shot.arrived = state_.frames_given();
    shot.done = state_.frames_done();
    shot.seconds = seconds_after(started_);
    shot.last_frame_ms = last_frame_ms_;
    shot.page_every = job_.watch.page_every;
    if (const PreviewPicture* picture = pictures_.newest(shot.done, shot.shown_frame)) {
      shot.picture = *picture;
      shot.shown_frame += source_.first_frame();
    }
  }

  // On the writer's thread, while the next frames are followed.
  void show(WatchItem& item) {
    if (item.arrived != WatchClock::time_point()) {
      ++told_;
      if (progress_) progress_(told_, 0);
    }
    if (!item.shot) return;
    double spent = 0;
    {
      const Stopwatch watch(spent);
      if (inside_) cut_to(*inside_, item.shot->result);
      item.shot->result.notes.clear();
      summarise(item.shot->result);
      write_page(*item.shot);
    }
    page_seconds_ = spent + shot_seconds_;
    page_is_made_ = false;
  }
  /// A page that cannot be written must not end the work.
  void write_page(const LiveShot& shot) {
    try {
      write_text(joined(job_.track.output, kLivePageName), live_page(shot, waits_),
                 job_.track.force || page_is_ours_);
      page_is_ours_ = true;
    } catch (const Error& error) {
      page_fault_ = error.what();
    }
  }

  CellsWatchResult finish() {
    CellsFilmResult result;
    result.seconds.read = read_seconds_;
    result.seconds.work = work_seconds_;
    {
      const Stopwatch watch(result.seconds.work);
      follow_to_end(result);
    }
    clock_.end();
    result.latency = clock_.latency();
    name_film(job_.track, source_, result);
    if (inside_) cut_to(*inside_, result);
    summarise(result);
    for (const std::string& warning : live_.warnings()) result.warnings.push_back(warning);
    for (const std::string& warning : base_.warnings) result.warnings.push_back(warning);
    show_end(result);
    if (!page_fault_.empty())
      result.warnings.push_back(
          fmt::format("{} is not the last one: {}", kLivePageName, page_fault_));
    return with_files(result);
  }
  void follow_to_end(CellsFilmResult& result) {
    if (source_.frames() > 1) {
      finish_following(plan_, state_, stream_, result);
      return describe_followed(source_, plan_, result);
    }
    const Cells alone(source_.frame(), options_for(source_, job_.track.options));
    search_single(alone, std::as_const(latest_).view(), stream_, result);
    describe_followed(source_, alone, result);
  }
  void show_end(const CellsFilmResult& result) {
    LiveShot last;
    last.result = result;
    take_facts(last);
    last.done = last.arrived;
    last.ended = why_ended_;
    page_fault_.clear();
    write_page(last);
  }
  CellsWatchResult with_files(CellsFilmResult& result) {
    CellsJob job = job_.track;
    if (spool_) {
      job.input = spool_->finish();
      job.reading = spool_->reading(job.reading.limits);
    } else {
      job.film.overlay = job.film.report = false;
    }
    CellsWatchResult made;
    result.seconds.all = std::chrono::duration<double>(WatchClock::now() - started_).count();
    static_cast<CellsResult&>(made) = write_files(job, result, nullptr, progress_);
    made.files.emplace_back(kLivePageName);
    made.ended = why_ended_;
    made.waits = waits_;
    made.latency = *result.latency;
    return made;
  }

  const CellsWatchJob& job_;
  const EndRequest& end_;
  const Progress& progress_;
  LiveFrames& live_;  ///< owned by source_
  FilmSource source_;
  Cells plan_;
  CellsState state_;
  Stream stream_;
  GreyLevels levels_;
  std::string waits_;
  std::optional<CellsInside> inside_;
  std::optional<FilmSpool> spool_;
  CellsFilmResult base_;
  double work_seconds_ = 0;
  LatencyClock clock_;
  KeptPictures pictures_;
  Image latest_;  ///< frame
  WatchClock::time_point started_ = WatchClock::now(), last_page_;
  long long last_frame_ms_ = 0;
  int seen_ = 0, shown_ = 0;  ///< frames that were followed, and those of the last page
  double shot_seconds_ = 0;
  std::atomic<double> page_seconds_ = 0;
  std::atomic<bool> page_is_made_ = false;  ///< now, by the writer
  // The writer's, and the main thread's when the writer has ended.
  long long told_ = 0;
  bool page_is_ours_ = false;
  std::string page_fault_;
  // The reader's, likewise.
  std::string unreadable_, why_ended_;
  double read_seconds_ = 0;
};

/// Never "1.2e+03".
std::string latency_text(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string percentiles_text(const LatencyShares& values, const char* unit) {
  return fmt::format("p50 {}, p90 {}, p99 {}, max {}{}", latency_text(values.p50),
                     latency_text(values.p90), latency_text(values.p99), latency_text(values.max),
                     unit);
}

}  // namespace

CellsWatchResult CellsWatchJob::run(const EndRequest& end, const Progress& progress) const {
  check_watch(*this);
  CellsWatchJob job = *this;
  job.track.reading = limited(job.track.reading, job.track.settings);
  return CellsWatcher(job, end, progress).run();
}

std::string CellsWatchResult::describe() const {
  return CellsResult::describe() +
         fmt::format(
             "\nended: {}\nlatency from arrival: processed {}; result known {}\nresults "
             "waited for later frames: {}; {} of {} frames waited for the end\n{}",
             ended, percentiles_text(latency.processing_ms, " ms"),
             percentiles_text(latency.result_ms, " ms"),
             percentiles_text(latency.frames_waited, ""), latency.known_at_end, latency.frames,
             waits);
}

}  // namespace tessera
