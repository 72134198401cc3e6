// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cuda/correlate_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Below this size the driver is not asked for free memory: that takes longer than a small image.
constexpr long long kBytesUnasked = 1LL << 30;
/// Images and others are layers of a grid.
constexpr int kMostImages = kMostBlocks / 2;

template <class AnyOne>
AnyOne some_planes(AnyOne view, int first, int count) {
  view.data = view.address(0, 0, first);
  view.size.planes = count;
  return view;
}

CorrelateSource source_of(const AnyView& view) {
  return {view.data, view.pixel, view.row, view.plane};
}

std::vector<CorrelatePair> pairs_of(const CorrelateProblem& p) {
  std::vector<CorrelatePair> pairs;
  for (const CorrelateSum& sum : p.sums)
    for (const PlanePair& pair : sum.pairs) pairs.push_back({pair.first, pair.second});
  return pairs;
}

std::vector<int> map_begins(const CorrelateProblem& p) {
  std::vector<int> begins{0};
  for (const CorrelateSum& sum : p.sums)
    begins.push_back(begins.back() + static_cast<int>(sum.pairs.size()));
  return begins;
}

const GpuKernel& shared_kernel(const CorrelateProblem& p, const char* what) {
  return find_kernel(
      p.device,
      {"correlate_exact", fmt::format("correlate_{}_{}", what, name_of(p.image.type)), "", ""});
}

}  // namespace

/// Some images of a batch.
struct CorrelateCuda::Part {
  AnyView image, other;
  AnyMutableView map;
  int images;
  bool same_image;
};

CorrelateCuda::CorrelateCuda(const CorrelateProblem& problem)
    : problem_(problem),
      pairs_at_(tables_.add(pairs_of(problem))),
      map_begin_at_(tables_.add(map_begins(problem))),
      on_device_(problem.device, tables_.bytes()),
      exact_(shared_kernel(problem, "exact")),
      energy_(shared_kernel(problem, "energy")),
      divisors_(
          find_kernel(problem.device, {"correlate_exact", "correlate_map_divisors", "", ""})) {}

int CorrelateCuda::images_at_once(const AnyView& image, bool same_image,
                                  const Stream& stream) const {
  long long each = scratch_bytes(same_image);
  if (image.device == kHost)
    each += (bytes_of(problem_.image) * (same_image ? 1 : 2) + bytes_of(problem_.output)) /
            problem_.batch;
  const int most = std::min(problem_.batch, kMostImages);
  if (image.device != kHost && each * most <= kBytesUnasked) return most;
  const auto limit = static_cast<long long>(stream.memory_limit());
  if (each > limit)
    throw Error(ErrorKind::resources,
                fmt::format("correlate: {} on device {} is too little, one image takes {}; give a "
                            "larger memory limit or backend cpu",
                            bytes_text(static_cast<double>(limit)), stream.device(),
                            bytes_text(static_cast<double>(each))));
  return static_cast<int>(std::min<long long>(most, limit / each));
}

