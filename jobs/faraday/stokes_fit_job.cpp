// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_fit_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "io/output.hpp"
#include "io/output_set.hpp"
#include "jobs/faraday/faraday_block.hpp"
#include "jobs/faraday/faraday_channels.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "jobs/faraday/stokes_fit_products.hpp"
#include "jobs/history.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

StripPlan fit_strips(const StokesFitter& fitter, const StokesFitLayout& at,
                     StokesFitCounts& counts) {
  const auto run = [&fitter, &counts, at](std::span<const Piece> from,
                                          std::span<const MutablePiece> to, Stream& stream) {
    const AnyMutableView made = to[0].view;
    const AnyMutableView maps = planes_of(made, at.maps(), StokesPlanes::count);
    fitter.fit(from[0].view, planes_of(made, at.model(), at.channels), maps, stream);
    fill_stokes_planes(at, made);
    counts.add(planes_of(maps, StokesPlanes::status, 1));
  };
  return {{fitter.info()},
          {with_planes(fitter.info(), at.planes())},
          [](Rows rows) { return rows; },
          [](int row) { return row; },
          run};
}

/// As numpy.savetxt writes it.
std::string noise_text(const std::vector<double>& sigma) {
  std::string text;
  for (const double value : sigma)
    text += std::isnan(value) ? "nan\n" : fmt::format("{:.18e}\n", value);
  return text;
}

void describe_counts(StokesFitResult& result) {
  const StokesFitCounts& counts = result.counts;
  result.pixels = counts.pixels();
  result.fitted = counts[StokesStatus::fitted];
  result.few_channels = counts[StokesStatus::few_channels];
  result.low_snr = counts[StokesStatus::low_snr];
  result.undetermined = counts[StokesStatus::undetermined];
  result.not_converged = counts[StokesStatus::not_converged];
  result.below_floor = counts[StokesStatus::below_floor];
}

void describe_noise(const std::vector<double>& sigma, StokesFitResult& result) {
  result.lowest_noise = result.highest_noise = std::nan("");
  for (const double value : sigma) {
    if (!std::isfinite(value)) continue;
    result.lowest_noise = std::fmin(result.lowest_noise, value);
    result.highest_noise = std::fmax(result.highest_noise, value);
  }
}

}  // namespace

std::string StokesFitResult::describe() const {
  const std::string noise =
      std::isnan(lowest_noise)
          ? ""
          : fmt::format("\nnoise of channels {:.4g} to {:.4g}", lowest_noise, highest_noise);
  return fmt::format("{}{}\n{}\n{}: {}{}", ran, noise, counts.text(), files_text(files),
                     seconds_text(seconds, fmt::format("{:.0f} pixels/s", pixels_per_second)),
                     notes_text(notes));
}

StokesFitResult StokesFitJob::run(const Progress& progress) const {
  StokesFitResult result;
  const FaradayClock clock;
  const auto total = std::make_shared<double>(0);
  FaradayMemory memory(settings);
  FaradayCubeSource cube(input, "FREQ", reading, settings, 'I');
  check_like_beams(cube, allowed);
  const std::vector<double> channels =
      faraday_frequencies(frequencies, cube, allowed.other_frequencies);
  if (const std::string twice = duplicates_in(channels); !twice.empty())
    result.notes.push_back(twice);
  const int order = std::abs(options.order);
  WriteOptions how = writing;
  const StokesFitLayout at{cube.info().size.planes};
  std::vector<FaradayProduct> products =
      stokes_fit_products(output, cube, order, options.curve == StokesCurve::linear);
  // Faults of names and options are reported before the noise is measured.
  for (const FaradayProduct& product : products) check_output_name(product.file, how.force);
  const std::string noise_file = output + "noise.dat";
  check_output_name(noise_file, how.force);
  [[maybe_unused]] const StokesFit checked(cube.info(), channels, options);
  StokesFitter fitter(cube, channels, options, choices, reading, memory);
  result.ran = fitter.plan().describe();
  const std::string first = changed_options(options), second = changed_options(choices);
  how.history =
      history_of(result.ran, first + (first.empty() || second.empty() ? "" : " ") + second);
  FaradayOutputs outputs(std::move(products), how, total);
  const StripPlan strips = fit_strips(fitter, at, result.counts);
  Stream stream = memory.stream_for(strips, fitter.plan().device(),
                                    static_cast<double>(fitter.scratch_bytes_a_row()));
  stream_timed(fitter, outputs, strips, stream, result.seconds, progress);
  *total = clock.seconds();
  OutputSet together;
  outputs.place();
  result.files = outputs.files();
  if (!fitter.sigma().empty()) {
    write_text(noise_file, noise_text(fitter.sigma()), how.force);
    result.files.push_back(noise_file);
  }
  together.place();
  result.channels = at.channels;
  describe_counts(result);
  describe_noise(fitter.sigma(), result);
  result.seconds.all = clock.seconds();
  result.pixels_per_second = static_cast<double>(result.pixels) / result.seconds.all;
  result.warnings = cube.warnings();
  return result;
}

}  // namespace tessera
