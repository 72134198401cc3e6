// SPDX-License-Identifier: Apache-2.0
// The direct method on a GPU: arguments, kernel, launches. Host images go through staged strips.
#include <fmt/format.h>

#include <algorithm>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/rows.hpp"
#include "core/staging.hpp"
#include "ops/convolve/convolve_direct_args.cuh"
#include "ops/convolve/inside_prefix.hpp"
#include "tune/table.hpp"

namespace tessera {
namespace {

DirectKnobs find_direct_knobs(const ConvolveProblem& problem) {
  const auto& device = this_machine().devices[static_cast<std::size_t>(problem.device)];
  const Knobs tuned =
      find_knobs("convolve.direct@1", problem_key(problem), table_name(device.name));
  DirectKnobs knobs;
  knobs.block_x = tuned.get("block_x", knobs.block_x);
  knobs.block_y = tuned.get("block_y", knobs.block_y);
  knobs.rows = tuned.get("rows", knobs.rows);
  return knobs;
}

KernelName kernel_name(const ConvolveProblem& p, const DirectKnobs& knobs) {
  KernelName name{"convolve_direct",
                  fmt::format("direct_{}_{}", name_of(p.image.type), name_of(p.output.type)), "",
                  fmt::format("DirectArgs<{}>", kernel_type(p.sums))};
  const DirectKnobs usual;
  const bool tuned =
      knobs.block_x != usual.block_x || knobs.block_y != usual.block_y || knobs.rows != usual.rows;
  if (tuned || force_run_time_kernels())
    name.body = fmt::format("direct_tile<{}, {}, {}, DirectKnobs{{{}, {}, {}}}>",
                            kernel_type(p.image.type), kernel_type(p.output.type),
                            kernel_type(p.sums), knobs.block_x, knobs.block_y, knobs.rows);
  return name;
}

template <class T>
class DirectCuda : public ConvolveRunner {
 public:
  explicit DirectCuda(const ConvolveProblem& problem)
      : problem_(problem),
        prefix_(inside_prefix(problem)),
        weights_(problem.weights.begin(), problem.weights.end()),
        knobs_(find_direct_knobs(problem)),
        kernel_(find_kernel(problem.device, kernel_name(problem, knobs_))) {
    if (kernel_.origin() == "ahead of time") knobs_ = {};  // no run-time compiler: the entry's own
  }

  std::string describe() const override {
    return fmt::format("device {}, blocks of {}x{}, {} rows a thread, {}", problem_.device,
                       knobs_.block_x, knobs_.block_y, knobs_.rows, kernel_.origin());
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    if (in.view.device != kHost) return launch(in, out, stream);
    const RowRule rule{"convolve", [this](Rows rows) { return problem_.needs(rows); },
                       problem_.image.size.height, problem_.border};
    run_staged(in, out, rule, stream, [&](const Piece& device_in, const MutablePiece& device_out) {
      launch(device_in, device_out, stream);
    });
  }

 private:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const {
    // Throws when a row is missing, which the kernel could not.
    find_rows("convolve", problem_.needs(out.rows()), in.rows(), problem_.image.size.height,
              problem_.border);
    DirectArgs<T> args = arguments(in, out);
    const Scratch prefix = upload(prefix_, stream);
    args.prefix = prefix.as<const double>();
    Scratch weights;
    if (weights_.size() <= kInlineWeights) {
      std::copy(weights_.begin(), weights_.end(), args.inline_weights);
    } else {
      weights = upload(weights_, stream);
      args.weights = weights.as<const T>();
    }
    const int tile_height = knobs_.block_y * knobs_.rows;
    const int rows_at_once = kMostBlocks * tile_height;
    const int planes_at_once = kMostBlocks / problem_.image.size.channels;
    for (int row = 0; row < out.view.size.height; row += rows_at_once)
      for (int plane = 0; plane < out.view.size.planes; plane += planes_at_once) {
        const int rows = std::min(rows_at_once, out.view.size.height - row);
        const int planes = std::min(planes_at_once, out.view.size.planes - plane);
        args.in = in.view.address(0, 0, plane);
        args.out = out.view.address(0, row, plane);
        args.made = {out.first_row + row, out.first_row + row + rows};
        kernel_.launch(
            stream,
            {static_cast<unsigned>((args.out_width + knobs_.block_x - 1) / knobs_.block_x),
             static_cast<unsigned>((rows + tile_height - 1) / tile_height),
             static_cast<unsigned>(planes * args.channels)},
            {static_cast<unsigned>(knobs_.block_x), static_cast<unsigned>(knobs_.block_y), 1}, 0,
            args);
      }
  }

  DirectArgs<T> arguments(const Piece& in, const MutablePiece& out) const {
    const ConvolveProblem& p = problem_;
    DirectArgs<T> a{};
    a.in_pixel = in.view.pixel;
    a.in_row = in.view.row;
    a.in_plane = in.view.plane;
    a.out_pixel = out.view.pixel;
    a.out_row = out.view.row;
    a.out_plane = out.view.plane;
    a.width = p.image.size.width;
    a.height = p.image.size.height;
    a.channels = p.image.size.channels;
    a.held = in.rows();
    a.out_width = p.output.size.width;
    a.filter_width = p.filter_width;
    a.filter_height = p.filter_height;
    a.anchor_x = p.anchor.x;
    a.anchor_y = p.anchor.y;
    a.border = p.border;
    a.outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
    a.scale = static_cast<T>(p.scale);
    return a;
  }

  template <class V>
  static Scratch upload(const std::vector<V>& values, Stream& stream) {
    if (values.empty()) return {};
    Scratch scratch = stream.scratch(values.size() * sizeof(V));
    const Size size{static_cast<int>(values.size())};
    device_stream(stream).copy(packed(values.data(), size),
                               packed(scratch.as<V>(), size, stream.device()));
    return scratch;
  }

  ConvolveProblem problem_;
  std::vector<double> prefix_;
  std::vector<T> weights_;
  DirectKnobs knobs_;
  const GpuKernel& kernel_;
};

}  // namespace

std::unique_ptr<const ConvolveRunner> make_convolve_direct_cuda(const ConvolveProblem& problem) {
  if (problem.sums == Type::f64) return std::make_unique<DirectCuda<double>>(problem);
  return std::make_unique<DirectCuda<float>>(problem);
}

}  // namespace tessera
