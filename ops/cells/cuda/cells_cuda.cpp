// SPDX-License-Identifier: Apache-2.0
/// The corrected model on a GPU, in float.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "core/device.hpp"
#include "ops/cells/cuda/cells_films_cuda.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// For all films together: 1.1 GiB of slots, copied to the device as one row of bytes.
constexpr long long kMostSlots = 1LL << 24;
static_assert(kMostSlots * sizeof(CellSlot<float>) < (1LL << 31));

/// Frames searched at once: less than a gigabyte of them and of what is made of them.
constexpr long long kPixelsTogether = 1LL << 25, kPlanesTogether = 1024;

class CellsCuda : public CellsRunner {
 public:
  explicit CellsCuda(const CellsProblem& problem) : problem_(problem), kernels_(problem) {}

  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const override {
    return detect_each({frame}, stream).front();
  }
  std::vector<std::vector<CellDetection>> detect_each(const std::vector<AnyView>& frames,
                                                      Stream& stream) const override;
  std::unique_ptr<CellsWork> start(int films) const override {
    if (films > kMostBlocks)
      throw Error(
          ErrorKind::usage,
          fmt::format("cells: {} films at once; a device follows at most {}", films, kMostBlocks));
    if (1LL * films * problem_.options.max_cells > kMostSlots)
      throw Error(ErrorKind::usage,
                  fmt::format("cells: {} films with max-cells {} make {} cells at once; a device "
                              "follows at most {}: give fewer films or a smaller max-cells",
                              films, problem_.options.max_cells,
                              1LL * films * problem_.options.max_cells, kMostSlots));
    return std::make_unique<CellsFilmsCuda>(problem_, kernels_, films);
  }
  void add(CellsWork& work, AnyView frames, Stream& stream) const override {
    films(work).add(frames, stream);
  }
  void finish(CellsWork& work, Stream& stream) const override { films(work).finish(stream); }
  int frames_done(const CellsWork& work) const override { return films(work).frames_done(); }
  std::vector<CellTrack> tracks(const CellsWork& work, int film) const override {
    return films(work).tracks(film);
  }
  CellsLives lives(const CellsWork& work, int film) const override {
    return films(work).lives(film);
  }
  std::vector<CellDrift> drifts(const CellsWork& work, int film) const override {
    return films(work).drifts(film);
  }
  std::string describe() const override { return fmt::format("device {}", problem_.device); }

 private:
  static CellsFilmsCuda& films(CellsWork& work) { return static_cast<CellsFilmsCuda&>(work); }
  static const CellsFilmsCuda& films(const CellsWork& work) {
    return static_cast<const CellsFilmsCuda&>(work);
  }

  std::vector<std::vector<CellDetection>> detect_together(std::span<const AnyView> frames,
                                                          Stream& stream) const;

  CellsProblem problem_;
  CellsKernels kernels_;
};

std::vector<std::vector<CellDetection>> CellsCuda::detect_each(const std::vector<AnyView>& frames,
                                                               Stream& stream) const {
  if (!kernels_.can_detect(problem_.crop))
    return std::vector<std::vector<CellDetection>>(frames.size());
  const auto together = static_cast<std::size_t>(
      std::clamp(kPixelsTogether / problem_.frame.size.pixels(), 1LL, kPlanesTogether));
  std::vector<std::vector<CellDetection>> found;
  for (std::size_t k = 0; k < frames.size(); k += together) {
    const std::size_t count = std::min(together, frames.size() - k);
    std::ranges::move(detect_together({&frames[k], count}, stream), std::back_inserter(found));
  }
  return found;
}

std::vector<std::vector<CellDetection>> CellsCuda::detect_together(std::span<const AnyView> frames,
                                                                   Stream& stream) const {
  const Size size = problem_.frame.size;
  const auto plane = static_cast<std::size_t>(size.pixels());
  const std::size_t count = frames.size(), pixels = plane * count;
  const int planes = static_cast<int>(count);
  ImageInfo info = problem_.frame;
  info.device = stream.device();
  const auto bytes = static_cast<std::size_t>(bytes_of(info));
  const Scratch copied = stream.scratch(bytes * count);
  const Scratch smooth = stream.scratch(pixels * 4), across = stream.scratch(pixels * 4),
                down = stream.scratch(pixels * 4);
  const Scratch floors = stream.scratch(count * sizeof(float));
  const CellsDetectMemory memory(problem_, planes, stream);
  for (std::size_t k = 0; k < count; ++k)
    device_stream(stream).copy(frames[k], packed(copied.as<unsigned char>() + k * bytes, info));
  kernels_.smooth({copied.data(), planes, 1, 0, 1, size.width, size.height}, planes,
                  smooth.as<float>(), stream);
  CellsPlaces places{};
  places.films = 1;
  kernels_.subtract({places,
                     {smooth.as<float>(), 0, planes, size.width, size.height},
                     {},
                     0,
                     across.as<float>(),
                     down.as<float>()},
                    stream);
  kernels_.floors(
      {across.as<float>(), down.as<float>(), size.width, size.height, floors.as<float>()}, planes,
      stream);
  kernels_.detect({across.as<float>(), down.as<float>(), floors.as<float>(), planes, 1,
                   static_cast<long long>(plane)},
                  problem_.crop, memory, 0, stream);
  return memory.download(planes, stream);
}

}  // namespace

CellsRunnerPointer make_cells_cuda(const CellsProblem& problem) {
  return std::make_unique<CellsCuda>(problem);
}

}  // namespace tessera
