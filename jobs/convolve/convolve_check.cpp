// SPDX-License-Identifier: Apache-2.0
#include "jobs/convolve/convolve_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/compare.hpp"
#include "core/parallel.hpp"
#include "jobs/no_sink.hpp"

namespace tessera {
namespace {

constexpr double kMostProducts = 5e8;  // a few seconds of the reference on two cores
constexpr int kBands = 8;

// All rows, or bands from the first to the last row.
std::vector<Rows> checked_rows(const Size& size, long long weights) {
  const double products = static_cast<double>(size.samples()) * static_cast<double>(weights);
  if (products <= kMostProducts || size.height <= kBands) return {{0, size.height}};
  const int each = std::max(1, static_cast<int>(kMostProducts / products * size.height / kBands));
  std::vector<Rows> bands;
  for (long long band = 0; band < kBands; ++band) {
    const int first = static_cast<int>((size.height - each) * band / (kBands - 1));
    bands.push_back({first, first + each});
  }
  return bands;
}

Convolve reference_plan(const ConvolveEvidence& evidence) {
  ConvolveOptions options = evidence.options;
  options.backend = Backend::cpu;
  options.method = "reference";
  options.output = Type::f64;
  return Convolve(evidence.input.info(), evidence.filter, options);
}

void compare_rows(const ConvolveEvidence& evidence, Rows rows, AnyView truth, AnyView input,
                  ConvolveCheck& check) {
  ImageInfo info = evidence.result.info();
  info.size.height = rows.count();
  Image result(info);
  evidence.result.read(rows, result.view());
  const double bound = evidence.plan.error_bound(largest_magnitude(input));
  const Comparison found = compare(truth, result.view(), bound);
  check.rows += rows.count();
  check.bound = std::max(check.bound, bound);
  check.max_error = std::max(check.max_error, found.largest_error);
  if (check.disagreement.empty() && !found.disagreement.empty())
    check.disagreement = fmt::format("from row {}: {}", rows.first, found.disagreement);
}

// The reference over some rows, as a plan that compares what it makes.
StripPlan comparing_plan(const ConvolveEvidence& evidence, const Convolve& reference, Rows band,
                         ConvolveCheck& check) {
  StripPlan plan = strip_plan(reference);
  const int offset = band.first;
  plan.outputs[0].size.height = band.count();
  plan.needs = [=](Rows out) { return reference.needs({out.first + offset, out.end + offset}); };
  plan.run = [=, &evidence, &check](std::span<const Piece> in, std::span<const MutablePiece> out,
                                    Stream& stream) {
    const Rows rows{out[0].first_row + offset, out[0].rows().end + offset};
    for_pieces(rows, 1, stream, [&](Rows part) {
      reference(in[0], {out[0].view.rows(part.first - rows.first, part.count()), part.first},
                thread_stream());
    });
    compare_rows(evidence, rows, out[0].view, in[0].view, check);
  };
  return plan;
}

}  // namespace

std::string ConvolveCheck::describe() const {
  return fmt::format(
      "check: {} of {} rows agree with the reference; largest error {:.3g}, bound {:.3g}", rows,
      all_rows, max_error, bound);
}

ConvolveCheck check_convolve(const ConvolveEvidence& evidence, Stream& stream,
                             const Progress& progress) {
  const Convolve reference = reference_plan(evidence);
  const Size size = evidence.result.info().size;
  ConvolveCheck check;
  check.all_rows = size.height;
  const std::vector<Rows> bands = checked_rows(size, evidence.filter.size.samples());
  const long long all = static_cast<long long>(bands.size()) * bands[0].count();
  NoSink nowhere;
  RowSource* const sources[] = {&evidence.input};
  RowSink* const sinks[] = {&nowhere};
  long long done = 0;
  for (const Rows band : bands) {
    stream_rows(sources, sinks, comparing_plan(evidence, reference, band, check), stream,
                [&](int rows, int) {
                  if (progress) progress(done + rows, all);
                });
    done += band.count();
  }
  return check;
}

}  // namespace tessera
