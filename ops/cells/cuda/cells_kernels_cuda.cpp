// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cuda/cells_kernels_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// Registration waits until there is room for all of its blocks, and takes at most this part of a
/// device on which cells are being followed.
constexpr int kDriftShare = 4;

/// Blocks that share a film's slots when all of them must be on the device at once. Cells take the
/// first free slot, so in most films each block has one cell.
int blocks_a_film(const CellsProblem& problem) { return std::min(problem.options.max_cells, 128); }

}  // namespace

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
      first_(kernel("cells_images", "cells_do_first", "cells_first_slopes", "CellsFirstArgs",
                    kCellsStillThreads)),
      standing_(kernel("cells_images", "cells_do_standing", "cells_standing", "CellsFillArgs",
                       kCellsStandingThreads)),
      fill_(kernel("cells_images", "cells_do_fill", "cells_fill", "CellsFillArgs",
                   kCellsStillThreads)),
      subtract_(kernel("cells_images", "cells_do_subtract", "cells_subtract", "CellsSubtractArgs",
                       kCellsTileThreads)),
      floor_(kernel("cells_images", "cells_do_floor", "cells_floor", "CellsFloorArgs",
                    kCellsFloorThreads)),
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
  // The neighbours to the right and below are on the flow's side if the flow goes that way.
  const MgvfFlow flow = flow_of(problem);
  for (int n = 0; n < kMgvfNeighbours; ++n) {
    if (flow.dx[n] == 1 && flow.dy[n] == 0) vx_ = flow.side[n];
    if (flow.dx[n] == 0 && flow.dy[n] == 1) vy_ = flow.side[n];
  }
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

void CellsKernels::first_slopes(CellsFirstArgs args, Stream& stream) const {
  args.points = directions_.circle;
  first_.launch(stream, {blocks_for(args.films, kCellsStillThreads)}, {kCellsStillThreads}, 0,
                args);
}

void CellsKernels::fill(CellsFillArgs args, Stream& stream) const {
  args.points = directions_.circle;
  standing_.launch(stream, {count_of(args.places.films)}, {kCellsStandingThreads}, 0, args);
  fill_.launch(stream,
               {blocks_for(1LL * args.width * args.height, kCellsStillThreads), 1,
                count_of(args.places.films)},
               {kCellsStillThreads}, 0, args);
}

void CellsKernels::drift(const CellsDriftArgs& args, Stream& stream) const {
  const int films = args.places.films;
  const int blocks = std::clamp(drift_.blocks_at_once(kCellsDriftThreads, 0) / kDriftShare / films,
                                1, kCellsDriftParts);
  const Extent3 grid{count_of(blocks), count_of(films)};
  if (blocks == 1)
    drift_.launch(stream, grid, {kCellsDriftThreads}, 0, args);
  else
    drift_.launch_together(stream, grid, {kCellsDriftThreads}, 0, args);
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
  floor_.launch(stream, {count_of(planes)}, {kCellsFloorThreads}, 0, args);
}

bool CellsKernels::follows_groups(int films) const {
  return 1LL * films * blocks_a_film(problem_) <=
         follow_.blocks_at_once(kCellsWindowThreads,
                                cells_follow_shared_bytes(problem_.options.max_cells));
}

void CellsKernels::follow(CellsFollowArgs args, Stream& stream) const {
  args.directions = directions_;
  const int last = args.rules.last;
  args.rules = rules_;
  args.rules.last = last;
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
