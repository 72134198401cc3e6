// SPDX-License-Identifier: Apache-2.0
/// Shared steps of jobs that turn one image file into another with one plan and a second input:
/// weights, an element.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>

#include "core/choice.hpp"
#include "io/formats.hpp"
#include "io/raw/raw.hpp"
#include "jobs/agreement.hpp"
#include "jobs/history.hpp"
#include "jobs/image_result.hpp"
#include "jobs/job_files.hpp"
#include "jobs/metadata_note.hpp"
#include "jobs/plane_order.hpp"
#include "jobs/settings.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// Files, and the settings for reading and writing them.
struct ImageJob {
  std::string input;   ///< an image file, or "-"
  std::string output;  ///< an image file, or "-"
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference
};

/// A word with the ending of an image format is a file even if it does not exist: "no such file"
/// helps more than "no such filter".
bool names_file(const std::string& text);

/// The image that a word stands for: a file if it has the ending of an image format, else a name
/// that `by_name` knows. `kind` is what messages call it: "filter".
Image load_small_image(const char* kind, const std::string& text,
                       Image (*by_name)(std::string_view));

/// Throws if a result could not be compared.
void check_comparable(const char* operation, const std::string& output, const ImageInfo& info);

/// Throws Error(failure) if the file that was written differs from the reference.
ReferenceCheck check_written(const char* operation, const ImageJob& job, const ImageInfo& output,
                             ImageSource& source, StripPlan reference,
                             std::function<double(AnyView)> bound, double reads,
                             const Progress& progress);

/// A job's description of its operation; `Options` are those of `Plan`.
template <class Plan, class Options>
struct ImageOperation {
  const char* name;
  Options options;
  std::function<Plan(const ImageInfo&, const Options&)> make;
  std::function<Point(const Plan&)> first_pixel;  ///< the input pixel under output pixel 0, 0
  std::function<Options(Options)> as_reference;   ///< options of the reference, on the CPU
  std::function<double(const Plan&, AnyView)> bound;
  double reads;  ///< samples that the reference reads per output sample
  /// May change how strips of a plan run, to look at them; called before they do.
  std::function<void(StripPlan&, const Plan&)> watch = {};
  std::function<std::string()> remark = {};  ///< a note after the strips have run, or ""
};

/// The method is chosen for the whole image; plane after plane, each plane runs that method.
template <class Plan, class Options>
StripPlan plan_for_strips(const ImageOperation<Plan, Options>& operation, const ImageSource& source,
                          const ImageSink& sink, const Plan& whole) {
  const auto strips_of = [&](const Plan& plan) {
    StripPlan strips = strip_plan(plan);
    if (operation.watch) operation.watch(strips, plan);
    return strips;
  };
  if (!in_turn(source, sink)) return strips_of(whole);
  ImageInfo one = whole.input();
  one.size.planes = 1;
  Options options = operation.options;
  options.backend = whole.backend();
  options.method = whole.method();
  return strips_of(operation.make(one, options));
}

/// The whole file by one plan. `note` is appended to the plan's description.
template <class Plan, class Options>
ImageResult write_image_by(const Plan& plan, const std::string& note, const ImageJob& job,
                           const ImageOperation<Plan, Options>& operation, ImageSource& source,
                           const Progress& progress) {
  Stream stream = job.settings.stream(plan.device());
  if (job.check) check_comparable(operation.name, job.output, plan.output());
  WriteOptions how = job.writing;
  how.header = source.header();
  how.metadata = source.metadata();
  how.origin = operation.first_pixel(plan);
  how.history = history_of(plan.describe() + note, changed_options(operation.options));
  const auto sink = create_output(job.output, plan.output(), how);
  ImageResult result;
  result.input = job.input;
  result.output = job.output;
  stream_planes(source, *sink, plan_for_strips(operation, source, *sink, plan), stream,
                result.seconds, progress);
  result.ran = plan.describe() + note;
  if (const std::string remark = operation.remark ? operation.remark() : ""; !remark.empty())
    result.notes.push_back(remark);
  result.pixels_per_second = static_cast<double>(plan.output().size.pixels()) / result.seconds.all;
  if (job.check && !is_part()) {
    Options truth = operation.as_reference(operation.options);
    truth.backend = Backend::cpu;
    truth.method = "reference";
    result.check = check_written(
        operation.name, job, plan.output(), source,
        strip_plan(operation.make(source.info(), truth)),
        [&](AnyView input) { return operation.bound(plan, input); }, operation.reads, progress);
  }
  add_metadata_note(how.metadata, job.output, plan.output(), result.notes);
  add_beam_note(source, result.notes);
  result.warnings = texts_of_ranks(source.warnings());
  return result;
}

/// The plan with the same options without a device; none if the CPU does not have their method.
template <class Plan, class Options>
std::optional<Plan> plan_on_cpu(const ImageOperation<Plan, Options>& operation,
                                const ImageInfo& image) {
  Options options = operation.options;
  options.backend = Backend::cpu;
  try {
    return operation.make(image, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return std::nullopt;
  }
}

/// If the backend is auto and the device runs out of memory, the CPU starts the image again: strips
/// of two methods would differ in the last bits.
template <class Plan, class Options>
ImageResult run_image_job(const ImageJob& job, const ImageOperation<Plan, Options>& operation,
                          ImageSource& source, const Progress& progress) {
  check_same_file(job.input, source.info());
  const Plan plan = plan_of_ranks(operation.options, [&](const Options& options) {
    return operation.make(source.info(), options);
  });
  check_same_method(plan.describe(), is_integer(plan.output().type));
  std::optional<Plan> on_cpu;
  try {
    return write_image_by(plan, "", job, operation, source, progress);
  } catch (const Error& error) {
    const bool left_open = plan.backend() == Backend::cuda &&
                           wanted_backend(operation.options.backend) == Backend::automatic;
    if (error.kind() != ErrorKind::resources || !left_open || ranks().count() > 1) throw;
    on_cpu = plan_on_cpu(operation, source.info());
    if (!on_cpu) throw;
  }
  return write_image_by(*on_cpu, "; the device ran out of memory, so the CPU made the whole image",
                        job, operation, source, progress);
}

}  // namespace tessera
