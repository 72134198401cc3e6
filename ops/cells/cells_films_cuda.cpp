// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_films_cuda.hpp"

#include <algorithm>
#include <cstring>

#include "core/device.hpp"
#include "ops/cells/cells_film_tracks.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Device memory that the planes of a group may take. A group of 30 frames of one film of 640 x 480
/// takes 0.1 GiB; with many films a launch has enough to do with fewer frames of each.
constexpr long long kGroupBytes = 2LL << 30;
/// And its rows, which come to the host as one row of bytes.
constexpr long long kRowBytes = 1LL << 30;
/// Groups whose rows may be on their way: waiting for the device is rare, and memory bounded.
constexpr std::size_t kMostFetches = 8;

int frames_a_group(const CellsProblem& problem, int films) {
  const long long bytes = problem.frame.size.pixels() * films * 4 * 4;
  const long long planes = kMostBlocks / films;
  const long long rows = kRowBytes / (1LL * problem.options.max_cells * films *
                                      static_cast<long long>(sizeof(CellRow<float>)));
  return static_cast<int>(
      std::clamp<long long>(std::min({kGroupBytes / bytes, planes, rows}), 1, kCells.epoch));
}

/// Frames that are kept: those that wait for their scene, or for a group to be full, and those that
/// are followed while others arrive.
int frames_kept(const CellsProblem& problem, int group) {
  return takes_still_away(problem) ? (2 * kCells.epochs_around + 2) * kCells.epoch : 2 * group;
}

std::size_t times(long long a, long long b) { return static_cast<std::size_t>(a * b); }

/// Bytes to the device; `from` may be given up.
void send(const void* from, void* to, std::size_t bytes, Stream& stream) {
  const Size size{static_cast<int>(bytes)};
  device_stream(stream).copy(packed(static_cast<const unsigned char*>(from), size),
                             packed(static_cast<unsigned char*>(to), size, stream.device()));
}
void send_zeros(const Scratch& to, Stream& stream) {
  const std::vector<unsigned char> zeros(to.bytes());
  send(zeros.data(), to.data(), zeros.size(), stream);
}

int epochs_kept() { return 2 * kCells.epochs_around + 2; }

/// The last epoch of a frame's scene, as CellsScene has it: round the frame's own, or at the film's
/// start.
int last_epoch(int frame) {
  return std::max(frame / kCells.epoch + kCells.epochs_around, 2 * kCells.epochs_around);
}

}  // namespace

CellsFilmsCuda::CellsFilmsCuda(const CellsProblem& problem, const CellsKernels& kernels, int films)
    : problem_(problem),
      kernels_(kernels),
      films_(films),
      group_(frames_a_group(problem, films)),
      slots_(problem.options.max_cells),
      still_(takes_still_away(problem)),
      arriving_(problem.device),
      following_(problem.device),
      detected_(problem, films * (group_ / std::max(1, problem.options.detect_every) + 2),
                following_),
      rows_(static_cast<std::size_t>(films)) {
  const long long plane = problem.frame.size.pixels() * films;
  const int kept = frames_kept(problem, group_);
  frames_ = following_.scratch(times(plane * kept, bytes_of(problem.frame.type)));
  smooth_ = following_.scratch(times(plane * group_, 4));
  if (still_) arrived_smooth_ = following_.scratch(times(plane * group_, 4));
  across_ = following_.scratch(times(plane * group_, 4));
  down_ = following_.scratch(times(plane * group_, 4));
  floors_ = following_.scratch(times(1LL * group_ * films, 4));
  if (still_) {
    places_ = {nullptr, nullptr, kept, epochs_kept(), films};
    drifts_ = following_.scratch(times(1LL * kept * films, sizeof(CellsPlace)));
    canvases_ = following_.scratch(times(1LL * epochs_kept() * films, sizeof(CellsCanvas)));
    places_.drifts = drifts_.as<CellsPlace>();
    places_.canvases = canvases_.as<CellsCanvas>();
    sums_ = following_.scratch(times(plane * epochs_kept(), 4));
    counts_ = following_.scratch(times(plane, epochs_kept()));
    template_value_ = following_.scratch(times(plane, 4));
    template_known_ = following_.scratch(times(plane, 1));
    scene_value_ = following_.scratch(times(plane, 4));
    scene_known_ = following_.scratch(times(plane, 1));
    const CellsDriftGrid grid(problem.frame.size.width, problem.frame.size.height);
    samples_ = following_.scratch(times(grid.samples() * films, sizeof(CellsDriftSample)));
    send_zeros(canvases_, following_);
  }
  places_.films = films;
  for (Scratch& slots : slots_memory_)
    slots = following_.scratch(times(1LL * slots_ * films, sizeof(CellSlot<float>)));
  send_zeros(slots_memory_[0], following_);  // stage 0: free
  lives_ = following_.scratch(times(films, sizeof(CellsFilmLife)));
  send_zeros(lives_, following_);
  arriving_.after(following_);
}

