// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_clean_job.hpp"

#include <fmt/format.h>

#include "core/strips.hpp"
#include "io/output_set.hpp"
#include "jobs/agreement.hpp"
#include "jobs/faraday/faraday_clean_input.hpp"
#include "jobs/faraday/faraday_clean_maps.hpp"
#include "jobs/faraday/faraday_header.hpp"
#include "jobs/faraday/faraday_outputs.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "jobs/faraday/faraday_products.hpp"
#include "jobs/faraday/faraday_strip_clean.hpp"
#include "jobs/history.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

/// Planes of the results: seven images one after another, then maps.
struct Layout {
  int depths, maps = 0;
  int clean_real() const { return 0; }
  int clean_imaginary() const { return depths; }
  int clean_total() const { return 2 * depths; }
  int part_real() const { return 3 * depths; }
  int part_imaginary() const { return 4 * depths; }
  int part_total() const { return 5 * depths; }
  int iterations() const { return 6 * depths; }
  int first_map() const { return 6 * depths + 1; }
  int planes() const { return first_map() + maps; }
};

std::vector<FaradayProduct> products_of(const FaradayCleanJob& job,
                                        const FaradayCubeSource& dirty) {
  const Layout at{dirty.info().size.planes};
  const std::string ending = dirty.is_fits() ? ".fits" : ".npy";
  const HeaderCards& header = dirty.header();
  const FaradayCubeAxes& axes = dirty.axes();
  std::vector<FaradayProduct> products;
  const auto add = [&](const std::string& stem, const char* part, const char* stokes, int first) {
    const std::string name = job.choices.one_file ? stem : stem + part;
    products.push_back(
        {job.output + name + ending, axes, with_stokes(header, axes, stokes), first});
  };
  add("FDF_clean", "_real", "Q", at.clean_real());
  add("FDF_clean", "_im", "U", at.clean_imaginary());
  add("FDF_clean", "_tot", "", at.clean_total());
  add("FDF_CC", "_real", "Q", at.part_real());
  add("FDF_CC", "_im", "U", at.part_imaginary());
  add("FDF_CC", "_tot", "", at.part_total());
  products.push_back({job.output + "CLEAN_nIter" + ending, axes.with_spectral(1),
                      iterations_header(with_stokes(header, axes, ""), axes), at.iterations()});
  return products;
}

StripPlan strips_of(const FaradayClean& plan, const FaradayCleanInput& input,
                    const FaradayCleanMaps* maps, FaradayCleanCounts& counts) {
  const Layout at{plan.input().size.planes, maps ? maps->plan().output().size.planes : 0};
  ImageInfo out = input.info();
  out.size.planes = at.planes();
  const auto run = [&plan, &input, &counts, maps, at](std::span<const Piece> from,
                                                      std::span<const MutablePiece> to,
                                                      Stream& stream) {
    const AnyMutableView made = to[0].view;
    const auto part = [&](int first) { return planes_of(made, first, at.depths); };
    FaradayCleanInput::Own own;
    const AnyMutableView iterations = planes_of(made, at.iterations(), 1);
    const FaradayDirty dirty = input.dirty(from[0].view, from[0].first_row, own);
    plan(dirty,
         {part(at.clean_real()), part(at.clean_imaginary()), part(at.part_real()),
          part(at.part_imaginary()), iterations},
         stream);
    stream.wait();
    faraday_magnitudes(part(at.clean_real()), part(at.clean_imaginary()), part(at.clean_total()),
                       stream.threads());
    faraday_magnitudes(part(at.part_real()), part(at.part_imaginary()), part(at.part_total()),
                       stream.threads());
    counts.add(iterations, plan.options().iterations);
    if (maps)
      maps->run(part(at.clean_real()), part(at.clean_imaginary()), dirty, to[0].first_row,
                planes_of(made, at.first_map(), at.maps), stream.threads());
  };
  return {{input.info()}, {out}, [](Rows rows) { return rows; }, [](int row) { return row; }, run};
}

}  // namespace

std::string FaradayCleanResult::describe() const {
  return fmt::format(
      "{}\n{} of {} spectra have components, {} in all, down to {}{}\n{}: {}", ran, cleaned_pixels,
      pixels, iterations, cutoff,
      at_limit > 0 ? fmt::format("; {} reached the limit of iterations", at_limit) : "",
      files_text(files), seconds_text(seconds, fmt::format("{:.0f} spectra/s", pixels_per_second)));
}

FaradayCleanResult FaradayCleanJob::run(const Progress& progress) const {
  FaradayCleanResult result;
  const FaradayClock clock;
  const auto total = std::make_shared<double>(0);
  FaradayCleanInput input(*this);
  check_same_file(spectra, input.info());
  const FaradayClean plan = plan_of_ranks(input.options(), [&](const FaradayCleanOptions& with) {
    return FaradayClean(input.spectra().info(), input.rmsf(), with);
  });
  check_same_method(plan.describe(), false);
  result.ran = plan.describe();
  result.depths = plan.input().size.planes;
  result.fwhm = input.rmsf().fwhm;
  result.cutoff = input.cutoff_in_words();
  result.pixels = 1LL * plan.input().size.width * plan.input().size.height;
  WriteOptions how = writing;
  const std::string first = changed_options(options), second = changed_options(choices);
  how.history =
      history_of(result.ran, first + (first.empty() || second.empty() ? "" : " ") + second);
  std::vector<FaradayProduct> products = products_of(*this, input.spectra());
  std::optional<FaradayCleanMaps> maps;
  if (const std::vector<FaradayMap> wanted = faraday_maps_of(choices.maps); !wanted.empty()) {
    maps.emplace(*this, input, wanted);
    const int first_map = Layout{plan.input().size.planes}.first_map();
    for (FaradayProduct& product : maps->products(*this, input, first_map))
      products.push_back(std::move(product));
    result.maps_ran = maps->plan().describe();
  }
  FaradayOutputs outputs(std::move(products), how, total);
  FaradayCleanCounts counts;
  const StripPlan strips = strips_of(plan, input, maps ? &*maps : nullptr, counts);
  Stream stream = input.memory().stream_for(
      strips, plan.device(), input.scratch_bytes_a_row() + (maps ? maps->bytes_a_row() : 0));
  stream_timed(input, outputs, strips, stream, result.seconds, progress);
  counts.join_ranks();
  result.cleaned_pixels = counts.cleaned_pixels;
  result.iterations = counts.iterations;
  result.at_limit = counts.at_limit;
  *total = clock.seconds();
  OutputSet together;
  outputs.place();
  together.place();
  result.files = outputs.files();
  result.seconds.all = clock.seconds();
  result.pixels_per_second = static_cast<double>(result.pixels) / result.seconds.all;
  result.warnings = texts_of_ranks(input.warnings());
  return result;
}

}  // namespace tessera
