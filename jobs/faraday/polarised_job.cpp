// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/polarised_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "io/formats.hpp"
#include "io/header_cards.hpp"
#include "io/output.hpp"
#include "io/output_set.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/timing.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr const char* kNames = "QUI";
/// A pixel of the made sky, in degrees.
constexpr double kPixel = 1.0 / 3600;
/// Full width at half maximum of a Gaussian, in standard deviations.
constexpr double kWidths = 2.3548200450309493;

struct Name {
  std::string stem, ending;
};

Name checked_name(const std::string& output) {
  for (const char* ending : {".fits", ".fit", ".npy"})
    if (output.ends_with(ending) && output.size() > std::string(ending).size())
      return {output.substr(0, output.size() - std::string(ending).size()), ending};
  throw Error(ErrorKind::usage,
              fmt::format("polarised: '{}' has no known ending; sky.fits or sky.npy is right, and "
                          "sky_Q, sky_U and others are made of it",
                          output));
}

/// Where pixels and frequencies lie, for FITS.
std::vector<std::string> cards_for(const PolarisedSky& sky, char stokes, const PolarisedJob& job) {
  HeaderCards cards;
  cards.set_text("BUNIT", "Jy/beam");
  cards.set_number("BMAJ", kWidths * job.sky.beam * kPixel, "degrees");
  cards.set_number("BMIN", kWidths * job.sky.beam * kPixel, "degrees");
  cards.set_number("BPA", 0);
  cards.set_text("STOKES", std::string(1, stokes));
  const Size size = sky.info().size;
  const auto axis = [&](int number, const char* type, double value, int pixel, double step,
                        const char* unit) {
    const std::string n = std::to_string(number);
    cards.set_text("CTYPE" + n, type);
    cards.set_number("CRVAL" + n, value);
    cards.set_number("CRPIX" + n, pixel);
    cards.set_number("CDELT" + n, step);
    cards.set_text("CUNIT" + n, unit);
  };
  const std::vector<double> frequencies = sky.frequencies();
  axis(1, "RA---SIN", 180, size.width / 2 + 1, -kPixel, "deg");
  axis(2, "DEC--SIN", -30, size.height / 2 + 1, kPixel, "deg");
  axis(3, "FREQ", frequencies.front(), 1,
       (frequencies.back() - frequencies.front()) / (size.planes - 1), "Hz");
  return cards.list();
}

std::string frequency_list(const PolarisedSky& sky) {
  std::string text;
  for (const double frequency : sky.frequencies()) text += fmt::format("{}\n", frequency);
  return text;
}

/// A small file, in place when all is done; that it exists already is known at once.
struct TextOutput {
  Output output;
  std::string text;

  void finish() {
    output.file().write_all(0, text.data(), std::ssize(text));
    output.finish();
  }
};

// Rows go through as they are.
StripPlan copying_plan(const ImageInfo& cube, std::size_t cubes) {
  return {std::vector(cubes, cube), std::vector(cubes, cube), [](Rows out) { return out; },
          [](int row) { return row; },
          [](std::span<const Piece> in, std::span<const MutablePiece> out, Stream&) {
            for (std::size_t k = 0; k < in.size(); ++k) copy_samples(in[k].view, out[k].view);
          }};
}

/// One Stokes parameter from the sky to its file.
struct Cube {
  PolarisedCube source;
  std::unique_ptr<ImageSink> sink;
};

void write_cubes(std::vector<Cube>& cubes, Stream& stream, const Progress& progress) {
  std::vector<RowSource*> sources;
  std::vector<RowSink*> sinks;
  for (Cube& cube : cubes) {
    sources.push_back(&cube.source);
    sinks.push_back(cube.sink.get());
  }
  stream_rows(sources, sinks, copying_plan(cubes[0].source.info(), cubes.size()), stream, progress);
}

}  // namespace

std::string PolarisedResult::describe() const {
  return fmt::format("{}: {}, seed {}, in {:.3g} s", fmt::join(outputs, ", "), made, seed, seconds);
}

PolarisedResult PolarisedJob::run(const Progress& progress) const {
  const auto [stem, ending] = checked_name(output);
  Stream stream = settings.stream(kHost);
  PolarisedOptions options = sky;
  if (sparse) options.noise = 0;
  const PolarisedSky made({sample.size.width, sample.size.height},
                          static_cast<std::uint64_t>(sample.seed), options, sample.type,
                          stream.threads());
  PolarisedResult result{
      .made = fmt::format("{} sources in {}", made.truth().size(), tessera::describe(made.info())),
      .outputs = {},
      .seed = sample.seed,
      .sources = static_cast<int>(made.truth().size())};
  const Stopwatch watch(result.seconds);
  std::vector<Cube> cubes;
  for (const Stokes stokes : {Stokes::q, Stokes::u, Stokes::i}) {
    if (stokes == Stokes::i && !stokes_i) continue;
    const char letter = kNames[static_cast<int>(stokes)];
    WriteOptions how = writing;
    how.sparse = sparse;
    how.history =
        history_of("sample polarised, Stokes " + std::string(1, letter), changed_options(options));
    how.header = cards_for(made, letter, *this);
    result.outputs.push_back(fmt::format("{}_{}{}", stem, letter, ending));
    cubes.push_back({{made, stokes}, create_output(result.outputs.back(), made.info(), how)});
  }
  TextOutput list{{stem + "_freqs.txt", writing.force}, frequency_list(made)};
  TextOutput truth{{stem + "_truth.csv", writing.force}, truth_as_csv(made.truth())};
  OutputSet together;
  write_cubes(cubes, stream, progress);
  list.finish();
  truth.finish();
  together.place();
  result.outputs.push_back(stem + "_freqs.txt");
  result.outputs.push_back(stem + "_truth.csv");
  return result;
}

}  // namespace tessera
