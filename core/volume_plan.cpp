// SPDX-License-Identifier: Apache-2.0
#include "core/volume_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/choice.hpp"
#include "core/parallel.hpp"
#include "core/rows.hpp"
#include "core/staging.hpp"
#include "core/volume_block.hpp"

namespace tessera {
namespace {

// The ring of a block fits a second-level cache, unless that would make blocks so flat that plans
// read more rows above and below them than in them.
constexpr long long kRingBytes = 512 << 10;
constexpr int kLeastRows = 16;
// The same of a band on a device, where memory is what limits it.
constexpr long long kDeviceRingBytes = 64LL << 20;

int common_step(const std::vector<RowsPlan>& plans) {
  int step = 1;
  for (const RowsPlan& plan : plans) step = std::lcm(step, plan.row_step());
  return step;
}

std::string methods_of(const std::vector<RowsPlan>& plans) {
  std::set<std::string> names;
  for (const RowsPlan& plan : plans) names.insert(plan.method());
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

VolumePlan::VolumePlan(const char* name, std::string text, const ImageInfo& in,
                       const ImageInfo& out, VolumeParts made_of)
    : Impl(name),
      parts(std::move(made_of)),
      text_(std::move(text)),
      method_(methods_of(parts.plans)),
      input_(in),
      output_(out),
      step_(common_step(parts.plans)) {}

int VolumePlan::worth_threads() const {
  // A nanosecond per sample and slice: the fastest methods on one core.
  const double seconds =
      1e-9 * static_cast<double>(output_.size.samples()) * static_cast<double>(parts.slices.size());
  return threads_worth(seconds / this_machine().threads);
}

std::string VolumePlan::runner_text() const {
  return fmt::format("blocks of {} rows; each plane: {}", block_rows(),
                     parts.plans.front().describe());
}

Rows VolumePlan::needs(Rows out) const {
  Rows all = parts.plans.front().needs(out);
  for (const RowsPlan& plan : parts.plans) {
    const Rows rows = plan.needs(out);
    all = {std::min(all.first, rows.first), std::max(all.end, rows.end)};
  }
  return all;
}

int VolumePlan::block_rows() const {
  const Size& size = output_.size;
  const long long row_bytes = 1LL * size.width * size.channels *
                              bytes_of(parts.plans.front().output().type) *
                              std::ssize(parts.slices) * std::ssize(parts.plans);
  const Rows read = parts.plans.front().needs({0, 1});
  const long long ring = device() == kHost ? kRingBytes : kDeviceRingBytes;
  const long long fit = ring / std::max(row_bytes, 1LL);
  const auto rows = static_cast<int>(
      std::clamp<long long>(fit, std::max(kLeastRows, read.count()), std::max(1, size.height)));
  return (rows + step_ - 1) / step_ * step_;
}

void VolumePlan::run_on_device(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const auto on_device = [&](const Piece& from, const MutablePiece& to, Stream& work) {
    const Rows all = to.rows();
    for (int row = all.first; row < all.end;) {
      const int end = strip_end(row, block_rows(), step_, all.end);
      run_volume_on_device({parts, input_, from, to, {row, end}, 0, to.view.size.planes}, work);
      row = end;
    }
  };
  if (in.view.device != kHost) return on_device(in, out, stream);
  RowRule rule{operation, [this](Rows rows) { return needs(rows); }, input_.size.height,
               parts.border, step_};
  rule.limit_parts = 2;  // the ring takes about as much as a strip
  run_staged(in, out, rule, stream, on_device);
}

void VolumePlan::run(const Piece& in, const MutablePiece& out, Stream& stream) const {
  if (device() != kHost) return run_on_device(in, out, stream);
  const int planes = out.view.size.planes, block = block_rows();
  // Small planes: threads also share the planes, though some planes are then filtered twice.
  const int row_blocks = (out.view.size.height + block - 1) / block;
  const int wanted = std::max(1, 2 * stream.threads() / row_blocks);
  const int least = 4 * static_cast<int>(parts.slices.size());
  const int part = std::max(least, (planes + wanted - 1) / wanted);
  const int plane_blocks = (planes + part - 1) / part;
  for_pieces(out.rows(), block, plane_blocks, stream, [&](int index, Rows rows) {
    const int first = index * part;
    run_volume_block({parts, input_, in, out, rows, first, std::min(planes, first + part)});
  });
}

int planes_of_result(int planes, int filter_planes, Border border) {
  return border == Border::valid ? std::max(0, planes - filter_planes + 1) : planes;
}

ImageInfo plane_for_slices(const ImageInfo& image, Backend backend, int device) {
  ImageInfo plane = image;
  plane.size.planes = 1;
  if (image.device == kHost && wanted_backend(backend) == Backend::cuda) plane.device = device;
  return plane;
}

Backend backend_for_slices(const ImageInfo& image, Backend backend) {
  if (image.device != kHost) return backend;
  return wanted_backend(backend) == Backend::cuda ? Backend::cuda : Backend::cpu;
}

}  // namespace tessera
