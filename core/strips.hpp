// SPDX-License-Identifier: Apache-2.0
/// Images larger than memory: rows come from a source, pass through a plan in strips that fit the
/// memory budget, and go to a sink.
#pragma once

#include <functional>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Rows of an image on disk, in memory, over a network. All planes of a row range are read at once.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual ImageInfo info() const = 0;
  /// Fills `to` (rows.count() rows) with the image's rows; throws Error(input) with file and place.
  virtual void read(Rows rows, AnyMutableView to) = 0;
};

/// Takes rows in ascending order, each once; `finish` makes the result appear, whole.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void write(Rows rows, AnyView from) = 0;
  virtual void finish() = 0;
};

/// An image already in memory, as a source and as a sink.
class ViewSource : public RowSource {
 public:
  explicit ViewSource(AnyView view) : view_(view) {}
  ImageInfo info() const override { return view_.info(); }
  void read(Rows rows, AnyMutableView to) override;

 private:
  AnyView view_;
};
class ViewSink : public RowSink {
 public:
  explicit ViewSink(AnyMutableView view) : view_(view) {}
  void write(Rows rows, AnyView from) override;
  void finish() override {}

 private:
  AnyMutableView view_;
};

/// What stream_rows must know of a plan. `stripes` of any operation: Convolve fits as it is.
struct StripPlan {
  ImageInfo input, output;
  std::function<Rows(Rows)> needs;
  std::function<int(int)> source_row;
  std::function<void(const Piece&, const MutablePiece&, Stream&)> run;
};
template <class Plan>
StripPlan strip_plan(const Plan& plan) {
  return {plan.input(), plan.output(), [=](Rows out) { return plan.needs(out); },
          [=](int row) { return plan.source_row(row); },
          [=](const Piece& in, const MutablePiece& out, Stream& s) { plan(in, out, s); }};
}

/// Output rows a strip so that all strips in flight fit `memory_limit` bytes; throws
/// Error(resources) naming the least that would do when one row does not fit.
int strip_rows(const StripPlan& plan, std::size_t memory_limit);

/// Reads, works and writes strip after strip, overlapped. `progress(done, all)` counts output rows.
void stream_rows(RowSource& source, RowSink& sink, const StripPlan& plan, Stream& stream,
                 const std::function<void(int, int)>& progress = {});

}  // namespace tessera