/// What arrives last may still be using the memory that now goes back.
CellsFilmsCuda::~CellsFilmsCuda() {
  try {
    following_.after(arriving_);
  } catch (...) {  // the device is lost, and the memory with it
  }
}

CellsRing CellsFilmsCuda::ring(int first) const {
  return {frames_.data(),
          frames_kept(problem_, group_),
          films_,
          first,
          1,
          problem_.frame.size.width,
          problem_.frame.size.height};
}

void CellsFilmsCuda::upload(AnyView frames, Stream& stream) {
  ImageInfo info = frames.info();
  info.device = arriving_.device();
  const auto bytes = static_cast<std::size_t>(bytes_of(info));
  const int slot = given_ % frames_kept(problem_, group_);
  const AnyMutableView to =
      packed(frames_.as<unsigned char>() + static_cast<std::size_t>(slot) * bytes, info);
  if (frames.device != kHost) {
    arriving_.after(stream);
    device_stream(arriving_).copy(frames, to);
    stream.after(arriving_);  // who gave the frame may write into it
    return;
  }
  // Page-locked memory of the caller's would be read after it was given up: ours in between.
  info.device = kHost;
  const Scratch staged = arriving_.pinned_scratch(bytes);
  copy_samples(frames, packed(staged.data(), info));
  device_stream(arriving_).copy(packed(staged.data(), info), to);
}

void CellsFilmsCuda::add(AnyView frames, Stream& stream) {
  upload(frames, stream);
  ++given_;
  work(false);
}

void CellsFilmsCuda::finish(Stream& stream) {
  work(true);
  hand_over();
  while (followed_ < given_) follow(group_from(followed_, true));
  stream.after(following_);
}

/// Frames from `first` on that go together: a group, or what is left of its epoch; 0: too few yet.
int CellsFilmsCuda::group_from(int first, bool all) const {
  const int rest = kCells.epoch - first % kCells.epoch, wanted = std::min(group_, rest);
  const int there = (still_ && first == followed_ && first < arrived_ ? arrived_ : given_) - first;
  return there >= wanted ? wanted : all ? there : 0;
}

void CellsFilmsCuda::work(bool all) {
  for (int count; (count = group_from(still_ ? arrived_ : followed_, all)) > 0;) {
    if (!still_) {
      hand_over();
      follow(count);
      continue;
    }
    arrive(count);
    if (followed_ < arrived_ && scene_is_complete(followed_)) hand_over();
    while (followed_ < arrived_ && scene_is_complete(followed_))
      follow(group_from(followed_, true));
  }
}

/// What has arrived may be followed. What arrives from now on overwrites frames and epochs that
/// were followed before, so it waits for that, but not for what is followed next.
void CellsFilmsCuda::hand_over() {
  arriving_.after(following_);
  following_.after(arriving_);
}

bool CellsFilmsCuda::scene_is_complete(int frame) const {
  return arrived_ >= (last_epoch(frame) + 1) * kCells.epoch;
}

