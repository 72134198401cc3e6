// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/sky_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/output_set.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/sample/sample_files.hpp"
#include "jobs/sample/sky_cards.hpp"
#include "jobs/timing.hpp"

namespace tessera {
namespace {

/// A map, and the suffix of its file name.
struct MapFile {
  SkyMap map;
  const char* suffix;
};
constexpr MapFile kMaps[] = {
    {SkyMap::image, ""}, {SkyMap::background, "_truth_bkg"}, {SkyMap::sigma, "_truth_rms"}};

}  // namespace

std::string SkyResult::describe() const {
  return fmt::format(
      "{}: {}, noise at the corners {:.3g} times that at the centre, seed {}, in "
      "{:.3g} s",
      fmt::join(files, ", "), made, rise, seed, seconds);
}

SkyResult SkyJob::run(const Progress& progress) const {
  const auto [stem, ending] =
      sample_name("sky", output, "sky_truth_bkg, sky_truth_rms and sky_truth.csv");
  Stream stream = settings.stream(kHost);
  const Sky made({sample.size.width, sample.size.height}, static_cast<std::uint64_t>(sample.seed),
                 sky, sample.type, stream.threads());
  SkyResult result{
      .made = fmt::format("{} sources in {}", made.truth().size(), tessera::describe(made.info())),
      .files = {},
      .seed = sample.seed,
      .sources = static_cast<int>(made.truth().size()),
      .rise = noise_rise(made.info().size, sky)};
  const Stopwatch watch(result.seconds);
  WriteOptions how = writing;
  how.history = history_of("sample sky", changed_options(sky));
  how.header = sky_cards(made.info().size, sky_beam(sky)).list();
  std::vector<SampleImage> images;
  for (const auto& [map, suffix] : kMaps) {
    result.files.push_back(stem + suffix + ending);
    images.push_back({std::make_unique<SkyRows>(made, map),
                      create_output(result.files.back(), made.info(), how)});
  }
  result.files.push_back(stem + "_truth.csv");
  TextOutput list{{result.files.back(), writing.force}, truth_as_csv(made.truth())};
  OutputSet together;
  write_images(images, stream, progress);
  list.finish();
  together.place();
  return result;
}

}  // namespace tessera
