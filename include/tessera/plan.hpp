// SPDX-License-Identifier: Apache-2.0
/// What all plans have in common. A plan is a checked problem and the method chosen for it: make it
/// once, run it many times, from any number of threads. Plans are immutable; copies share.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tessera/export.hpp"
#include "tessera/options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

class TESSERA_API Plan {
 public:
  Backend backend() const;     ///< chosen, never `automatic`
  std::string method() const;  ///< chosen, never "auto"
  int device() const;          ///< where it runs: make streams for it with Stream(plan.device())
  /// The problem, the method and its settings, such as "convolve 4096x4096 f32 by 7x7: cpu direct,
  /// neon, 32 rows per piece".
  std::string describe() const;

  struct Impl;

 protected:
  friend TESSERA_API Stream& thread_stream(const Plan& plan);
  explicit Plan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<const Impl>& shared_impl() const { return impl_; }
  /// The Impl that this plan was made with, by its own type.
  template <class Own>
  const Own& impl() const {
    return static_cast<const Own&>(*impl_);
  }

 private:
  std::shared_ptr<const Impl> impl_;
};

/// This thread's own stream for a plan, made on first use. On the host it has as many threads as
/// the work is worth: waking them takes longer than filtering a small image.
TESSERA_API Stream& thread_stream(const Plan& plan);

/// A plan for images of one size and type.
class TESSERA_API ImagePlan : public Plan {
 public:
  const ImageInfo& input() const;   ///< the image that it takes
  const ImageInfo& output() const;  ///< the image that it writes

  struct Impl;

 protected:
  explicit ImagePlan(std::shared_ptr<const Impl> impl);
};

/// A plan whose output rows read a range of input rows. It takes images in pieces, and so images
/// larger than memory.
class TESSERA_API RowsPlan : public ImagePlan {
 public:
  Rows needs(Rows out) const;     ///< the input rows that those output rows read; may lie outside
  int row_step() const;           ///< output rows come in groups of this size from row 0: cut
                                  ///< pieces there
  int source_row(int row) const;  ///< the image row that replaces a row outside, or kNoPixel

  /// The whole image, on this thread's stream; returns when done.
  void operator()(AnyView in, AnyMutableView out) const;
  /// Some rows, on a stream; work on a device is only enqueued. `in` must hold needs(out.rows()).
  void operator()(const Piece& in, const MutablePiece& out, Stream& stream) const;

  struct Impl;

 protected:
  explicit RowsPlan(std::shared_ptr<const Impl> impl);
};

}  // namespace tessera