/// Frames that are counted in epochs [first, end), of those that arrived.
int CellsFilmsCuda::counted_frames(int first_epoch, int end_epoch) const {
  const auto before = [](int frame) { return (frame + kCells.epoch_step - 1) / kCells.epoch_step; };
  return before(std::min(arrived_, end_epoch * kCells.epoch)) - before(first_epoch * kCells.epoch);
}

CellsPlanes CellsFilmsCuda::smoothed(int first, int count, const Scratch& to, Stream& stream) {
  kernels_.smooth(ring(first), count, to.as<float>(), stream);
  return {to.as<float>(), first, count, problem_.frame.size.width, problem_.frame.size.height};
}

/// What frames of a new epoch are registered with: the epochs before it, or the first frame.
void CellsFilmsCuda::place_template(int frame) {
  const int epoch = frame / kCells.epoch, first = std::max(0, epoch - kCells.epochs_around);
  CellsSceneArgs a{};
  a.places = places_;
  a.sums = sums_.as<float>();
  a.counts = counts_.as<unsigned char>();
  a.width = problem_.frame.size.width;
  a.height = problem_.frame.size.height;
  a.first = first;
  a.end = epoch;
  a.at = epoch;
  a.begins = frame - 1;
  a.whole = frame == 0 ? arrived_smooth_.as<float>() : nullptr;
  a.out = {template_value_.as<float>(), template_known_.as<unsigned char>()};
  kernels_.scene(a, arriving_);
}

/// Registers frames and adds them to their epoch.
void CellsFilmsCuda::arrive(int count) {
  const CellsPlanes planes = smoothed(arrived_, count, arrived_smooth_, arriving_);
  const int epoch = arrived_ / kCells.epoch;
  const bool begins = arrived_ % kCells.epoch == 0;
  if (begins) place_template(arrived_);
  kernels_.drift({places_,
                  planes,
                  {template_value_.as<float>(), template_known_.as<unsigned char>()},
                  samples_.as<CellsDriftSample>(),
                  epoch},
                 arriving_);
  kernels_.accumulate({places_, planes, kCells.epoch_step, epoch, begins, sums_.as<float>(),
                       counts_.as<unsigned char>()},
                      arriving_);
  arrived_ += count;
}

/// The scene round a frame; null where too few frames were counted.
CellsStill CellsFilmsCuda::scene_around(int frame) {
  const int epoch = frame / kCells.epoch;
  if (epoch != scene_epoch_) {
    const int end = std::min((arrived_ - 1) / kCells.epoch, last_epoch(frame)) + 1;
    const int first = std::max(0, end - 1 - 2 * kCells.epochs_around);
    scene_epoch_ = epoch;
    scene_empty_ = counted_frames(first, end) < kCells.background_least;
    CellsSceneArgs a{};
    a.places = places_;
    a.sums = sums_.as<float>();
    a.counts = counts_.as<unsigned char>();
    a.width = problem_.frame.size.width;
    a.height = problem_.frame.size.height;
    a.first = first;
    a.end = end;
    a.at = epoch;
    a.begins = -1;
    a.out = {scene_value_.as<float>(), scene_known_.as<unsigned char>()};
    if (!scene_empty_) kernels_.scene(a, following_);
  }
  if (scene_empty_) return {};
  return {scene_value_.as<float>(), scene_known_.as<unsigned char>()};
}

/// Cells in frames `first`, `first` + step … of the group, as times `time` and after.
void CellsFilmsCuda::detect_some(int first, int frames, int step, CellsCrop where, int time) {
  const long long plane = problem_.frame.size.pixels() * films_;
  const long long skipped = (first - followed_) * plane;
  const CellsLook look{across_.as<float>() + skipped,
                       down_.as<float>() + skipped,
                       floors_.as<float>() + 1LL * (first - followed_) * films_,
                       frames,
                       films_,
                       step * plane};
  kernels_.detect(look, where, detected_, time * films_, following_);
}

