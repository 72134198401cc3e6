// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/enhance_job.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/compare.hpp"
#include "jobs/enhance/enhance_sweeps.hpp"
#include "jobs/image_job.hpp"
#include "tessera/convolve.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "enhance";

bool are_whole(const Image& weights) {
  const std::vector<double> values = samples_as_double(weights.view());
  return std::ranges::all_of(values, [](double w) { return w == std::floor(w); });
}

// Options and weights for plans of any size and method.
struct Recipe {
  EnhanceOptions options;
  Image weights;  // empty if options.smooth is a name

  explicit Recipe(const EnhanceOptions& asked) : options(asked) {
    if (names_file(options.smooth)) weights = load_smoothing(options.smooth);
  }
  Enhance plan(const ImageInfo& image, Backend backend, const std::string& method) const {
    EnhanceOptions with = options;
    with.backend = backend;
    with.method = method;
    return Enhance(image, with, weights ? AnyView(weights.view()) : AnyView());
  }
  Image smoothing() const {
    return weights ? copy(AnyView(weights.view())) : smoothing_from_text(options.smooth);
  }
  // Samples that the reference reads per output sample.
  double reads() const { return static_cast<double>(smoothing().info().size.samples()) + 4; }
  // How far a result may be from the reference: float filters may round to the next level, and
  // those of floats are as exact as convolve.
  std::function<double(AnyView)> bound(const ImageInfo& image) const {
    const std::size_t smooth = options.steps.find("smooth");
    const bool floats = !is_integer(image.type);
    if (smooth == std::string::npos || (!floats && are_whole(smoothing())))
      return [](AnyView) { return 0.0; };
    const std::string after = options.steps.substr(smooth);
    if (after == "smooth" && floats) return bound_of_floats(image);
    if (after == "smooth" || after == "smooth,histogram") return [](AnyView) { return 0.5; };
    throw Error(ErrorKind::usage,
                fmt::format("enhance: --check has no bound for {}: {}, and other "
                            "steps follow it; make smooth the last step or leave out --check",
                            options.smooth,
                            floats ? fmt::format("the image is {}", name_of(image.type))
                                   : "its weights are not integers"));
  }
  // Twice the filter's: the reference is rounded, too. Steps before it make values up to 1.
  std::function<double(AnyView)> bound_of_floats(const ImageInfo& image) const {
    ImageInfo channel = image;
    channel.size.channels = 1;
    const Image weights_of = smoothing();
    std::vector<double> values = samples_as_double(weights_of.view());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    Image filter(weights_of.info().size, Type::f64);
    for (std::size_t k = 0; k < values.size(); ++k)
      filter.as<double>().data[k] = are_whole(weights_of) ? values[k] / sum : values[k];
    const Convolve plan(channel, filter.view(),
                        {.border = Border::inside, .backend = Backend::cpu});
    return
        [plan](AnyView in) { return 2 * plan.error_bound(std::max(1.0, largest_magnitude(in))); };
  }
};

ReferenceCheck check_result(const EnhanceJob& job, const Recipe& recipe, ImageSource& source,
                            const ImageInfo& output, std::function<double(AnyView)> bound,
                            const Progress& progress) {
  const UnsharedRun alone;
  const Enhance truth = recipe.plan(source.info(), Backend::cpu, "reference");
  Stream stream = job.settings.stream(kHost);
  StageSeconds seconds;
  const EnhanceState state = look_at_rows(truth, source, stream, seconds, {});
  return check_written(kName, {job.input, job.output, job.reading, job.writing, job.settings, true},
                       output, source, strips_of(truth, state), std::move(bound), recipe.reads(),
                       progress);
}

}  // namespace

Image load_smoothing(const std::string& text) {
  return load_small_image("weights of smooth", text, smoothing_from_text);
}

void check_batch_of(const EnhanceJob& job) {
  if (!job.reports.any()) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("enhance: {} needs a single image; {} is a folder",
                  job.reports.histogram.empty() ? "--before-after" : "--histogram", job.output));
}

EnhanceResult EnhanceJob::run(const Progress& progress) const {
  if (check && output == "-")
    throw Error(ErrorKind::usage, "enhance: --check reads the output again; give it a file name");
  const auto source = open_input(input, reading, settings);
  const Recipe recipe(options);
  check_same_file(input, source->info());
  const Enhance plan = plan_of_ranks(options, [&](const EnhanceOptions& with) {
    return recipe.plan(source->info(), with.backend, with.method);
  });
  check_same_method(plan.describe(), is_integer(plan.output().type));
  std::function<double(AnyView)> bound;
  if (check) bound = recipe.bound(source->info());
  if (check) check_comparable(kName, output, plan.output());
  check_reports(reports, options.steps, plan.input().type, output, writing.force);
  WriteOptions how = writing;
  how.header = source->header();
  how.metadata = source->metadata();
  how.history = history_of(plan.describe(), changed_options(options));
  const auto sink = create_output(output, plan.output(), how);
  EnhanceResult result;
  result.input = input;
  result.output = output;
  result.ran = plan.describe();
  result.sweeps = plan.sweeps();
  EnhanceObserver observer(reports, plan, options.channels);
  // The method is chosen for the whole image; plane after plane, each plane runs that method.
  const auto plan_of_plane = [&](const ImageInfo& one) {
    return recipe.plan(one, plan.backend(), plan.method());
  };
  const std::vector<EnhanceFinding> found = enhance_file(
      plan, *source, *sink, {settings, plan_of_plane, observer.see()}, result.seconds, progress);
  result.add(plan.input().type, found);
  {
    const Stopwatch all(result.seconds.all), write(result.seconds.write);
    const std::string note = observer.write(found, input_name(input), writing.force);
    if (!note.empty()) result.notes.push_back(note);
    sink->finish();  // last: if the output exists, so do its reports
  }
  result.histogram = reports.histogram;
  result.before_after = reports.before_after;
  result.pixels_per_second = static_cast<double>(plan.output().size.pixels()) / result.seconds.all;
  if (check && !is_part())
    result.check = check_result(*this, recipe, *source, plan.output(), bound, progress);
  add_metadata_note(how.metadata, output, plan.output(), result.notes);
  add_beam_note(*source, result.notes);
  result.warnings = texts_of_ranks(source->warnings());
  return result;
}

}  // namespace tessera
