// SPDX-License-Identifier: Apache-2.0
// The four nested loops on a GPU: jobs, scratch memory, launches.
#include <fmt/format.h>

#include <algorithm>

#include "ops/correlate/cuda/correlate_cuda.hpp"
#include "ops/correlate/cuda/correlate_direct_tiles.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

/// Sums of jobs that wait to be added: enough jobs to fill a GPU many times over.
constexpr long long kPartialBytes = 256LL << 20;

CorrelateDirectKnobs find_knobs_of(const CorrelateProblem& p) {
  const auto& device = device_info(p.device);
  const Knobs tuned = find_knobs(kCorrelateDirectSite, problem_key(p), table_name(device.name));
  // A GPU makes some thousand products in the time that it takes for a sample of a filter.
  return with_table(p, worth_compiling(tuned, correlate_products(p) / 1024),
                    device.shared_bytes_per_block);
}

const GpuKernel& entry(const CorrelateProblem& p, const std::string& name) {
  return find_kernel(p.device, {"correlate_direct", name, "", ""});
}

class CorrelateDirectCuda : public CorrelateCuda {
 public:
  explicit CorrelateDirectCuda(const CorrelateProblem& p)
      : CorrelateCuda(p),
        pad_(entry(p, fmt::format("correlate_pad_{}", name_of(p.image.type)))),
        multiply_(find_kernel(p.device, correlate_jobs_kernel(p, find_knobs_of(p)))),
        add_(entry(p, "correlate_add_jobs")),
        // Without a run-time compiler it is the entry point, which has its own knobs.
        plan_(p, multiply_.origin() == "ahead of time" ? usual_direct_knobs(p) : find_knobs_of(p)),
        tiles_(p.device, plan_.tiles) {}

  std::string describe() const override {
    return fmt::format("device {}, blocks of {}x{} shifts, {}", problem().device,
                       plan_.knobs.shifts_x(), plan_.knobs.shifts_y(), multiply_.origin());
  }

 protected:
  long long scratch_bytes(bool same_image) const override {
    return static_cast<long long>(Layout(*this, same_image, 1).all.bytes());
  }

  void launch(CorrelateArgs args, Stream& stream) const override {
    const Layout layout(*this, args.second == 0, args.images);
    const Scratch memory = stream.scratch(layout.all.bytes());
    CorrelateDirectArgs a = arguments(args, layout, memory);
    const auto images = static_cast<unsigned>(a.images);
    pad_.launch(stream, {pad_groups(), static_cast<unsigned>(a.planes * (a.second + 1)), images},
                {kCorrelateThreads}, 0, a);
    const long long all = plan_.jobs * problem().pairs() * a.images;
    for (a.first = 0; a.first < all; a.first = a.end) {
      a.end = std::min(all, a.first + layout.jobs_at_once);
      multiply_.launch(stream, {static_cast<unsigned>(a.end - a.first)},
                       {static_cast<unsigned>(plan_.knobs.threads())},
                       direct_shared_bytes(plan_.knobs), a);
      add_.launch(stream, {add_blocks(a)}, {kCorrelateThreads}, 0, a);
    }
    if (may_be_infinite()) sum_exactly(a, stream);
    tiles_.used_by(stream);
  }

 private:
  unsigned pad_groups() const { return blocks_for(plan_.padded_height, kPaddedRowsABlock); }

  /// Positions in scratch memory.
  struct Layout {
    Layout(const CorrelateDirectCuda& d, bool same_image, int images) {
      const auto size = [](long long n) { return static_cast<std::size_t>(n); };
      const CorrelateProblem& p = d.problem();
      const long long planes = 1LL * p.planes * (same_image ? 1 : 2) * images;
      const long long jobs = d.plan_.jobs * p.pairs() * images,
                      job_bytes = 4LL * d.plan_.tile_shifts();
      jobs_at_once = std::min(jobs, kPartialBytes / job_bytes);
      slots = static_cast<int>(planes / images * d.pad_groups());
      padded = all.add(size(4 * planes * d.plan_.padded_width * d.plan_.padded_height));
      found = all.add(size(4LL * images * slots));
      partial = all.add(size(jobs_at_once * job_bytes));
      if (jobs_at_once < jobs)
        running = all.add(sizeof(double) * size(images) * p.sums.size() * size(p.shifts_x) *
                          size(p.shifts_y));
    }
    long long jobs_at_once;
    int slots;
    std::size_t padded, found, partial, running = 0;
    TableLayout all;
  };