/// Looks for cells where it is time to; for every frame of the group the time of its finds, or -1.
std::vector<int> CellsFilmsCuda::detect(int count) {
  std::vector<int> times_of(static_cast<std::size_t>(count), -1);
  const int every = problem_.options.detect_every, step = std::max(1, every);
  const int end = followed_ + count;
  for (int frame = followed_, times = 0; frame < end;) {
    if (!is_detection(frame, every)) {
      ++frame;
      continue;
    }
    // Those after it that look at the same region go with it.
    const bool whole = looks_everywhere(frame, every);
    const CellsCrop where = whole ? problem_.crop : problem_.entry;
    const int first = frame;
    while (frame < end && is_detection(frame, every) && looks_everywhere(frame, every) == whole)
      frame += step;
    if (!kernels_.can_detect(where)) continue;
    const int frames = (frame - first) / step;
    detect_some(first, frames, step, where, times);
    for (int k = 0; k < frames; ++k)
      times_of[static_cast<std::size_t>(first + k * step - followed_)] = times++;
  }
  return times_of;
}

/// Follows cells through frames whose scene is known.
void CellsFilmsCuda::follow(int count) {
  const CellsPlanes planes = smoothed(followed_, count, smooth_, following_);
  CellsSubtractArgs subtract{
      places_, planes, {}, followed_ / kCells.epoch, across_.as<float>(), down_.as<float>()};
  if (still_) subtract.scene = scene_around(followed_);
  kernels_.subtract(subtract, following_);
  kernels_.floors(
      {across_.as<float>(), down_.as<float>(), planes.width, planes.height, floors_.as<float>()},
      count * films_, following_);
  const std::vector<int> detected = detect(count);
  const long long plane = problem_.frame.size.pixels() * films_;
  const long long row_count = 1LL * slots_ * films_;
  Scratch rows = following_.scratch(times(row_count * count, sizeof(Row)));
  const int together = kernels_.follows_groups(films_) ? count : 1;
  for (int k = 0; k < count; k += together) {
    CellsFollowArgs a{};
    a.across = across_.as<float>() + k * plane;
    a.down = down_.as<float>() + k * plane;
    a.floors = floors_.as<float>() + 1LL * k * films_;
    a.frame = followed_ + k;
    a.frames = together;
    a.films = films_;
    for (int odd = 0; odd < 2; ++odd) a.slots_of[odd] = slots_memory_[odd].as<CellSlot<float>>();
    a.lives = lives_.as<CellsFilmLife>();
    a.finds = detected_.finds_at(0, films_);
    std::copy_n(detected.begin() + k, together, a.find_times);
    a.rows = rows.as<Row>() + k * row_count;
    kernels_.follow(a, following_);
  }
  followed_ += count;
  fetch(std::move(rows), count);
}

/// Rows of a group to the host, enqueued.
void CellsFilmsCuda::fetch(Scratch rows, int frames) {
  const Scratch arriving = following_.pinned_scratch(rows.bytes());
  const Size size{static_cast<int>(rows.bytes())};
  device_stream(following_)
      .copy(packed(rows.as<const unsigned char>(), size, following_.device()),
            packed(arriving.as<unsigned char>(), size));
  const std::lock_guard lock(mutex_);
  fetches_.push_back({arriving, frames});
  if (fetches_.size() >= kMostFetches) collect();
}

/// Waits, and takes the rows that have come. The caller holds the mutex.
void CellsFilmsCuda::collect() const {
  following_.wait();
  for (const Fetch& fetched : fetches_) {
    const Row* row = fetched.rows.as<const Row>();
    for (int frame = 0; frame < fetched.frames; ++frame, ++done_)
      for (std::vector<Row>& film : rows_)
        for (int slot = 0; slot < slots_; ++slot, ++row)
          if (row->track > 0) film.push_back(*row);
  }
  fetches_.clear();
}

int CellsFilmsCuda::frames_done() const {
  const std::lock_guard lock(mutex_);
  collect();
  return done_;
}

std::vector<CellTrack> CellsFilmsCuda::tracks(int film) const {
  const std::lock_guard lock(mutex_);
  collect();
  return tracks_of(rows_[static_cast<std::size_t>(film)], problem_.options.min_frames);
}

}  // namespace tessera
