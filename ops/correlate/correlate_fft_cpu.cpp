// SPDX-License-Identifier: Apache-2.0
// The fft method on the CPU. The vertical classes of frequencies come in groups that take little
// memory; in a group columns, then slabs of frequencies, then columns of the maps are shared by the
// threads, and every result adds its classes in their order: the same bits for any threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/correlate/correlate_fft.hpp"
#include "ops/correlate/correlate_maps.hpp"
#include "ops/correlate/padded_planes.hpp"

namespace tessera {
namespace {

/// What the tiles of a group of classes may take.
constexpr long long kGroupBytes = 256LL << 20;

int slabs_of(int count) { return (count + kSlab - 1) / kSlab; }

/// Tiles of some planes or maps, for a group of classes: `rows` rows each.
class Tiles {
 public:
  Tiles(int count, int classes, int rows, int points)
      : count_(count),
        row_(2LL * points + kSlabRow<float>),  // not a power of two apart: sets of the cache
        tile_(row_ * slabs_of(rows) * kSlab),
        memory_(host_scratch(sizeof(float) * tile_ * count * classes)) {}

  long long row() const { return row_; }
  float* at(int index, int q, int first_row) const {
    return memory_.as<float>() + tile_ * (1LL * q * count_ + index) + row_ * first_row;
  }

 private:
  int count_;
  long long row_, tile_;
  Scratch memory_;
};

class FftCpu : public CorrelateRunner {
 public:
  explicit FftCpu(const CorrelateProblem& problem)
      : problem_(problem),
        used_(problem),
        direct_(make_correlate_direct_cpu(problem)),  // also looks at TESSERA_ISA
        isa_(current_isa()),
        fft_(correlate_fft()),
        across_(FoldKind::complex, problem.image.size.width, problem.first_shift.x,
                problem.shifts_x, fft_.most_radix),
        whole_(make_down(SummedRows(problem, false))),
        half_(make_down(SummedRows(problem, true))) {}

  std::string describe() const override {
    return fmt::format("{}, transforms of {}x{}", isa_, across_.shape.length(),
                       whole_.shape.length());
  }

