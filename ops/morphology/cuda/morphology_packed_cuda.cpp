// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/machine.hpp"
#include "core/piece_launch.hpp"
#include "ops/morphology/cuda/morphology_packed.hpp"

namespace tessera {
namespace {

/// Compiling takes some tenths of a second once: below a million samples it does not pay.
bool compiling_pays(const MorphologyProblem& p) {
  if (!run_time_compiler_found()) return false;
  return force_run_time_kernels() || p.output.size.samples() >= 1 << 20;
}

/// Whether all rows have the same alignment to words of 4 bytes.
bool has_word_rows(const AnyView& view) {
  const int bytes = bytes_of(view.type);
  return view.row * bytes % 4 == 0 && (view.size.planes == 1 || view.plane * bytes % 4 == 0);
}

}  // namespace

std::optional<MorphologyPacked> MorphologyPacked::find(const MorphologyProblem& p) {
  if (!compiling_pays(p)) return {};
  const auto& device = device_info(p.device);
  std::optional<PackedPlan> plan = plan_packed(p, device.shared_bytes_per_block);
  if (!plan) return {};
  fit_to_image(*plan, p, device.multiprocessors);
  return MorphologyPacked(p, std::move(*plan));
}

MorphologyPacked::MorphologyPacked(const MorphologyProblem& p, PackedPlan plan)
    : device_(p.device),
      channels_(p.image.size.channels),
      plan_(std::move(plan)),
      kernel_(&find_kernel(p.device, packed_kernel_name(p, plan_))) {}

bool MorphologyPacked::takes(const Piece& in, const MutablePiece& out) const {
  return in.view.pixel == channels_ && out.view.pixel == channels_;
}

std::string MorphologyPacked::describe() const {
  const PackedKnobs& k = plan_.knobs;
  return fmt::format("device {}, packed words, blocks of 32x{}, {} rows per thread, {}", device_,
                     k.block_y, k.rows, kernel_->origin());
}

void MorphologyPacked::launch(const MorphologyArgs& image, const Piece& in, const MutablePiece& out,
                              Stream& stream) const {
  PackedArgs args{};
  args.image = image;
  args.term_count = static_cast<int>(plan_.terms.size());
  std::copy(plan_.terms.begin(), plan_.terms.end(), args.terms);
  const int bytes = bytes_of(out.view.type), height = plan_.knobs.height();
  args.wide_out = has_word_rows(AnyView(out.view));
  if (args.wide_out)
    args.lead = static_cast<int>(reinterpret_cast<std::uintptr_t>(out.view.data) % 4) / bytes;
  each_launch(out, height, 1, [&](Rows rows, int plane, int planes) {
    move_to_part(args.image, in, out, rows, plane);
    const long long samples = 1LL * image.out_width * channels_ + args.lead;
    kernel_->launch(stream,
                    {blocks_for(samples, plan_.knobs.words() * 4 / bytes),
                     blocks_for(rows.count(), height), static_cast<unsigned>(planes)},
                    {32, static_cast<unsigned>(plan_.knobs.block_y)}, plan_.shared_bytes, args);
  });
}

}  // namespace tessera
