// SPDX-License-Identifier: Apache-2.0
/// The corrected model on a GPU, in float.
#include <fmt/format.h>

#include "core/device.hpp"
#include "ops/cells/cuda/cells_films_cuda.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// For all films together: 1.1 GiB of slots, copied to the device as one row of bytes.
constexpr long long kMostSlots = 1LL << 24;
static_assert(kMostSlots * sizeof(CellSlot<float>) < (1LL << 31));

class CellsCuda : public CellsRunner {
 public:
  explicit CellsCuda(const CellsProblem& problem) : problem_(problem), kernels_(problem) {}

  std::vector<CellDetection> detect(AnyView frame, Stream& stream) const override;
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
  std::string describe() const override { return fmt::format("device {}", problem_.device); }

 private:
  static CellsFilmsCuda& films(CellsWork& work) { return static_cast<CellsFilmsCuda&>(work); }
  static const CellsFilmsCuda& films(const CellsWork& work) {
    return static_cast<const CellsFilmsCuda&>(work);
  }

  CellsProblem problem_;
  CellsKernels kernels_;
};

std::vector<CellDetection> CellsCuda::detect(AnyView frame, Stream& stream) const {
  if (!kernels_.can_detect(problem_.crop)) return {};
  const Size size = problem_.frame.size;
  ImageInfo info = frame.info();
  info.device = stream.device();
  const auto plane = static_cast<std::size_t>(size.pixels());
  const Scratch copied = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  const Scratch smooth = stream.scratch(plane * 4), across = stream.scratch(plane * 4),
                down = stream.scratch(plane * 4);
  const Scratch floor = stream.scratch(sizeof(float));
  const CellsDetectMemory memory(problem_, 1, stream);
  device_stream(stream).copy(frame, packed(copied.data(), info));
  kernels_.smooth({copied.data(), 1, 1, 0, 1, size.width, size.height}, 1, smooth.as<float>(),
                  stream);
  CellsPlaces places{};
  places.films = 1;
  kernels_.subtract({places,
                     {smooth.as<float>(), 0, 1, size.width, size.height},
                     {},
                     0,
                     across.as<float>(),
                     down.as<float>()},
                    stream);
  kernels_.floors(
      {across.as<float>(), down.as<float>(), size.width, size.height, floor.as<float>()}, 1,
      stream);
  kernels_.detect({across.as<float>(), down.as<float>(), floor.as<float>(), 1, 1, 0}, problem_.crop,
                  memory, 0, stream);
  return memory.download(stream);
}

}  // namespace

CellsRunnerPointer make_cells_cuda(const CellsProblem& problem) {
  return std::make_unique<CellsCuda>(problem);
}

}  // namespace tessera
