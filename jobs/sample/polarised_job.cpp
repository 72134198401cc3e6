// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/polarised_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "io/formats.hpp"
#include "io/output_set.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/sample/sample_files.hpp"
#include "jobs/sample/sky_cards.hpp"
#include "jobs/timing.hpp"

namespace tessera {
namespace {

constexpr const char* kNames = "QUI";
/// Full width at half maximum of a Gaussian, in standard deviations.
constexpr double kWidths = 2.3548200450309493;

/// The coordinates of pixels and frequencies, for FITS.
std::vector<std::string> cards_for(const PolarisedSky& sky, char stokes, const PolarisedJob& job) {
  const Size size = sky.info().size;
  const double width = kWidths * job.sky.sigma;
  HeaderCards cards = sky_cards(size, {width, width, 0});
  cards.set_text("STOKES", std::string(1, stokes));
  const std::vector<double> frequencies = sky.frequencies();
  set_axis(cards, 3, "FREQ", frequencies.front(), 1,
           (frequencies.back() - frequencies.front()) / (size.planes - 1), "Hz");
  return cards.list();
}

std::string frequency_list(const PolarisedSky& sky) {
  std::string text;
  for (const double frequency : sky.frequencies()) text += fmt::format("{}\n", frequency);
  return text;
}

}  // namespace

std::string PolarisedResult::describe() const {
  return fmt::format("{}: {}, seed {}, in {:.3g} s", fmt::join(files, ", "), made, seed, seconds);
}

PolarisedResult PolarisedJob::run(const Progress& progress) const {
  const auto [stem, ending] = sample_name("polarised", output, "sky_Q, sky_U and others");
  Stream stream = settings.stream(kHost);
  PolarisedOptions options = sky;
  if (sparse) options.noise = 0;
  const PolarisedSky made({sample.size.width, sample.size.height},
                          static_cast<std::uint64_t>(sample.seed), options, sample.type,
                          stream.threads());
  PolarisedResult result{
      .made = fmt::format("{} sources in {}", made.truth().size(), tessera::describe(made.info())),
      .files = {},
      .seed = sample.seed,
      .sources = static_cast<int>(made.truth().size())};
  const Stopwatch watch(result.seconds);
  std::vector<SampleImage> cubes;
  for (const Stokes stokes : {Stokes::q, Stokes::u, Stokes::i}) {
    if (stokes == Stokes::i && !stokes_i) continue;
    const char letter = kNames[static_cast<int>(stokes)];
    WriteOptions how = writing;
    how.sparse = sparse;
    how.history =
        history_of("sample polarised, Stokes " + std::string(1, letter), changed_options(options));
    how.header = cards_for(made, letter, *this);
    result.files.push_back(fmt::format("{}_{}{}", stem, letter, ending));
    cubes.push_back({std::make_unique<PolarisedCube>(made, stokes),
                     create_output(result.files.back(), made.info(), how)});
  }
  TextOutput list{{stem + "_freqs.txt", writing.force}, frequency_list(made)};
  TextOutput truth{{stem + "_truth.csv", writing.force}, truth_as_csv(made.truth())};
  OutputSet together;
  write_images(cubes, stream, progress);
  list.finish();
  truth.finish();
  together.place();
  result.files.push_back(stem + "_freqs.txt");
  result.files.push_back(stem + "_truth.csv");
  return result;
}

}  // namespace tessera
