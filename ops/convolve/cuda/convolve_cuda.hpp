// SPDX-License-Identifier: Apache-2.0
/// Shared by the CUDA methods: staging of host images, arguments, tables on the device.
#pragma once

#include <cstdint>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "core/rows.hpp"
#include "core/staging.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/cuda/convolve_args.cuh"
#include "ops/convolve/inside_prefix.hpp"

namespace tessera {

/// A method that works by launches on pieces in device memory.
class ConvolveCudaRunner : public ConvolveRunner {
 public:
  explicit ConvolveCudaRunner(const ConvolveProblem& problem)
      : problem_(problem), prefix_(problem.device, inside_prefix(problem)) {}

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    if (in.view.device != kHost) return checked_launch(in, out, stream);
    const RowRule rule{
        "convolve",
        [this](Rows rows) {
          return problem_.needs(whole_groups(rows, row_step(), problem_.output.size.height));
        },
        problem_.image.size.height, problem_.border, row_step()};
    run_staged(in, out, rule, stream, [&](const Piece& a, const MutablePiece& b, Stream& work) {
      checked_launch(a, b, work);
    });
  }

 protected:
  virtual void launch(const Piece& in, const MutablePiece& out, Stream& stream) const = 0;

  const ConvolveProblem& problem() const { return problem_; }

  /// All arguments except those of the method.
  template <class T>
  void fill(ConvolveArgs<T>& a, const Piece& in, const MutablePiece& out) const;

  /// Whether channels are adjacent in input and output: pixels are then rows of samples.
  bool is_flat(const Piece& in, const MutablePiece& out) const {
    const int channels = problem_.image.size.channels;
    return in.view.pixel == channels && out.view.pixel == channels;
  }

 private:
  void checked_launch(const Piece& in, const MutablePiece& out, Stream& stream) const {
    // Throws if a row is missing; the kernel could not report that.
    find_rows("convolve",
              problem_.needs(whole_groups(out.rows(), row_step(), problem_.output.size.height)),
              in.rows(), problem_.image.size.height, problem_.border);
    launch(in, out, stream);
    prefix_.used_by(stream);
  }

  ConvolveProblem problem_;
  Resident prefix_;
};

/// Whether all rows have the same alignment to groups of four samples, and how far past one they
/// begin.
inline bool has_wide_rows(const AnyView& view) {
  return view.row % 4 == 0 && (view.size.planes == 1 || view.plane % 4 == 0);
}
inline int samples_past_four(const AnyView& view) {
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  return static_cast<int>(address / static_cast<std::uintptr_t>(bytes_of(view.type)) % 4);
}

template <class T>
void ConvolveCudaRunner::fill(ConvolveArgs<T>& a, const Piece& in, const MutablePiece& out) const {
  const ConvolveProblem& p = problem_;
  fill_piece(a, in, out, p.image.size, p.output.size.width, p.anchor, p.border);
  move_to_part(a, in, out, {0, out.view.size.height}, 0);
  a.filter_width = p.filter_width;
  a.filter_height = p.filter_height;
  a.wide_in = has_wide_rows(in.view);
  a.wide_out = has_wide_rows(AnyView(out.view));
  a.lead = a.wide_out ? samples_past_four(AnyView(out.view)) : 0;
  a.outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  a.scale = static_cast<T>(p.scale);
  a.prefix = prefix_.as<Twofold>();
}

}  // namespace tessera
