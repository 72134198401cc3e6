// SPDX-License-Identifier: Apache-2.0
#include "jobs/reference_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/compare.hpp"
#include "core/parallel.hpp"
#include "core/samples.hpp"
#include "jobs/no_sink.hpp"

namespace tessera {
namespace {

constexpr double kMostReads = 5e8;  // a few seconds of the reference on two cores
constexpr int kBands = 8;

// All rows, or bands from the first to the last row.
std::vector<Rows> checked_rows(const Size& size, double reads) {
  const double all = static_cast<double>(size.samples()) * reads;
  if (all <= kMostReads || size.height <= kBands) return {{0, size.height}};
  const int each = std::max(1, static_cast<int>(kMostReads / all * size.height / kBands));
  std::vector<Rows> bands;
  for (long long band = 0; band < kBands; ++band) {
    const int first = static_cast<int>((size.height - each) * band / (kBands - 1));
    bands.push_back({first, first + each});
  }
  return bands;
}

/// The samples as they were written: signed integers are read as floats.
Image as_written(AnyView read, Type type) {
  Image image(read.size, type);
  const AnyMutableView to = image.view();
  for (int p = 0; p < read.size.planes; ++p)
    for (int y = 0; y < read.size.height; ++y)
      for (int x = 0; x < read.size.width; ++x)
        for (int c = 0; c < read.size.channels; ++c)
          store_sample(to, x, y, c, p, sample_at(read, x, y, c, p));
  return image;
}

void compare_rows(const ReferenceEvidence& evidence, Rows rows, AnyView truth, AnyView input,
                  ReferenceCheck& check) {
  ImageInfo info = evidence.result.info();
  info.size.height = rows.count();
  Image result(info);
  evidence.result.read(rows, result.view());
  if (is_signed_integer(evidence.written)) result = as_written(result.view(), evidence.written);
  const double bound = evidence.bound(input);
  const Image expected = as_double(truth);
  const Comparison found = compare(expected.view(), result.view(), bound);
  check.rows += rows.count();
  check.bound = std::max(check.bound, bound);
  check.max_error = std::max(check.max_error, found.largest_error);
  if (check.disagreement.empty() && !found.disagreement.empty())
    check.disagreement = fmt::format("from row {}: {}", rows.first, found.disagreement);
}

// The reference over some rows, as a plan that compares its result.
StripPlan comparing_plan(const ReferenceEvidence& evidence, Rows band, ReferenceCheck& check) {
  const StripPlan& reference = evidence.reference;
  StripPlan plan = reference;
  const int offset = band.first;
  plan.outputs[0].size.height = band.count();
  plan.needs = [=, &reference](Rows out) {
    return reference.needs({out.first + offset, out.end + offset});
  };
  plan.run = [=, &reference, &evidence, &check](std::span<const Piece> in,
                                                std::span<const MutablePiece> out, Stream& stream) {
    const Rows rows{out[0].first_row + offset, out[0].rows().end + offset};
    for_pieces(rows, 1, stream, [&](Rows part) {
      const MutablePiece row{out[0].view.rows(part.first - rows.first, part.count()), part.first};
      reference.run(in, {&row, 1}, thread_stream());
    });
    compare_rows(evidence, rows, out[0].view, in[0].view, check);
  };
  return plan;
}

}  // namespace

std::string ReferenceCheck::describe() const {
  return fmt::format(
      "check: {} of {} rows agree with the reference; largest error {:.3g}, bound {:.3g}", rows,
      all_rows, max_error, bound);
}

ReferenceCheck check_against_reference(const ReferenceEvidence& evidence, Stream& stream,
                                       const Progress& progress) {
  const Size size = evidence.result.info().size;
  ReferenceCheck check;
  check.all_rows = size.height;
  const std::vector<Rows> bands = checked_rows(size, evidence.reads);
  const long long all = static_cast<long long>(bands.size()) * bands[0].count();
  NoSink nowhere;
  RowSource* const sources[] = {&evidence.input};
  RowSink* const sinks[] = {&nowhere};
  long long done = 0;
  for (const Rows band : bands) {
    stream_rows(sources, sinks, comparing_plan(evidence, band, check), stream, [&](int rows, int) {
      if (progress) progress(done + rows, all);
    });
    done += band.count();
  }
  return check;
}

}  // namespace tessera
