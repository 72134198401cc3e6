// SPDX-License-Identifier: Apache-2.0
/// Filters that have planes, made of plans for one plane: every plane of the result joins what such
/// plans make of the planes around it.
///
///     result(z) = sum, minimum or maximum over k of factor[k] * plan[k] of plane z + k - anchor
///
/// Threads take blocks of rows of all planes, so that what they join is still in their cache; a
/// device takes bands of rows.
#pragma once

#include <string>
#include <vector>

#include "core/joined_samples.cuh"
#include "core/plan_impl.hpp"
#include "tessera/plan.hpp"

namespace tessera {

/// One plane of a filter.
struct VolumeSlice {
  int plan = 0;        ///< index of the plan; kNoPlan: nothing of the filter is in this plane
  double factor = 1;   ///< of a sum
  double outside = 0;  ///< the plan's result for a plane outside, with border constant
};
inline constexpr int kNoPlan = -1;

struct VolumeParts {
  std::vector<RowsPlan> plans;  ///< for one plane that lies where they run; of a sum, their results
                                ///< are f32 or f64, else of the image's type
  std::vector<VolumeSlice> slices;
  int anchor = 0;  ///< the slice that lies on the output plane; 0 with border valid
  Border border = Border::reflect;
  Join join = Join::sum;
};

struct VolumePlan : RowsPlan::Impl {
  /// `text`: "convolve 512x512x1, 40 planes of f32, by 3x3x3"
  VolumePlan(const char* name, std::string text, const ImageInfo& in, const ImageInfo& out,
             VolumeParts made_of);

  Backend backend() const override { return parts.plans.front().backend(); }
  const char* method_name() const override { return method_.c_str(); }
  int device() const override { return parts.plans.front().device(); }
  int worth_threads() const override;
  std::string problem_text() const override { return text_; }
  std::string runner_text() const override;
  const ImageInfo& input() const override { return input_; }
  const ImageInfo& output() const override { return output_; }
  Rows needs(Rows out) const override;
  int row_step() const override { return step_; }
  int source_row(int row) const override { return parts.plans.front().source_row(row); }
  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override;

  const VolumeParts parts;

 private:
  int block_rows() const;
  void run_on_device(const Piece& in, const MutablePiece& out, Stream& stream) const;

  std::string text_, method_;
  ImageInfo input_, output_;
  int step_;
};

/// The planes that a result has: fewer with border valid.
int planes_of_result(int planes, int filter_planes, Border border);

/// One plane of the image, where the plans of a filter with planes run: on its device, on `device`
/// if backend cuda is asked for, else on the host.
ImageInfo plane_for_slices(const ImageInfo& image, Backend backend, int device);
/// The backend that these plans are asked for.
Backend backend_for_slices(const ImageInfo& image, Backend backend);

}  // namespace tessera