  CorrelateDirectArgs arguments(const CorrelateArgs& args, const Layout& layout,
                                const Scratch& memory) const {
    CorrelateDirectArgs a{};
    static_cast<CorrelateArgs&>(a) = args;
    a.knobs = plan_.knobs;
    a.padded = table_at<float>(memory, layout.padded);
    a.margin_x = plan_.margin_x;
    a.margin_y = plan_.margin_y;
    a.padded_width = plan_.padded_width;
    a.padded_height = plan_.padded_height;
    a.found = table_at<int>(memory, layout.found);
    a.not_finite = a.found;
    a.slots = layout.slots;
    a.tiles = tiles_.as<DirectTile>();
    a.tile_count = static_cast<int>(plan_.tiles.size());
    a.tiles_across = plan_.tiles_across;
    a.start_x = plan_.start_x;
    a.jobs = plan_.jobs;
    a.partial = table_at<float>(memory, layout.partial);
    a.running = table_at<double>(memory, layout.running);
    return a;
  }

  /// One thread per output of the images that have jobs in this launch.
  unsigned add_blocks(const CorrelateDirectArgs& a) const {
    constexpr long long kMost = 1 << 20;
    const long long an_image = a.jobs * problem().pairs();
    const long long images = (a.end - 1) / an_image - a.first / an_image + 1;
    return static_cast<unsigned>(std::min(
        kMost,
        (images * a.maps * a.shifts_x * a.shifts_y + kCorrelateThreads - 1) / kCorrelateThreads));
  }

  const GpuKernel &pad_, &multiply_, &add_;
  DirectTiles plan_;
  Resident tiles_;
};

}  // namespace

CorrelateDirectKnobs usual_direct_knobs(const CorrelateProblem& p) {
  return p.shifts_x <= 32 && p.shifts_y <= 32 ? CorrelateDirectKnobs{1, 1}
                                              : CorrelateDirectKnobs{2, 2};
}

CorrelateDirectKnobs with_table(const CorrelateProblem& p, const Knobs& tuned, int shared_bytes) {
  const CorrelateDirectKnobs usual = usual_direct_knobs(p),
                             knobs{tuned.get("warps_x", usual.warps_x),
                                   tuned.get("warps_y", usual.warps_y)};
  return direct_shared_bytes(knobs) <= shared_bytes ? knobs : usual;
}

KernelName correlate_jobs_kernel(const CorrelateProblem& p, const CorrelateDirectKnobs& k) {
  const CorrelateDirectKnobs usual = usual_direct_knobs(p);
  const bool tuned = k.warps_x != usual.warps_x || k.warps_y != usual.warps_y;
  KernelName name{"correlate_direct",
                  fmt::format("correlate_jobs_{}x{}", usual.warps_x, usual.warps_y), "",
                  "CorrelateDirectArgs"};
  if (tuned || force_run_time_kernels()) {
    name.body = fmt::format("correlate_jobs<CorrelateDirectKnobs{{{}, {}}}>", k.warps_x, k.warps_y);
    // With 384 threads per multiprocessor each has the registers it needs.
    name.bounds = fmt::format("{}, {}", k.threads(), std::max(1, 384 / k.threads()));
  }
  return name;
}

CorrelateRunnerPointer make_correlate_direct_cuda(const CorrelateProblem& problem) {
  return std::make_unique<CorrelateDirectCuda>(problem);
}

}  // namespace tessera
