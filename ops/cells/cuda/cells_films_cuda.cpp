// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cuda/cells_films_cuda.hpp"

#include <algorithm>

#include "core/device.hpp"
#include "ops/cells/scene/cells_epochs.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Device memory for the planes of a group. A group of 15 frames of one film of 640 x 480 takes
/// 0.07 GiB; with many films a launch has enough to do with fewer frames of each.
constexpr long long kGroupBytes = 2LL << 30;
/// Limit for a group's rows, which are copied to the host as one row of bytes.
constexpr long long kRowBytes = 1LL << 30;

int frames_a_group(const CellsProblem& problem, int films) {
  const long long bytes = problem.frame.size.pixels() * films * 4 * 4;
  const long long planes = kMostBlocks / films;
  const long long rows = kRowBytes / (1LL * problem.options.max_cells * films *
                                      static_cast<long long>(sizeof(CellRow<float>)));
  return static_cast<int>(
      std::clamp<long long>(std::min({kGroupBytes / bytes, planes, rows}), 1, kCells.epoch));
}

/// The scene's epochs, and the one that is arriving.
int epochs_kept() { return 2 * kCells.epochs_around + 2; }

/// Frames that are kept: those waiting for their scene or for a full group, and those being
/// followed while others arrive.
int frames_kept(const CellsProblem& problem, int group) {
  return takes_still_away(problem) ? epochs_kept() * kCells.epoch : 2 * group;
}

std::size_t times(long long a, long long b) { return static_cast<std::size_t>(a * b); }

/// Copies bytes to the device; the caller may free `from` afterwards.
void send(const void* from, void* to, std::size_t bytes, Stream& stream) {
  const Size size{static_cast<int>(bytes)};
  device_stream(stream).copy(packed(static_cast<const unsigned char*>(from), size),
                             packed(static_cast<unsigned char*>(to), size, stream.device()));
}
void send_zeros(const Scratch& to, Stream& stream) {
  const std::vector<unsigned char> zeros(to.bytes());
  send(zeros.data(), to.data(), zeros.size(), stream);
}

}  // namespace

CellsFilmsCuda::CellsFilmsCuda(const CellsProblem& problem, const CellsKernels& kernels, int films)
    : problem_(problem),
      kernels_(kernels),
      films_(films),
      group_(frames_a_group(problem, films)),
      kept_(frames_kept(problem, group_)),
      slots_(problem.options.max_cells),
      still_(takes_still_away(problem)),
      arriving_(problem.device),
      following_(problem.device),
      detected_(problem, films * (group_ / std::max(1, problem.options.detect_every) + 2),
                following_),
      rows_(films, slots_, following_) {
  const long long plane = problem.frame.size.pixels() * films;
  frames_ = following_.scratch(times(plane * kept_, bytes_of(problem.frame.type)));
  smooth_ = following_.scratch(times(plane * group_, 4));
  if (still_) arrived_smooth_ = following_.scratch(times(plane * group_, 4));
  across_ = following_.scratch(times(plane * group_, 4));
  down_ = following_.scratch(times(plane * group_, 4));
  floors_ = following_.scratch(times(1LL * group_ * films, 4));
  if (still_) {
    places_ = {nullptr, nullptr, kept_, epochs_kept(), films};
    drifts_ = following_.scratch(times(1LL * kept_ * films, sizeof(CellsPlace)));
    canvases_ = following_.scratch(times(1LL * epochs_kept() * films, sizeof(CellsCanvas)));
    places_.drifts = drifts_.as<CellsPlace>();
    places_.canvases = canvases_.as<CellsCanvas>();
    sums_ = following_.scratch(times(plane * epochs_kept(), 4));
    counts_ = following_.scratch(times(plane, epochs_kept()));
    first_slopes_ = following_.scratch(times(films, sizeof(TypicalSlopes<float>)));
    standing_ = following_.scratch(times(1LL * detected_.most * films, sizeof(CellsStanding)));
    for (StillMemory* still : {&template_, &median_, &scenes_[0], &scenes_[1]})
      *still = {following_.scratch(times(plane, 4)), following_.scratch(times(plane, 1))};
    const CellsDriftGrid grid(problem.frame.size.width, problem.frame.size.height);
    samples_ = following_.scratch(times(grid.samples() * films, sizeof(CellsDriftSample)));
    talk_ = following_.scratch(times(films, sizeof(CellsDriftTalk)));
    send_zeros(canvases_, following_);
    send_zeros(talk_, following_);
  }
  places_.films = films;
  for (Scratch& slots : slots_memory_)
    slots = following_.scratch(times(1LL * slots_ * films, sizeof(CellSlot<float>)));
  send_zeros(slots_memory_[0], following_);  // stage 0: free
  lives_ = following_.scratch(times(films, sizeof(CellsFilmLife)));
  send_zeros(lives_, following_);
  arriving_.after(following_);
}

/// The latest arrivals may still be using the memory that is freed now.
CellsFilmsCuda::~CellsFilmsCuda() {
  try {
    following_.after(arriving_);
  } catch (...) {  // the device is lost, and the memory with it
  }
}

CellsRing CellsFilmsCuda::ring(int first) const {
  return {frames_.data(),
          kept_,
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
  const int slot = given_ % kept_;
  const AnyMutableView to =
      packed(frames_.as<unsigned char>() + static_cast<std::size_t>(slot) * bytes, info);
  if (frames.device != kHost) {
    arriving_.after(stream);
    device_stream(arriving_).copy(frames, to);
    stream.after(arriving_);  // the caller may overwrite the frame
    return;
  }
  // Page-locked memory of the caller might be read after it is freed: copy through our own.
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
  const CellsOptions& o = problem_.options;
  if (still_)
    last_detection_ = last_detection(o.detect_every, problem_.trial, *o.min_frames, given_);
  work(true);
  hand_over();
  while (followed_ < given_) follow(group_from(followed_, true));
  stream.after(following_);
}

/// The number of frames from `first` on that go together: a full group, or the rest of its epoch;
/// 0: too few yet.
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
    if (followed_ < arrived_ && scene_is_complete(followed_, arrived_)) hand_over();
    while (followed_ < arrived_ && scene_is_complete(followed_, arrived_))
      follow(group_from(followed_, true));
  }
}

/// Frames that have arrived may be followed. Frames that arrive from now on overwrite frames and
/// epochs that were followed before: they wait for that work, but not for the work that comes next.
void CellsFilmsCuda::hand_over() {
  arriving_.after(following_);
  following_.after(arriving_);
}

}  // namespace tessera
