// SPDX-License-Identifier: Apache-2.0
// Transforms of whole planes on a GPU: tables, scratch memory, launches.
#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "ops/correlate/cuda/correlate_cuda.hpp"
#include "ops/correlate/cuda/correlate_fft_sizes.hpp"

namespace tessera {
namespace {

class CorrelateFftCuda : public CorrelateCuda {
 public:
  explicit CorrelateFftCuda(const CorrelateProblem& p)
      : CorrelateCuda(p),
        sizes_(p),
        map_planes_(p.same_planes() ? pack_maps(p) : PlanePacking{}),
        all_planes_(pack_planes(p)),
        across_at_(tables_.add(line_turns(sizes_.across))),
        down_at_(tables_.add(line_turns(sizes_.down))),
        map_planes_at_(tables_.add(map_planes_.planes)),
        map_begin_at_(tables_.add(map_planes_.begin)),
        all_planes_at_(tables_.add(all_planes_.planes)),
        on_device_(p.device, tables_.bytes()),
        compiled_(compiling_pays()) {
    // The kernels for an autocorrelation are compiled now, so that the first image does not wait
    // for them.
    kernel(kRows);
    kernel(kResults);
    kernel(p.same_planes() ? kPowers : kColumns);
    if (!p.same_planes()) kernel(kProducts);
  }

  std::string describe() const override {
    return fmt::format("device {}, transforms of {}x{}, {}", problem().device, sizes_.across,
                       sizes_.down, kernel(kRows).origin());
  }

 protected:
  long long scratch_bytes(bool same_image) const override {
    return static_cast<long long>(Layout(*this, same_image, 1).all.bytes());
  }

  void launch(CorrelateArgs args, Stream& stream) const override {
    const Layout layout(*this, args.second == 0, args.images);
    const Scratch memory = stream.scratch(layout.all.bytes());
    const CorrelateFftArgs a = arguments(args, layout, memory);
    const auto images = static_cast<unsigned>(a.images), maps = static_cast<unsigned>(a.maps),
               packed = static_cast<unsigned>(a.packed_count),
               sources = images * static_cast<unsigned>(a.second + 1);
    const CorrelateFftKnobs& k = sizes_.knobs;
    const auto start = [&](CorrelateFftStep step, Extent3 grid, int bytes) {
      kernel(step).launch(stream, grid, {kLineThreads}, bytes, a);
    };
    start(kRows, {row_groups(), packed, sources}, line_fft_bytes({a.across, k.rows}));
    const Extent3 half_columns{blocks_for(a.half_across, k.columns), maps, images};
    if (has_powers(args.second == 0)) {
      start(kPowers, half_columns, correlate_powers_bytes(a.down, k.columns));
    } else {
      start(kColumns, {blocks_for(a.across, 2 * k.columns), packed, sources},
            line_fft_bytes({a.down, 2 * k.columns}));
      start(kProducts, half_columns, line_fft_bytes({a.down, k.columns}));
    }
    start(kResults, {blocks_for((a.shifts_y + 1) / 2, k.result_rows), maps, images},
          line_fft_bytes({a.across, k.result_rows}));
    if (may_be_infinite()) sum_exactly(a, stream);
    on_device_.used_by(stream);
  }

 private:
  bool has_powers(bool same_image) const { return same_image && problem().same_planes(); }
  unsigned row_groups() const { return blocks_for(problem().image.size.height, sizes_.knobs.rows); }

  /// Positions in scratch memory.
  struct Layout {
    Layout(const CorrelateFftCuda& f, bool same_image, int images)
        : packed(static_cast<int>(f.has_powers(same_image) ? f.map_planes_.planes.size()
                                                           : f.all_planes_.planes.size())),
          slots(packed * static_cast<int>(f.row_groups()) * (same_image ? 1 : 2)) {
      const auto size = [](long long n) { return static_cast<std::size_t>(n); };
      const CorrelateProblem& p = f.problem();
      const std::size_t row = sizeof(LineValue) * size(f.sizes_.across),
                        all_packed = size(packed) * size(images) * (same_image ? 1 : 2);
      rows = all.add(all_packed * size(p.image.size.height) * row);
      if (!f.has_powers(same_image)) spectra = all.add(all_packed * size(f.sizes_.down) * row);
      half_rows = all.add(sizeof(LineValue) * size(images) * p.sums.size() * size(p.shifts_y) *
                          size(f.sizes_.across / 2 + 1));
      found = all.add(sizeof(int) * size(images) * size(slots));
    }
    int packed, slots;
    std::size_t rows = 0, spectra = 0, half_rows = 0, found = 0;
    TableLayout all;
  };

  CorrelateFftArgs arguments(const CorrelateArgs& args, const Layout& layout,
                             const Scratch& memory) const {
    CorrelateFftArgs a{};
    static_cast<CorrelateArgs&>(a) = args;
    const bool powers = has_powers(args.second == 0);
    a.knobs = sizes_.knobs;
    a.across = sizes_.across;
    a.down = sizes_.down;
    a.across_passes = line_passes(a.across);
    a.down_passes = line_passes(a.down);
    a.across_turns = table_at<LineValue>(on_device_, across_at_);
    a.down_turns = table_at<LineValue>(on_device_, down_at_);
    a.packed = table_at<PackedPlanes>(on_device_, powers ? map_planes_at_ : all_planes_at_);
    a.packed_begin = table_at<int>(on_device_, map_begin_at_);
    a.packed_count = layout.packed;
    a.found = table_at<int>(memory, layout.found);
    a.not_finite = a.found;
    a.slots = layout.slots;
    a.rows = table_at<LineValue>(memory, layout.rows);
    a.spectra = table_at<LineValue>(memory, layout.spectra);
    a.half_rows = table_at<LineValue>(memory, layout.half_rows);
    a.half_across = a.across / 2 + 1;
    // Each plane is divided by a power of two near the square root of the gain of a transform and
    // its inverse: exact.
    const double values = static_cast<double>(a.across) * a.down;
    const int half = static_cast<int>(std::ceil(std::log2(values) / 2));
    a.in_factor = std::ldexp(1.0F, -half);
    a.out_factor = std::ldexp(1 / values, 2 * half) / (powers ? 2 : 4);
    return a;
  }

  bool compiling_pays() const {
    if (!run_time_compiler_found()) return false;
    return force_run_time_kernels() || correlate_fft_compiles(problem(), sizes_);
  }

  const GpuKernel& kernel(CorrelateFftStep step) const {
    const GpuKernel* found = kernels_[step];
    if (found) return *found;
    found =
        &find_kernel(problem().device, correlate_fft_kernel(problem(), sizes_, step, compiled_));
    kernels_[step] = found;
    return *found;
  }

  CorrelateFftSizes sizes_;
  PlanePacking map_planes_, all_planes_;
  DeviceTables tables_;
  std::size_t across_at_, down_at_, map_planes_at_, map_begin_at_, all_planes_at_;
  Resident on_device_;
  bool compiled_;
  mutable std::atomic<const GpuKernel*> kernels_[kSteps] = {};
};

}  // namespace

CorrelateRunnerPointer make_correlate_fft_cuda(const CorrelateProblem& problem) {
  return std::make_unique<CorrelateFftCuda>(problem);
}

}  // namespace tessera
