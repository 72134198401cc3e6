// SPDX-License-Identifier: Apache-2.0
// Detection on a GPU: scores of circles, their maxima, contours.
#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "core/piece_launch.hpp"
#include "ops/cells/cuda/cells_kernels_cuda.hpp"
#include "ops/cells/detect/cells_detect.hpp"

namespace tessera {
namespace {

CellsRegion region_of(CellsCrop crop) { return {crop.x, crop.y, crop.width, crop.height}; }

/// The most candidates a region can hold: no two lie in one square whose diagonal fits in the disk.
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

std::vector<std::vector<CellDetection>> CellsDetectMemory::download(int planes,
                                                                    Stream& stream) const {
  std::vector<int> counts(static_cast<std::size_t>(planes));
  download_values(find_counts.as<int>(), counts.data(), counts.size(), stream);
  std::vector<std::vector<CellDetection>> lists(counts.size());
  for (std::size_t plane = 0; plane < counts.size(); ++plane) {
    std::vector<CellFind<float>> found(static_cast<std::size_t>(counts[plane]));
    download_values(finds.as<CellFind<float>>() + plane * static_cast<std::size_t>(most),
                    found.data(), found.size(), stream);
    for (const CellFind<float>& f : found) lists[plane].push_back({f.x, f.y, f.radius, f.score});
  }
  return lists;
}

bool CellsKernels::can_detect(CellsCrop where) const {
  const CellsCrop region = centres_of(problem_, where);
  return region.width > 0 && region.height > 0;
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

}  // namespace tessera
