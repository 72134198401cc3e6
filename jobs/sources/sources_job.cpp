// SPDX-License-Identifier: Apache-2.0
#include "jobs/sources/sources_job.hpp"

#include <fmt/format.h>

#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/plane_order.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

// The method is chosen for the whole image; every plane runs with it.
StripPlan plan_for_strips(const ImageSource& source, const ImageSink& sink, const Sources& whole,
                          SourcesOptions options) {
  if (!in_turn(source, sink)) return strip_plan(whole);
  ImageInfo one = whole.input();
  one.size.planes = 1;
  options.backend = whole.backend();
  options.method = whole.method();
  return strip_plan(Sources(one, options));
}

}  // namespace

std::string SourcesResult::describe() const {
  const std::string rate = fmt::format("{:.1f} Mpixel/s", pixels_per_second / 1e6);
  return fmt::format("{}\n{}: {}", ran, output, seconds_text(seconds, rate));
}

SourcesResult SourcesJob::run(const Progress& progress) const {
  const auto source = open_input(input, reading, settings);
  const Sources plan(source->info(), options);
  Stream stream = settings.stream(plan.device());
  WriteOptions how = writing;
  how.header = source->header();
  how.history = history_of(plan.describe(), changed_options(options));
  const auto sink = create_output(output, plan.output(), how);
  SourcesResult result;
  result.ran = plan.describe();
  result.input = input;
  result.output = output;
  stream_planes(*source, *sink, plan_for_strips(*source, *sink, plan, options), stream,
                result.seconds, progress);
  result.pixels_per_second = static_cast<double>(plan.output().size.pixels()) / result.seconds.all;
  result.warnings = source->warnings();
  return result;
}

}  // namespace tessera
