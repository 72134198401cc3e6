// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/sample_job.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/counted.hpp"
#include "io/output.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/sample/sample_files.hpp"
#include "sample/scene.hpp"

namespace tessera {
namespace {

WriteOptions how_to_write(WriteOptions writing, const ImageInfo& info) {
  writing.history = history_of("sample of " + describe(info), "");
  return writing;
}

std::uint64_t seed_of(const SampleOptions& options) {
  return static_cast<std::uint64_t>(options.seed);
}

// Drawing is the work here, and it happens when rows are read.
void write_sample(RowSource& source, RowSink& sink, Stream& stream, SampleResult& result,
                  const Progress& progress) {
  stream_timed(source, sink, copying_plan(source.info()), stream, result.seconds, progress);
  result.seconds.work += result.seconds.read;
  result.seconds.read = 0;
}

}  // namespace

std::string SampleResult::describe() const {
  const std::string text =
      fmt::format("{}: {}, seed {}, in {:.3g} s", output, made, seed, seconds.all);
  return truth.empty() ? text : text + "; truth in " + truth;
}

SampleResult SceneJob::run(const Progress& progress) const {
  Stream stream = settings.stream(kHost);
  const Size size{sample.size.width, sample.size.height, grey ? 1 : 3};
  Scene source(size, seed_of(sample), sample.type, stream.threads());
  const auto sink = create_output(output, source.info(), how_to_write(writing, source.info()));
  SampleResult result{"scene of " + describe(source.info()), output, "", sample.seed, {}};
  write_sample(source, *sink, stream, result, progress);
  return result;
}

SampleResult PointsJob::run(const Progress& progress) const {
  Stream stream = settings.stream(kHost);
  const Size size{sample.size.width, sample.size.height};
  Points source(size, seed_of(sample), sample.type, points, stream.threads());
  const auto sink = create_output(output, source.info(), how_to_write(writing, source.info()));
  std::optional<Output> list;
  if (!truth.empty()) list.emplace(truth, writing.force);
  SampleResult result{
      fmt::format("{} on {}", counted(points.sources, "point"), describe(source.info())),
      output,
      truth,
      sample.seed,
      {}};
  write_sample(source, *sink, stream, result, progress);
  if (list) {
    const std::string text = truth_as_csv(source.truth());
    list->file().write_all(0, text.data(), static_cast<long long>(text.size()));
    list->finish();
  }
  return result;
}

}  // namespace tessera
