// SPDX-License-Identifier: Apache-2.0
// Benchmarks of cells: a frame of 640x480 with 36 cells searched, wholly or where cells come in; a
// film followed, with and without detection; many films at once. The figure is frames per second;
// of_peak is the share of 30, the rate at which such films are shot.
#include <vector>

#include "core/device.hpp"
#include "ops/cells/study/cells_spot_film.hpp"
#include "study/bench_case.hpp"
#include "tessera/cells.hpp"

namespace tessera {
namespace {

constexpr int kFrames = 120;
constexpr double kRealTime = 30;

const SpotFilm& film() {
  static const SpotFilm made = spot_film(kFrames);
  return made;
}

struct Way {
  Backend backend = Backend::cpu;
  int threads = 0;  ///< of the CPU; 0: all
  bool on_device = false;
  int films = 1;
  int detect_every = 10;
  std::string crop = "auto";
};

CellsOptions options_of(const Way& way) {
  return {.crop = way.crop, .flow = 0.0, .detect_every = way.detect_every, .backend = way.backend};
}

/// Times `work`, which processes `frames` frames per call.
template <class Work>
void time_frames(benchmark::State& state, int frames, Work work) {
  time_work(state, "frames", frames, kRealTime, work);
}

void time_detection(benchmark::State& state, const Way& way) {
  const AnyView frame = film().frame(0);
  const Cells plan(frame.info(), options_of(way));
  Stream stream(plan.device(), way.threads);
  std::vector<CellDetection> found = plan.detect(frame, stream);
  if (found.empty()) return state.SkipWithError("finds no cells");
  time_frames(state, 1, [&] { found = plan.detect(frame, stream); });
  state.SetLabel(plan.describe());
}

/// The frames, one film per plane, in the memory that the case asks for.
struct Given {
  std::vector<Scratch> memory;
  std::vector<AnyView> frames;

  Given(const Way& way, Stream& stream) {
    for (int k = 0; k < kFrames; ++k) {
      const AnyView one = film().frame(k);
      if (way.films == 1 && !way.on_device) {
        frames.push_back(one);
        continue;
      }
      ImageInfo info = one.info();
      info.size.planes = way.films;
      if (way.on_device) info.device = stream.device();
      const auto bytes = static_cast<std::size_t>(bytes_of(info));
      memory.push_back(way.on_device ? stream.scratch(bytes) : stream.pinned_scratch(bytes));
      const AnyMutableView room = packed(memory.back().data(), info);
      for (int f = 0; f < way.films; ++f)
        way.on_device ? device_stream(stream).copy(one, room.only_plane(f))
                      : copy_samples(one, room.only_plane(f));
      frames.push_back(room);
    }
    stream.wait();
  }
};

void time_film(benchmark::State& state, const Way& way) {
  ImageInfo info = film().frames.info();
  info.size.planes = 1;
  if (way.on_device) info.device = 0;
  const Cells plan(info, options_of(way));
  Stream stream(plan.device(), way.threads);
  const Given given(way, stream);
  std::vector<CellTrack> tracks;
  const auto work = [&] {
    CellsState films = plan.start(way.films);
    for (const AnyView& frame : given.frames) plan.add(films, frame, stream);
    plan.finish(films, stream);
    tracks = plan.tracks(films, way.films - 1);
  };
  work();
  if (const std::string wrong = lost_cells(film(), tracks); !wrong.empty())
    return state.SkipWithError(wrong.c_str());
  time_frames(state, kFrames * way.films, work);
  state.SetLabel(plan.describe());
}

void add(const std::string& name, const Way& way, void (*work)(benchmark::State&, const Way&)) {
  add_case("cells/" + name, way.backend,
           [way, work](benchmark::State& state) { work(state, way); });
}

void add_backends(const std::string& name, Way way, void (*work)(benchmark::State&, const Way&)) {
  way.threads = 1;
  add(name + "/cpu/one-thread", way, work);
  way.threads = 0;
  add(name + "/cpu", way, work);
  way.backend = Backend::cuda;
  add(name + "/cuda/host", way, work);
}

const bool registered = [] {
  add_backends("detect/whole-frame", {}, time_detection);
  add_backends("detect/entry-window", {.crop = "0,0,84x480"}, time_detection);
  add_backends("film/tracking-only", {.detect_every = 0}, time_film);
  add_backends("film/pipeline", {}, time_film);
  add_backends("film/pipeline/4-films", {.films = 4}, time_film);
  add("film/tracking-only/cuda/resident",
      {.backend = Backend::cuda, .on_device = true, .detect_every = 0}, time_film);
  for (const int films : {1, 16, 64})
    add("film/pipeline/cuda/resident/" + std::to_string(films) + "-films",
        {.backend = Backend::cuda, .on_device = true, .films = films}, time_film);
  return true;
}();

}  // namespace
}  // namespace tessera
