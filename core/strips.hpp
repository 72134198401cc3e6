// SPDX-License-Identifier: Apache-2.0
/// Images larger than memory: rows come from sources, pass through a plan in strips that fit the
/// memory budget, and go to sinks.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Rows of an image on disk, in memory or on a network. All planes of a row range are read at once.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual ImageInfo info() const = 0;
  /// Fills `to` (rows.count() rows) with the image's rows; throws Error(input) with file and
  /// position.
  virtual void read(Rows rows, AnyMutableView to) = 0;
};

/// Takes rows in ascending order, each once; `finish` makes the complete result appear.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void write(Rows rows, AnyView from) = 0;
  virtual void finish() = 0;
  /// Rows that are stored together, counted from row 0: compressed strips of a TIFF.
  virtual int block_rows() const { return 1; }
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

/// A plan as seen by streaming. All inputs have the same rows, and so have all outputs.
struct StripPlan {
  std::vector<ImageInfo> inputs, outputs;
  std::function<Rows(Rows)> needs;     ///< input rows for output rows; may reach outside
  std::function<int(int)> source_row;  ///< the image row for a row outside, or kNoPixel
  std::function<void(std::span<const Piece>, std::span<const MutablePiece>, Stream&)> run;
  int row_step = 1;  ///< rows are made in groups of this size, counted from row 0
};

template <class Plan>
int row_step_of(const Plan& plan) {
  if constexpr (requires { plan.row_step(); })
    return plan.row_step();
  else
    return 1;
}

/// Any operation with one input and one output.
template <class Plan>
StripPlan strip_plan(const Plan& plan) {
  return {{plan.input()},
          {plan.output()},
          [=](Rows out) { return plan.needs(out); },
          [=](int row) { return plan.source_row(row); },
          [=](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
            plan(in[0], out[0], stream);
          },
          row_step_of(plan)};
}

/// The rows of a plan's outputs in units of work: whole groups (row_step), some 4 MiB of inputs and
/// outputs, twice the rows that neighbours share, and whole blocks of the outputs unless units grow
/// far by that. Memory, threads and the number of processes have no part in it, so that a run cut
/// into processes or parts has the units of any other.
class RowUnits {
 public:
  RowUnits(const StripPlan& plan, int block_rows);

  int rows() const { return rows_; }  ///< of each; the last may have fewer
  int count() const { return height_ > 0 ? (height_ - 1) / rows_ + 1 : 0; }
  Rows at(int unit) const;

 private:
  int height_, rows_ = 1;
};

/// Output rows per strip such that all strips in flight fit `memory_limit` bytes; throws
/// Error(resources) naming the minimum if one row does not fit.
int strip_rows(const StripPlan& plan, std::size_t memory_limit);

/// Reads, processes and writes strip after strip, overlapped. Strips are whole units (RowUnits), or
/// parts of one where a unit does not fit. In a SharedRun each rank takes units as they come, and
/// gives its rows to its own sinks; ranks that run apart keep them (part_rows.hpp), and rank 0
/// makes none. `progress(done, all)` counts output rows; an exception it throws stops the work.
void stream_rows(std::span<RowSource* const> sources, std::span<RowSink* const> sinks,
                 const StripPlan& plan, Stream& stream,
                 const std::function<void(int, int)>& progress = {});

}  // namespace tessera
