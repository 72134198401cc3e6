// SPDX-License-Identifier: Apache-2.0
// The direct method on the CPU: blocks of shifts, one thread each, the largest first. The work
// within a block is in correlate_direct_simd.cpp. Samples that are not finite count as 0 there.
// Their products are added afterwards, one by one, so that a NaN or an infinity affects exactly the
// sums it belongs to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/samples.hpp"
#include "ops/correlate/cpu/correlate_direct.hpp"
#include "ops/correlate/cpu/correlate_maps.hpp"
#include "ops/correlate/cpu/padded_planes.hpp"

namespace tessera {
namespace {

/// A block of shifts of one map.
struct Task {
  int sum, dx, dy, columns, rows;
  double work;
};

/// The blocks of all maps, the one with the most products first.
std::vector<Task> make_tasks(const CorrelateProblem& p, const SummedRows& rows) {
  std::vector<Task> tasks;
  for (int sum = 0; sum < std::ssize(p.sums); ++sum)
    for (int row = 0; row < rows.count; row += kBlockRows)
      for (int column = 0; column < p.shifts_x; column += kBlockColumns) {
        Task task{sum,
                  p.first_shift.x + column,
                  rows.first + row,
                  std::min(kBlockColumns, p.shifts_x - column),
                  std::min(kBlockRows, rows.count - row),
                  0};
        const double across = p.image.size.width - std::abs(task.dx + task.columns / 2);
        const double down = p.image.size.height - std::abs(task.dy);
        task.work = across * down * task.columns *
                    static_cast<double>(p.sums[static_cast<std::size_t>(sum)].pairs.size());
        tasks.push_back(task);
      }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const Task& a, const Task& b) { return a.work > b.work; });
  return tasks;
}

/// One image of a batch and the other image it is correlated with.
struct Images {
  AnyView first, second;
  int index;
};

class DirectCpu : public CorrelateDirectCpu {
 public:
  explicit DirectCpu(const CorrelateProblem& problem)
      : problem_(problem),
        used_(problem),
        whole_(make_tasks(problem, SummedRows(problem, false))),
        half_(make_tasks(problem, SummedRows(problem, true))) {
    apply_isa_environment();
    isa_ = current_isa();
    block_ = correlate_block_function();
  }

  std::string describe() const override {
    return fmt::format("{}, blocks of {}x{} shifts", isa_,
                       std::min(kBlockColumns, problem_.shifts_x),
                       std::min(kBlockRows, problem_.shifts_y));
  }

  void run(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const override {
    for (int k = 0; k < problem_.batch; ++k) run_image(image, other, map, k, stream);
  }

  void run_image(AnyView image, AnyView other, AnyMutableView map, int index,
                 Stream& stream) const override {
    const Images images{image, other, index};
    const bool same = same_images(images.first, images.second);
    const UsedPlanes used = same ? used_.both() : used_;
    const PaddedPlanes first(problem_, images.first, images.index, used.first, stream);
    const PaddedPlanes others =
        same ? first : PaddedPlanes(problem_, images.second, images.index, used.second, stream);
    const MapWriter writer(problem_, images.first, images.second, map, images.index);
    const std::vector<float> zeros(static_cast<std::size_t>(first.row()), 0.0F);
    const auto& tasks = same ? half_ : whole_;
    parallel_for(static_cast<int>(tasks.size()), stream.threads(), [&](int k) {
      const Task& task = tasks[static_cast<std::size_t>(k)];
      double totals[kBlockRows * kBlockColumns];
      sum_block(task, first, others, zeros.data(), totals);
      add_specials(task, images, first.specials(), others.specials(), totals);
      for (int row = 0; row < task.rows; ++row)
        for (int column = 0; column < task.columns; ++column)
          writer.put(task.sum, task.dx + column, task.dy + row,
                     totals[row * kBlockColumns + column]);
    });
  }

  void sum_block(const Task& task, const PaddedPlanes& first, const PaddedPlanes& others,
                 const float* zeros, double* totals) const {
    std::vector<DirectPair> pairs;
    for (const PlanePair& pair : problem_.sums[static_cast<std::size_t>(task.sum)].pairs)
      pairs.push_back({first.plane(pair.first), others.plane(pair.second)});
    const Size size = problem_.image.size;
    block_({pairs.data(), static_cast<int>(pairs.size()), first.row(), size.width, size.height,
            task.dx, task.dy, task.columns, zeros, totals});
  }

  /// Adds the products whose first factor is not finite, then those in which only the second factor
  /// is not finite.
  void add_specials(const Task& task, const Images& images, const std::vector<SpecialSample>& first,
                    const std::vector<SpecialSample>& second, double* totals) const {
    if (first.empty() && second.empty()) return;
    for (const PlanePair& pair : problem_.sums[static_cast<std::size_t>(task.sum)].pairs) {
      const AnyView a = plane_view(problem_, images.first, images.index, pair.first);
      const AnyView b = plane_view(problem_, images.second, images.index, pair.second);
      add_products(task, first, pair.first, totals, [&](const SpecialSample& s, int dx, int dy) {
        return inside(s.x - dx, s.y - dy)
                   ? sample_at(a, s.x, s.y, 0, 0) * sample_at(b, s.x - dx, s.y - dy, 0, 0)
                   : 0;
      });
      add_products(task, second, pair.second, totals, [&](const SpecialSample& s, int dx, int dy) {
        if (!inside(s.x + dx, s.y + dy)) return 0.0;
        const double value = sample_at(a, s.x + dx, s.y + dy, 0, 0);
        return std::isfinite(static_cast<float>(value)) ? value * sample_at(b, s.x, s.y, 0, 0) : 0;
      });
    }
  }

  /// Stops when all shifts of the block are NaN: nothing can change them any more.
  template <class Product>
  static void add_products(const Task& task, const std::vector<SpecialSample>& samples, int plane,
                           double* totals, Product product) {
    for (const SpecialSample& sample : samples) {
      if (sample.plane != plane) continue;
      bool left = false;
      for (int row = 0; row < task.rows; ++row)
        for (int column = 0; column < task.columns; ++column) {
          double& total = totals[row * kBlockColumns + column];
          if (std::isnan(total)) continue;
          total += product(sample, task.dx + column, task.dy + row);
          left = true;
        }
      if (!left) return;
    }
  }

  bool inside(int x, int y) const {
    return x >= 0 && x < problem_.image.size.width && y >= 0 && y < problem_.image.size.height;
  }

  CorrelateProblem problem_;
  UsedPlanes used_;
  std::vector<Task> whole_, half_;
  std::string isa_;
  CorrelateBlockFunction block_;
};

}  // namespace

std::unique_ptr<const CorrelateDirectCpu> make_correlate_direct_images(
    const CorrelateProblem& problem) {
  return std::make_unique<DirectCpu>(problem);
}
CorrelateRunnerPointer make_correlate_direct_cpu(const CorrelateProblem& problem) {
  return std::make_unique<DirectCpu>(problem);
}

}  // namespace tessera
