// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/enhance_job.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "jobs/enhance/enhance_sweeps.hpp"
#include "jobs/image_job.hpp"

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
  Enhance plan(const ImageInfo& image) const {
    return plan(image, options.backend, options.method);
  }
  Image smoothing() const {
    return weights ? copy(AnyView(weights.view())) : smoothing_from_text(options.smooth);
  }
  // Samples that the reference reads per output sample.
  double reads() const { return static_cast<double>(smoothing().info().size.samples()) + 4; }
  // How far a result may be from the reference: floats may round to the next level.
  double bound() const {
    const std::size_t smooth = options.steps.find("smooth");
    if (smooth == std::string::npos || are_whole(smoothing())) return 0;
    const std::string after = options.steps.substr(smooth);
    if (after == "smooth" || after == "smooth,histogram") return 0.5;
    throw Error(
        ErrorKind::usage,
        fmt::format("enhance: --check has no bound for {}: its weights are not integers, and other "
                    "steps follow it; make smooth the last step or leave out --check",
                    options.smooth));
  }
};

ReferenceCheck check_result(const EnhanceJob& job, const Recipe& recipe, ImageSource& source,
                            const ImageInfo& output, double bound, const Progress& progress) {
  const Enhance truth = recipe.plan(source.info(), Backend::cpu, "reference");
  Stream stream = job.settings.stream(kHost);
  StageSeconds seconds;
  const EnhanceState state = look_at_rows(truth, source, stream, seconds, {});
  return check_written(
      kName, {job.input, job.output, job.reading, job.writing, job.settings, true}, output, source,
      strips_of(truth, state), [=](AnyView) { return bound; }, recipe.reads(), progress);
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
  const Enhance plan = recipe.plan(source->info());
  const double bound = check ? recipe.bound() : 0;
  if (check) check_comparable(kName, output, plan.output());
  check_reports(reports, options.steps, output, writing.force);
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
  result.add(found);
  {
    const Stopwatch all(result.seconds.all), write(result.seconds.write);
    const std::string note = observer.write(found, input_name(input), writing.force);
    if (!note.empty()) result.notes.push_back(note);
    sink->finish();  // last: if the output exists, so do its reports
  }
  result.histogram = reports.histogram;
  result.before_after = reports.before_after;
  result.pixels_per_second = static_cast<double>(plan.output().size.pixels()) / result.seconds.all;
  if (check) result.check = check_result(*this, recipe, *source, plan.output(), bound, progress);
  add_metadata_note(how.metadata, output, plan.output(), result.notes);
  result.warnings = source->warnings();
  return result;
}

}  // namespace tessera
