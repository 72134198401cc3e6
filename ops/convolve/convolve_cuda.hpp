// SPDX-License-Identifier: Apache-2.0
/// What the CUDA methods share: staging of host images, arguments, tables on the device.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/resident.hpp"
#include "core/rows.hpp"
#include "core/staging.hpp"
#include "ops/convolve/convolve_args.cuh"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/inside_prefix.hpp"

namespace tessera {

/// A method whose work is launches on pieces that lie on the device.
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

  /// Everything but what belongs to the method.
  template <class T>
  void fill(ConvolveArgs<T>& a, const Piece& in, const MutablePiece& out) const;

  /// Whether channels are side by side on both sides: pixels are then rows of samples.
  bool is_flat(const Piece& in, const MutablePiece& out) const {
    const int channels = problem_.image.size.channels;
    return in.view.pixel == channels && out.view.pixel == channels;
  }

 private:
  void checked_launch(const Piece& in, const MutablePiece& out, Stream& stream) const {
    // Throws when a row is missing, which the kernel could not.
    find_rows("convolve",
              problem_.needs(whole_groups(out.rows(), row_step(), problem_.output.size.height)),
              in.rows(), problem_.image.size.height, problem_.border);
    launch(in, out, stream);
    prefix_.used_by(stream);
  }

  ConvolveProblem problem_;
  Resident prefix_;
};

/// Whether all rows lie alike on fours of samples, and how far past one they begin.
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
  a.in = in.view.data;
  a.out = out.view.data;
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
  a.made = out.rows();
  a.out_width = p.output.size.width;
  a.filter_width = p.filter_width;
  a.filter_height = p.filter_height;
  a.anchor_x = p.anchor.x;
  a.anchor_y = p.anchor.y;
  a.border = p.border;
  a.wide_in = has_wide_rows(in.view);
  a.wide_out = has_wide_rows(AnyView(out.view));
  a.lead = a.wide_out ? samples_past_four(AnyView(out.view)) : 0;
  a.outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  a.scale = static_cast<T>(p.scale);
  a.prefix = prefix_.as<double>();
}

/// Calls launch(rows, first plane, planes) for parts that a grid can hold.
template <class Launch>
void each_launch(const MutablePiece& out, long long rows_a_block, long long blocks_a_plane,
                 Launch launch) {
  const Size size = out.view.size;
  const int rows = static_cast<int>(std::min<long long>(kMostBlocks * rows_a_block, size.height));
  const int planes = static_cast<int>(kMostBlocks / blocks_a_plane);
  for (int row = 0; row < size.height; row += rows)
    for (int plane = 0; plane < size.planes; plane += planes)
      launch(Rows{row, std::min(row + rows, size.height)}, plane,
             std::min(planes, size.planes - plane));
}

/// Moves arguments to one part of a launch.
template <class T>
void move_to_part(ConvolveArgs<T>& a, const Piece& in, const MutablePiece& out, Rows rows,
                  int plane) {
  a.in = in.view.address(0, 0, plane);
  a.out = out.view.address(0, rows.first, plane);
  a.made = {out.first_row + rows.first, out.first_row + rows.end};
}

inline unsigned blocks_for(long long work, long long each) {
  return static_cast<unsigned>((work + each - 1) / each);
}

}  // namespace tessera
