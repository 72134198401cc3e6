// SPDX-License-Identifier: Apache-2.0
// The fft method on the CPU. The vertical classes of frequencies are processed in groups that take
// little memory. Within a group, threads share first the columns, then slabs of frequencies, then
// columns of the maps, and every result adds its classes in order: the same bits for any number of
// threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/correlate/cpu/correlate_direct.hpp"
#include "ops/correlate/cpu/correlate_fft.hpp"
#include "ops/correlate/cpu/correlate_maps.hpp"
#include "ops/correlate/cpu/used_planes.hpp"

namespace tessera {
namespace {

/// Memory for the tiles of a group of classes.
constexpr long long kGroupBytes = 256LL << 20;

/// Slabs of columns whose pixels are read together: a single slab covers only one cache line per
/// row.
constexpr int kSlabsAtOnce = 4;

int slabs_of(int count) { return (count + kSlab - 1) / kSlab; }

/// Tiles of some planes or maps, for a group of classes: `rows` rows each.
class Tiles {
 public:
  Tiles(int count, int classes, int rows, int points)
      : count_(count),
        slab_(1LL * kSlabRow<float> * slabs_of(rows) * kSlab),
        tile_(slab_ * points / kSlab),
        memory_(host_scratch(sizeof(float) * tile_ * count * classes)) {}

  long long slab() const { return slab_; }
  float* at(int index, int q, int slab, int row) const {
    return memory_.as<float>() + tile_ * (1LL * q * count_ + index) + slab_ * slab +
           1LL * kSlabRow<float> * row;
  }

 private:
  int count_;
  long long slab_, tile_;
  Scratch memory_;
};

class FftCpu : public CorrelateRunner {
 public:
  explicit FftCpu(const CorrelateProblem& problem)
      : problem_(problem),
        used_(problem),
        same_planes_(problem.same_planes()),
        direct_(make_correlate_direct_images(problem)),  // also looks at TESSERA_ISA
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
      if (!run_image(image, other, map, k, stream))
        direct_->run_image(image, other, map, k, stream);
  }

 private:
  /// One image of a batch, and its results.
  struct Work {
    AnyView first, second;
    int image;
    bool same;
    const FoldAxis* down;
    UsedPlanes used;
    Scratch results;
    long long results_row;
    int first_class, classes;  ///< the group
  };

  FoldAxis make_down(const SummedRows& rows) const {
    return {FoldKind::real, problem_.image.size.height, rows.first, rows.count, fft_.most_radix};
  }

  int maps() const { return static_cast<int>(problem_.sums.size()); }

  /// False: a sum is not finite, because a sample is not or because the sums are too large; direct
  /// may still get it right.
  bool run_image(AnyView image, AnyView other, AnyMutableView map, int k, Stream& stream) const {
    const bool same = same_images(image, other);
    Work work{image, other, k, same, same ? &half_ : &whole_, same ? used_.both() : used_,
              {},    0,     0, 0};
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
    const int points = work.down->shape.points, width = problem_.image.size.width;
    const Tiles planes(work.same ? problem_.planes : 2 * problem_.planes, work.classes, width,
                       points);
    const Tiles sums(maps(), work.classes, problem_.shifts_x, points);
    transform_columns(work, planes, stream);
    multiply(work, planes, sums, stream);
    finish(work, sums, stream);
  }

  bool is_used(const Work& work, int plane) const {
    return plane < problem_.planes
               ? work.used.first[static_cast<std::size_t>(plane)]
               : work.used.second[static_cast<std::size_t>(plane - problem_.planes)];
  }
  /// Planes of the image, then those of the other.
  AnyView plane_of(const Work& work, int plane) const {
    return plane < problem_.planes
               ? plane_view(problem_, work.first, work.image, plane)
               : plane_view(problem_, work.second, work.image, plane - problem_.planes);
  }

  void transform_columns(const Work& work, const Tiles& planes, Stream& stream) const {
    const FoldAxis& down = *work.down;
    const int slabs = slabs_of(problem_.image.size.width);
    const int groups = (slabs + kSlabsAtOnce - 1) / kSlabsAtOnce;
    const int count = work.same ? problem_.planes : 2 * problem_.planes;
    parallel_for(groups * count, stream.threads(), [&](int index) {
      const int plane = index / groups, first = index % groups * kSlabsAtOnce;
      if (!is_used(work, plane)) return;
      const int here = std::min(kSlabsAtOnce, slabs - first);
      const long long samples = 1LL * down.samples * kSlab;
      const Scratch pixels = host_scratch(sizeof(float) * samples * here);
      load_column_slabs(plane_of(work, plane), first * kSlab, here, pixels.as<float>());
      const Scratch slab = make_slabs(down.shape.points, 1);
      for (int s = 0; s < here; ++s)
        for (int q = 0; q < work.classes; ++q)
          fft_.columns({&down, work.first_class + q, pixels.as<float>() + s * samples,
                        planes.at(plane, q, 0, (first + s) * kSlab), planes.slab(),
                        slab.as<float>()});
    });
  }

  void multiply(const Work& work, const Tiles& planes, const Tiles& sums, Stream& stream) const {
    const int slabs = work.down->shape.points / kSlab;
    parallel_for(slabs * work.classes, stream.threads(), [&](int index) {
      const int q = index / slabs, s = index % slabs;
      std::vector<const float*> tiles;
      for (int k = 0; k < (work.same ? 1 : 2) * problem_.planes; ++k)
        tiles.push_back(is_used(work, k) ? planes.at(k, q, s, 0) : nullptr);
      std::vector<float*> maps_here;
      for (int k = 0; k < maps(); ++k) maps_here.push_back(sums.at(k, q, s, 0));
      const Scratch slab = make_slabs(across_.shape.points, 2 * problem_.planes + 1);
      fft_.products({&across_, &problem_.sums, tiles.data(),
                     tiles.data() + (work.same ? 0 : problem_.planes), maps_here.data(),
                     problem_.planes, work.same && same_planes_, slab.as<float>()});
    });
  }

  void finish(const Work& work, const Tiles& sums, Stream& stream) const {
    const int slabs = slabs_of(problem_.shifts_x);
    parallel_for(slabs * maps(), stream.threads(), [&](int index) {
      const int map = index / slabs, column = index % slabs * kSlab;
      const Scratch slab = make_slabs(work.down->shape.points, 1);
      for (int q = 0; q < work.classes; ++q)
        fft_.results({work.down, work.first_class + q, sums.at(map, q, 0, column), sums.slab(),
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
  bool same_planes_;
  std::unique_ptr<const CorrelateDirectCpu> direct_;
  std::string isa_;
  CorrelateFft fft_;
  FoldAxis across_, whole_, half_;
};

}  // namespace

CorrelateRunnerPointer make_correlate_fft_cpu(const CorrelateProblem& problem) {
  return std::make_unique<FftCpu>(problem);
}

}  // namespace tessera
