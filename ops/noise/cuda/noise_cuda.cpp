// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cuda/noise_cuda.hpp"

#include <algorithm>

#include "core/piece_launch.hpp"
#include "core/rows.hpp"

namespace tessera {

NoiseSlideRule noise_rule(const NoiseProblem& problem) {
  NoiseSlideRule rule{};
  rule.orders = static_cast<int>(problem.orders.size());
  rule.planes = problem.output.size.planes;
  std::copy(problem.orders.begin(), problem.orders.end(), rule.order);
  std::transform(problem.planes.begin(), problem.planes.end(), rule.plane, [](const NoisePlane& p) {
    return NoiseSlidePlane{p.low, p.high, p.divisor};
  });
  rule.by_rank = problem.by_rank;
  rule.all_count = problem.all_count;
  rule.nomask = problem.nomask;
  return rule;
}

PieceArgs noise_piece(const NoiseProblem& problem, const Piece& in, const MutablePiece& out) {
  PieceArgs a{};
  fill_piece(a, in, out, problem.image.size, out.view.size.width,
             {problem.box.left(), problem.box.above()}, problem.border);
  move_to_part(a, in, out, {0, out.view.size.height}, 0);
  return a;
}

const GpuKernel& noise_kernel(const NoiseProblem& problem, KernelName name) {
  if (!force_run_time_kernels()) name.body.clear();
  return find_kernel(problem.device, name);
}

void run_noise_on_device(const NoiseProblem& problem, const Piece& in, const MutablePiece& out,
                         Stream& stream, const DeviceWork& work, int limit_parts) {
  const int height = problem.image.size.height;
  const auto checked = [&](const Piece& device_in, const MutablePiece& device_out, Stream& lane) {
    // Throws if a row is missing; the kernel could not report that.
    find_rows(problem.operation, problem.needs(device_out.rows()), device_in.rows(), height,
              problem.border);
    work(device_in, device_out, lane);
  };
  if (in.view.device != kHost) return checked(in, out, stream);
  const RowRule rule{problem.operation,
                     [&](Rows rows) { return problem.needs(rows); },
                     height,
                     problem.border,
                     problem.row_step(),
                     limit_parts};
  run_staged(in, out, rule, stream, checked);
}

}  // namespace tessera
