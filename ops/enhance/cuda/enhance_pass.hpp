// SPDX-License-Identifier: Apache-2.0
/// Steps on a GPU: in passes over the image, with several steps in one pass if that saves memory
/// traffic.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

class EnhanceTables;

/// One pass over the image. Numbers are those of stages, -1 if there is none.
struct EnhancePass {
  ImageInfo in, out;
  int curve = -1;      ///< its curve is applied first
  bool grey = false;   ///< then pixels become grey
  int smooth = -1;     ///< then this smooths them,
  int clahe = -1;      ///< or this
  int counts = -1;     ///< the result is counted for this stage
  bool writes = true;  ///< otherwise the image stays as it is
};

/// Passes and, for every stage that counts, the stage with the same counts.
struct EnhancePasses {
  std::vector<EnhancePass> list;
  std::vector<int> counted_with;
};

EnhancePasses passes_of_steps(const EnhanceProblem&);
EnhancePasses fused_passes(const EnhanceProblem&);

/// Rows before a pass that given rows after it read.
Rows reads_by(const EnhanceProblem&, const EnhancePass&, Rows);

/// Rows of an image on a device, and their memory if they own any.
struct DeviceRows {
  Piece piece;
  AnyMutableView view;
  Scratch memory;
};

inline MutablePiece rows_of(const MutablePiece& piece, Rows rows) {
  return {piece.view.rows(rows.first - piece.first_row, rows.count()), rows.first};
}

/// A pass with its kernels.
class EnhancePassCuda {
 public:
  virtual ~EnhancePassCuda() = default;
  /// Memory for rows after the pass, with the layout that the kernels prefer.
  virtual DeviceRows room(const Piece& in, Rows rows, Stream& stream) const;
  /// Enqueues rows of the result, for input rows in `in`. Without `out` they are only counted.
  virtual void launch(const Piece& in, Rows rows, const MutablePiece* out,
                      const EnhanceTables& tables, Stream& stream) const = 0;
  virtual std::string describe() const = 0;

 protected:
  EnhancePassCuda(const EnhanceProblem& problem, const EnhancePass& pass)
      : problem_(problem), pass_(pass) {}
  const EnhanceProblem& problem() const { return problem_; }
  const EnhancePass& pass() const { return pass_; }

 private:
  EnhanceProblem problem_;
  EnhancePass pass_;
};

using EnhancePassPointer = std::unique_ptr<const EnhancePassCuda>;
EnhancePassPointer make_pass(const EnhanceProblem&, const EnhancePass&);
EnhancePassPointer make_point_pass(const EnhanceProblem&, const EnhancePass&);
EnhancePassPointer make_smooth_pass(const EnhanceProblem&, const EnhancePass&);
EnhancePassPointer make_float_pass(const EnhanceProblem&, const EnhancePass&);
EnhancePassPointer make_clahe_pass(const EnhanceProblem&, const EnhancePass&);

/// From this many pixels per plane on, kernels for contiguous pixels pay.
inline constexpr long long kManyPixels = 1 << 14;

}  // namespace tessera