void CorrelateCuda::run(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const {
  const bool same_image = same_images(image, other);
  const int planes = problem_.image.size.planes / problem_.batch,
            maps = static_cast<int>(problem_.sums.size());
  int at_once = images_at_once(image, same_image, stream);
  for (int first = 0; first < problem_.batch;) {
    const int count = std::min(at_once, problem_.batch - first);
    try {
      run_part({some_planes(image, first * planes, count * planes),
                some_planes(other, first * planes, count * planes),
                some_planes(map, first * maps, count * maps), count, same_image},
               stream);
      first += count;
    } catch (const Error& error) {
      stream.wait();  // enqueued work still uses the images
      // Others may have taken memory that was counted on: fewer images may still fit.
      if (error.kind() != ErrorKind::resources || count == 1) throw;
      at_once = std::max(1, count / 4);
    }
  }
  on_device_.used_by(stream);
}

void CorrelateCuda::run_part(const Part& part, Stream& stream) const {
  Scratch image_memory, other_memory, map_memory;
  Part here = part;
  if (part.image.device == kHost) {
    const AnyMutableView copy = device_view(part.image, stream, image_memory);
    device_stream(stream).copy(part.image, copy);
    here.image = here.other = copy;
  }
  if (part.other.device == kHost && !part.same_image) {
    const AnyMutableView copy = device_view(part.other, stream, other_memory);
    device_stream(stream).copy(part.other, copy);
    here.other = copy;
  }
  if (part.map.device == kHost) here.map = device_view(part.map, stream, map_memory);
  CorrelateArgs args = arguments(here);
  const Scratch divisors = make_divisors(args, stream);
  launch(args, stream);
  if (part.map.device == kHost) device_stream(stream).copy(here.map, part.map);
}

CorrelateArgs CorrelateCuda::arguments(const Part& part) const {
  const CorrelateProblem& p = problem_;
  CorrelateArgs a{};
  a.sources[0] = source_of(part.image);
  a.sources[1] = source_of(part.other);
  a.second = part.same_image ? 0 : 1;
  a.width = p.image.size.width;
  a.height = p.image.size.height;
  a.channels = p.image.size.channels;
  a.planes = p.planes;
  a.images = part.images;
  a.pairs = table_at<CorrelatePair>(on_device_, pairs_at_);
  a.map_begin = table_at<int>(on_device_, map_begin_at_);
  a.maps = static_cast<int>(p.sums.size());
  a.first_x = p.first_shift.x;
  a.first_y = p.first_shift.y;
  a.shifts_x = p.shifts_x;
  a.shifts_y = p.shifts_y;
  a.out = static_cast<float*>(part.map.data);
  a.out_pixel = part.map.pixel;
  a.out_row = part.map.row;
  a.out_plane = part.map.plane;
  a.by_overlap = p.scale == ShiftScale::overlap || p.scale == ShiftScale::coefficient;
  a.energy_factor =
      p.scale == ShiftScale::coefficient ? 1 / (static_cast<double>(a.width) * a.height) : 1;
  return a;
}

Scratch CorrelateCuda::make_divisors(CorrelateArgs& a, Stream& stream) const {
  if (problem_.scale == ShiftScale::none || problem_.scale == ShiftScale::overlap) return {};
  const int planes = a.planes * (a.second + 1);
  TableLayout layout;
  const std::size_t energies =
      layout.add(sizeof(double) * static_cast<std::size_t>(a.images) * planes * kEnergyParts);
  const std::size_t divisors =
      layout.add(sizeof(double) * static_cast<std::size_t>(a.images) * a.maps);
  Scratch memory = stream.scratch(layout.bytes());
  a.energies = table_at<double>(memory, energies);
  a.divisors = table_at<double>(memory, divisors);
  energy_.launch(stream,
                 {kEnergyParts, static_cast<unsigned>(planes), static_cast<unsigned>(a.images)},
                 {kCorrelateThreads}, 0, a);
  divisors_.launch(stream, {blocks_for(1LL * a.images * a.maps, kCorrelateThreads)},
                   {kCorrelateThreads}, 0, a);
  return memory;
}

void CorrelateCuda::sum_exactly(const CorrelateArgs& a, Stream& stream) const {
  constexpr unsigned kMostBlocksAnImage = 4096;
  const unsigned blocks = blocks_for(1LL * a.shifts_x * a.shifts_y * a.maps, kCorrelateThreads);
  exact_.launch(stream, {std::min(blocks, kMostBlocksAnImage), 1, static_cast<unsigned>(a.images)},
                {kCorrelateThreads}, 0, a);
}

std::string why_no_correlate_on_device(const CorrelateProblem& p) {
  const std::string reason = why_no_device(p.device);
  if (!reason.empty()) return reason;
  // Planes of both images, and maps, are rows of a grid.
  const long long maps = std::ssize(p.sums);
  if (2LL * p.planes <= kMostBlocks && maps <= kMostBlocks) return "";
  return fmt::format("an image has {} planes and {} maps; it can have up to {} and {}", p.planes,
                     maps, kMostBlocks / 2, kMostBlocks);
}

}  // namespace tessera