  void run(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const override {
    for (int k = 0; k < problem_.batch; ++k)
      if (!run_image(image, other, map, k, stream)) return direct_->run(image, other, map, stream);
  }

 private:
  /// One image, where its planes and maps lie while it runs.
  struct Work {
    const FoldAxis* down;
    const PaddedPlanes *first, *second;
    Scratch results;
    long long results_row;
    int first_class, classes;  ///< the group
  };

  FoldAxis make_down(const SummedRows& rows) const {
    return {FoldKind::real, problem_.image.size.height, rows.first, rows.count, fft_.most_radix};
  }

  int maps() const { return static_cast<int>(problem_.sums.size()); }

  /// False: some sum is not finite, because a sample is not, or they are so large; direct may know
  /// better.
  bool run_image(AnyView image, AnyView other, AnyMutableView map, int k, Stream& stream) const {
    const bool same = same_images(image, other);
    const UsedPlanes used = same ? used_.both() : used_;
    const PaddedPlanes first(problem_, image, k, used.first, Specials::keep, stream);
    const PaddedPlanes second =
        same ? first : PaddedPlanes(problem_, other, k, used.second, Specials::keep, stream);
    Work work{same ? &half_ : &whole_, &first, same ? &first : &second, {}, 0, 0, 0};
    work.results_row = 1LL * slabs_of(problem_.shifts_x) * kSlab;
    work.results = host_scratch(sizeof(float) * work.results_row * work.down->count * maps());
    const int all = work.down->made_classes(), at_once = std::min(all, classes_at_once(same));
    for (work.first_class = 0; work.first_class < all; work.first_class += at_once) {
      work.classes = std::min(at_once, all - work.first_class);
      run_group(work, stream);
    }
    return store(work, MapWriter(problem_, image, other, map, k), stream);
  }

  int classes_at_once(bool same) const {
    const long long planes = same ? problem_.planes : 2LL * problem_.planes;
    const long long columns = planes * problem_.image.size.width + 1LL * maps() * problem_.shifts_x;
    const long long bytes = columns * (same ? half_ : whole_).shape.points * 2LL * sizeof(float);
    return static_cast<int>(std::max(1LL, kGroupBytes / bytes));
  }

  void run_group(const Work& work, Stream& stream) const {
    const bool same = work.first == work.second;
    const int points = work.down->shape.points, width = problem_.image.size.width;
    const Tiles planes(same ? problem_.planes : 2 * problem_.planes, work.classes, width, points);
    const Tiles sums(maps(), work.classes, problem_.shifts_x, points);
    transform_columns(work, planes, stream);
    multiply(work, planes, sums, stream);
    finish(work, sums, stream);
  }

  void transform_columns(const Work& work, const Tiles& planes, Stream& stream) const {
    std::vector<const float*> pixels;
    for (const PaddedPlanes* image : {work.first, work.second})
      for (int k = 0; k < problem_.planes; ++k) pixels.push_back(image->plane(k));
    if (work.first == work.second) pixels.resize(static_cast<std::size_t>(problem_.planes));
    const int slabs = slabs_of(problem_.image.size.width);
    parallel_for(slabs * static_cast<int>(pixels.size()), stream.threads(), [&](int index) {
      const int plane = index / slabs, x = index % slabs * kSlab;
      if (!pixels[static_cast<std::size_t>(plane)]) return;
      const Scratch slab = make_slabs(work.down->shape.points, 1);
      for (int q = 0; q < work.classes; ++q)
        fft_.columns({work.down, work.first_class + q, pixels[static_cast<std::size_t>(plane)] + x,
                      work.first->row(), planes.at(plane, q, x), planes.row(), slab.as<float>()});
    });
  }

  void multiply(const Work& work, const Tiles& planes, const Tiles& sums, Stream& stream) const {
    const bool same = work.first == work.second;
    const int slabs = work.down->shape.points / kSlab;
    parallel_for(slabs * work.classes, stream.threads(), [&](int index) {
      const int q = index / slabs;
      const long long offset = 1LL * (index % slabs) * kSlabRow<float>;
      const auto tiles = [&](const PaddedPlanes& image, int first) {
        std::vector<const float*> starts;
        for (int k = 0; k < problem_.planes; ++k)
          starts.push_back(image.plane(k) ? planes.at(first + k, q, 0) + offset : nullptr);
        return starts;
      };
      const auto a = tiles(*work.first, 0), b = tiles(*work.second, same ? 0 : problem_.planes);
      std::vector<float*> maps_here;
      for (int k = 0; k < maps(); ++k) maps_here.push_back(sums.at(k, q, 0) + offset);
      const Scratch slab = make_slabs(across_.shape.points, 2 * problem_.planes + 1);
      fft_.products({&across_, &problem_.sums, a.data(), same ? a.data() : b.data(),
                     maps_here.data(), problem_.planes, planes.row(), slab.as<float>()});
    });
  }

  void finish(const Work& work, const Tiles& sums, Stream& stream) const {
    const int slabs = slabs_of(problem_.shifts_x);
    parallel_for(slabs * maps(), stream.threads(), [&](int index) {
      const int map = index / slabs, column = index % slabs * kSlab;
      const Scratch slab = make_slabs(work.down->shape.points, 1);
      for (int q = 0; q < work.classes; ++q)
        fft_.results({work.down, work.first_class + q, sums.at(map, q, column), sums.row(),
                      results_of(work, map) + column, work.results_row, slab.as<float>()});
    });
  }

  bool store(const Work& work, const MapWriter& writer, Stream& stream) const {
    const FoldAxis& down = *work.down;
    const double factor = 2.0 / (1.0 * down.shape.length() * across_.shape.length());
    std::vector<char> finite(static_cast<std::size_t>(maps() * down.count), 1);
    parallel_for(static_cast<int>(finite.size()), stream.threads(), [&](int index) {
      const int map = index / down.count, row = index % down.count;
      const float* sums = results_of(work, map) + row * work.results_row;
      for (int column = 0; column < problem_.shifts_x; ++column) {
        if (!std::isfinite(sums[column])) finite[static_cast<std::size_t>(index)] = 0;
        writer.put(map, across_.first + column, down.first + row,
                   factor * static_cast<double>(sums[column]));
      }
    });
    return std::find(finite.begin(), finite.end(), 0) == finite.end();
  }

  float* results_of(const Work& work, int map) const {
    return work.results.as<float>() + work.results_row * work.down->count * map;
  }

  static Scratch make_slabs(int points, int count) {
    return host_scratch(sizeof(float) * kSlabRow<float> * points * count);
  }

  CorrelateProblem problem_;
  UsedPlanes used_;
  CorrelateRunnerPointer direct_;
  std::string isa_;
  CorrelateFft fft_;
  FoldAxis across_, whole_, half_;
};

}  // namespace

CorrelateRunnerPointer make_correlate_fft_cpu(const CorrelateProblem& problem) {
  return std::make_unique<FftCpu>(problem);
}

}  // namespace tessera
