// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_kernels_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "core/piece_launch.hpp"
#include "ops/cells/cells_film_tracks.hpp"

namespace tessera {
namespace {

static_assert(kCells.smooth_radius <= kCellsMostReach);

/// Circles as lists of pixels, one after the other, and where each ends.
struct CellsRims {
  CellsRims(const CellsProblem& problem) {
    for (const double radius : problem.radii) {
      for (const CirclePixel& p : cell_circle(radius, problem.options.samples).pixels)
        list.push_back({p.dy * problem.frame.size.width + p.dx, static_cast<float>(p.cosine),
                        static_cast<float>(p.sine), 0, static_cast<float>(p.cosine_cosine),
                        static_cast<float>(2 * p.cosine_sine), static_cast<float>(p.sine_sine), 0});
      ends.push_back(static_cast<int>(list.size()));
    }
  }
  std::vector<CellsRim> list;
  std::vector<int> ends;
};

CellsRegion region_of(CellsCrop crop) { return {crop.x, crop.y, crop.width, crop.height}; }

/// Candidates that a region can hold: two cannot lie in one square whose diagonal is in the disk.
int most_candidates(CellsCrop region) {
  const int side = static_cast<int>(kCells.dilation / std::sqrt(2.0)) + 1;
  return ((region.width + side - 1) / side) * ((region.height + side - 1) / side);
}

template <class T>
void download_values(const T* from, T* to, std::size_t count, Stream& stream) {
  const Size size{static_cast<int>(count * sizeof(T))};
  device_stream(stream).copy(
      packed(reinterpret_cast<const unsigned char*>(from), size, stream.device()),
      packed(reinterpret_cast<unsigned char*>(to), size));
  stream.wait();
}

unsigned count_of(long long value) { return static_cast<unsigned>(value); }

/// Blocks that share a film's slots where all of them have to be on the device at once. Cells take
/// the first free slot, so most films have one a block.
int blocks_a_film(const CellsProblem& problem) { return std::min(problem.options.max_cells, 128); }

}  // namespace

CellsDetectMemory::CellsDetectMemory(const CellsProblem& problem, int planes, Stream& stream) {
  const CellsCrop region = centres_of(problem, problem.crop);
  most = std::max(1, most_candidates(region));
  const auto pixels = static_cast<std::size_t>(planes) * static_cast<std::size_t>(region.width) *
                      static_cast<std::size_t>(region.height);
  const auto room = static_cast<std::size_t>(planes) * static_cast<std::size_t>(most);
  const auto counts = static_cast<std::size_t>(planes) * sizeof(int);
  scores = stream.scratch(pixels * sizeof(float));
  best = stream.scratch(pixels);
  candidates = stream.scratch(room * sizeof(CellsCandidate));
  candidate_counts = stream.scratch(counts);
  refined = stream.scratch(room * sizeof(CellFind<float>));
  places = stream.scratch(room * sizeof(int));
  stays = stream.scratch(room * sizeof(bool));
  finds = stream.scratch(room * sizeof(CellFind<float>));
  find_counts = stream.scratch(counts);
}

CellsFinds CellsDetectMemory::finds_at(int time, int films) const {
  return {finds.as<CellFind<float>>() + 1LL * time * films * most,
          find_counts.as<int>() + 1LL * time * films, most};
}

std::vector<CellDetection> CellsDetectMemory::download(Stream& stream) const {
  int count = 0;
  download_values(find_counts.as<int>(), &count, 1, stream);
  std::vector<CellFind<float>> found(static_cast<std::size_t>(count));
  download_values(finds.as<CellFind<float>>(), found.data(), found.size(), stream);
  std::vector<CellDetection> list;
  for (const CellFind<float>& f : found) list.push_back({f.x, f.y, f.radius, f.score});
  return list;
}

const GpuKernel& CellsKernels::kernel(const std::string& unit, const std::string& entry,
                                      const std::string& body, const std::string& args,
                                      int threads) const {
  return find_kernel(problem_.device, {unit, entry, force_run_time_kernels() ? body : "", args,
                                       std::to_string(threads)});
}

const GpuKernel& CellsKernels::smoothing() const {
  constexpr const char* kTypes[] = {"u8", "u16", "f32", "f64"};
  const Type type = problem_.frame.type;
  return kernel("cells_images", fmt::format("cells_smooth_{}", kTypes[static_cast<int>(type)]),
                fmt::format("cells_smooth<{}>", kernel_type(type)), "CellsSmoothArgs",
                kCellsTileThreads);
}

CellsKernels::CellsKernels(const CellsProblem& problem)
    : problem_(problem),
      rules_(life_rules<float>(problem)),
      rims_(problem.device, CellsRims(problem).list),
      rim_ends_(problem.device, CellsRims(problem).ends),
      radii_(problem.device, std::vector<float>(problem.radii.begin(), problem.radii.end())),
      smooth_(smoothing()),
      scene_(kernel("cells_images", "cells_do_scene", "cells_scene", "CellsSceneArgs",
                    kCellsStillThreads)),
      drift_(kernel("cells_images", "cells_do_drift", "cells_drift", "CellsDriftArgs",
                    kCellsDriftThreads)),
      accumulate_(kernel("cells_images", "cells_do_accumulate", "cells_accumulate",
                         "CellsAccumulateArgs", kCellsStillThreads)),
      subtract_(kernel("cells_images", "cells_do_subtract", "cells_subtract", "CellsSubtractArgs",
                       kCellsTileThreads)),
      floor_(kernel("cells_images", "cells_do_floor", "cells_floor", "CellsFloorArgs",
                    kCellsStillThreads)),
      gicov_(kernel("cells_images", "cells_do_gicov", "cells_gicov", "CellsGicovArgs",
                    kCellsGicovThreads)),
      maxima_(kernel("cells_images", "cells_do_maxima", "cells_maxima", "CellsMaximaArgs",
                     kCellsGicovThreads)),
      refine_(kernel("cells_tracking", "cells_do_refine", "cells_refine", "CellsRefineArgs",
                     kCellsRefineThreads)),
      follow_(kernel("cells_tracking", "cells_do_follow", "cells_follow", "CellsFollowArgs",
                     kCellsWindowThreads)) {
  const OutlineTables<float> tables = outline_tables<float>();
  directions_ = {tables.star, tables.circle};
  const std::vector<double> weights = cells_smoothing();
  smooth_args_.reach = kCells.smooth_radius;
  for (int i = 0; i <= kCells.smooth_radius; ++i)
    smooth_args_.weights[i] =
        static_cast<float>(weights[static_cast<std::size_t>(kCells.smooth_radius + i)]);
  // The neighbours to the right and below are on the flow's side where it goes there.
  const MgvfFlow flow = flow_of(problem);
  for (int n = 0; n < kMgvfNeighbours; ++n) {
    if (flow.dx[n] == 1 && flow.dy[n] == 0) vx_ = flow.side[n];
    if (flow.dx[n] == 0 && flow.dy[n] == 1) vy_ = flow.side[n];
  }
}

bool CellsKernels::can_detect(CellsCrop where) const {
  const CellsCrop region = centres_of(problem_, where);
  return region.width > 0 && region.height > 0;
}

void CellsKernels::smooth(const CellsRing& frames, int count, float* out, Stream& stream) const {
  CellsSmoothArgs args = smooth_args_;
  args.in = frames;
  args.out = out;
  smooth_.launch(
      stream,
      {blocks_for(frames.width, kCellsTileWidth), blocks_for(frames.height, kCellsTileHeight),
       count_of(1LL * count * frames.films)},
      {kCellsTileThreads}, cells_smooth_shared_bytes(args.reach), args);
}

void CellsKernels::scene(const CellsSceneArgs& args, Stream& stream) const {
  scene_.launch(stream,
                {blocks_for(1LL * args.width * args.height, kCellsStillThreads), 1,
                 count_of(args.places.films)},
                {kCellsStillThreads}, 0, args);
}

void CellsKernels::drift(const CellsDriftArgs& args, Stream& stream) const {
  drift_.launch(stream, {count_of(args.places.films)}, {kCellsDriftThreads}, 0, args);
}

void CellsKernels::accumulate(const CellsAccumulateArgs& args, Stream& stream) const {
  accumulate_.launch(
      stream, {blocks_for(args.in.pixels(), kCellsStillThreads), 1, count_of(args.places.films)},
      {kCellsStillThreads}, 0, args);
}

void CellsKernels::subtract(const CellsSubtractArgs& args, Stream& stream) const {
  subtract_.launch(
      stream,
      {blocks_for(args.in.width, kCellsTileWidth), blocks_for(args.in.height, kCellsTileHeight),
       count_of(1LL * args.in.count * args.places.films)},
      {kCellsTileThreads}, 0, args);
}

void CellsKernels::floors(const CellsFloorArgs& args, int planes, Stream& stream) const {
  floor_.launch(stream, {count_of(planes)}, {kCellsStillThreads}, 0, args);
}

void CellsKernels::scores(const CellsLook& look, CellsCrop region, const CellsDetectMemory& memory,
                          Stream& stream) const {
  CellsGicovArgs a{};
  a.across = look.across;
  a.down = look.down;
  a.floors = look.floors;
  a.frame_step = look.frame_step;
  a.films = look.films;
  a.width = problem_.frame.size.width;
  a.region = region_of(region);
  a.rims = rims_.as<CellsRim>();
  a.rim_ends = rim_ends_.as<int>();
  a.radii = static_cast<int>(problem_.radii.size());
  a.height = problem_.frame.size.height;
  a.samples = problem_.options.samples;
  const Polarity polarity = problem_.options.polarity;
  a.sign = polarity == Polarity::both ? 0 : polarity == Polarity::bright ? -1 : 1;
  a.scores = memory.scores.as<float>();
  a.best = memory.best.as<unsigned char>();
  a.counts = memory.candidate_counts.as<int>();
  constexpr int kRows = kCellsGicovThreads / kCellsGicovWidth * kCellsGicovRows;
  gicov_.launch(stream,
                {blocks_for(region.width, kCellsGicovWidth), blocks_for(region.height, kRows),
                 count_of(1LL * look.frames * look.films)},
                {kCellsGicovThreads}, 0, a);
  rims_.used_by(stream);
  rim_ends_.used_by(stream);
}

void CellsKernels::maxima(int planes, CellsCrop region, const CellsDetectMemory& memory,
                          Stream& stream) const {
  CellsMaximaArgs a{};
  a.scores = memory.scores.as<float>();
  a.best = memory.best.as<unsigned char>();
  a.region = region_of(region);
  a.threshold = static_cast<float>(problem_.threshold);
  a.reach = kCells.dilation;
  a.found = memory.candidates.as<CellsCandidate>();
  a.counts = memory.candidate_counts.as<int>();
  a.most = memory.most;
  maxima_.launch(
      stream,
      {blocks_for(region.width, kCellsGicovWidth),
       blocks_for(region.height, kCellsGicovThreads / kCellsGicovWidth), count_of(planes)},
      {kCellsGicovThreads}, 0, a);
}

void CellsKernels::refine(const CellsLook& look, CellsCrop region, const CellsDetectMemory& memory,
                          int first, Stream& stream) const {
  CellsRefineArgs a{};
  a.directions = directions_;
  a.across = look.across;
  a.down = look.down;
  a.floors = look.floors;
  a.frame_step = look.frame_step;
  a.films = look.films;
  a.width = problem_.frame.size.width;
  a.height = problem_.frame.size.height;
  a.region = region_of(region);
  a.candidates = memory.candidates.as<CellsCandidate>();
  a.candidate_counts = memory.candidate_counts.as<int>();
  a.radii = radii_.as<float>();
  a.rules = contour_rules<float>(problem_);
  a.refined = memory.refined.as<CellFind<float>>();
  a.places = memory.places.as<int>();
  a.stays = memory.stays.as<bool>();
  a.finds = memory.finds_at(first, 1);
  refine_.launch(stream, {count_of(1LL * look.frames * look.films)}, {kCellsRefineThreads}, 0, a);
  radii_.used_by(stream);
}

void CellsKernels::detect(const CellsLook& look, CellsCrop where, const CellsDetectMemory& memory,
                          int first, Stream& stream) const {
  const CellsCrop region = centres_of(problem_, where);
  scores(look, region, memory, stream);
  maxima(look.frames * look.films, region, memory, stream);
  refine(look, region, memory, first, stream);
}

bool CellsKernels::follows_groups(int films) const {
  return 1LL * films * blocks_a_film(problem_) <=
         follow_.blocks_at_once(kCellsWindowThreads,
                                cells_follow_shared_bytes(problem_.options.max_cells));
}

void CellsKernels::follow(CellsFollowArgs args, Stream& stream) const {
  args.directions = directions_;
  args.rules = rules_;
  args.width = problem_.frame.size.width;
  args.height = problem_.frame.size.height;
  args.slots = problem_.options.max_cells;
  args.vx = vx_;
  args.vy = vy_;
  const int shared_bytes = cells_follow_shared_bytes(args.slots);
  if (args.frames == 1)
    follow_.launch(stream, {count_of(args.slots), count_of(args.films)}, {kCellsWindowThreads},
                   shared_bytes, args);
  else
    follow_.launch_together(stream, {count_of(blocks_a_film(problem_)), count_of(args.films)},
                            {kCellsWindowThreads}, shared_bytes, args);
}

}  // namespace tessera
