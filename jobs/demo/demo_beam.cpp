// SPDX-License-Identifier: Apache-2.0
// Channels that show one field through different beams, and the same channels after convolution to
// one beam: all sources have their flux as peak in all of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "jobs/table_files.hpp"
#include "tessera/beam.hpp"

namespace tessera {
namespace {

struct BeamChannel {
  const char* name;
  double width, ratio, angle;  ///< pixels, short by long axis, degrees
};
constexpr std::array<BeamChannel, 3> kBeamChannels{
    {{"low", 10, 0.6, 20}, {"middle", 8, 0.85, 110}, {"high", 6, 0.9, 60}}};
constexpr double kBeamNoise = 0.001, kFaintest = 0.05;
/// The largest error of a pixel, in multiples of the noise: that of the widest channel, which is
/// hardly convolved, and some 1e-5 of the brightest source.
constexpr double kMostError = 6;

std::vector<DemoCommand> beam_commands(const DemoOptions& options) {
  std::vector<DemoCommand> commands;
  std::string names;
  for (const BeamChannel& channel : kBeamChannels) {
    commands.push_back({fmt::format(
        "tessera sample sky {}.fits --size {} --sources {} --separation 30 --extended 0 "
        "--background 0 --gradient 0 --swell 0 --noise {} --rise 1 --flux-low {} --beam {} "
        "--beam-ratio {} --beam-angle {} --seed {}",
        channel.name, options.quick ? "240x160" : "600x400", options.quick ? 12 : 80, kBeamNoise,
        kFaintest, channel.width, channel.ratio, channel.angle, options.seed)});
    names += fmt::format("{}.fits ", channel.name);
  }
  commands.push_back(
      {fmt::format("tessera beam {}-o common/{}", names, options.backend_words()), true});
  for (const char* folder : {"", "common/"})
    for (const BeamChannel& channel : kBeamChannels)
      commands.push_back({fmt::format(
          "tessera convert {0}{1}.fits {2}{1}{3} --type u8 --range 0,0.15 --quality 80", folder,
          channel.name, *folder ? "common_" : "", photo_ending())});
  return commands;
}

/// The catalogue's sources seen through a beam; a pixel of `sample sky` is one arcsec wide.
Image seen_through(const Beam& beam, const Table& truth, const Size& size) {
  const auto column = [&](const char* name) -> const std::vector<double>& {
    return std::ranges::find(truth.columns, name, &TableColumn::name)->numbers;
  };
  const double turn = beam.angle * std::numbers::pi / 180;
  Image sky(size, Type::f32);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (std::size_t n = 0; n < column("x").size(); ++n) {
        const double north = y - column("y")[n], east = column("x")[n] - x;
        if (std::hypot(north, east) > 3 * beam.major) continue;
        const double along = (north * std::cos(turn) + east * std::sin(turn)) / beam.major,
                     across = (east * std::cos(turn) - north * std::sin(turn)) / beam.minor;
        sky.as<float>().at(x, y) +=
            static_cast<float>(column("peak")[n] * std::exp(-4 * std::numbers::ln2 *
                                                            (along * along + across * across)));
      }
  return sky;
}

/// The largest difference, in multiples of the noise, except near the edge, where the sky outside
/// is missing.
double worst_pixel(const Image& image, const Image& wanted) {
  const Size size = image.info().size;
  constexpr int kEdge = 20;  // two beams
  double worst = 0;
  for (int y = kEdge; y < size.height - kEdge; ++y)
    for (int x = kEdge; x < size.width - kEdge; ++x)
      worst = std::max<double>(
          worst, std::abs(image.as<float>().at(x, y) - wanted.as<float>().at(x, y)) / kBeamNoise);
  return worst;
}

DemoCheck check_channels(const Json& said) {
  const auto number = [&](const char* name) { return said.at(name).get<double>(); };
  const Beam common{number("bmaj"), number("bmin"), number("bpa")};
  const Table truth = read_table("low_truth.csv", {});
  const Image wanted = seen_through(common, truth, read_image("low.fits").info().size);
  double before = 0, after = 0;
  for (const BeamChannel& channel : kBeamChannels) {
    const std::string name = fmt::format("{}.fits", channel.name);
    before = std::max(before, worst_pixel(read_image(name), wanted));
    after = std::max(after, worst_pixel(read_image("common/" + name), wanted));
  }
  return {after > 0 && after <= kMostError,
          fmt::format("the {} channels differ from the {} sources of the catalogue, seen through "
                      "the common beam, by at most {:.1f} times the noise of a channel ({} "
                      "allowed; {:.0f} before the convolution)",
                      kBeamChannels.size(), truth.rows(), after, kMostError, before)};
}

std::vector<DemoPicture> beam_pictures(const char* prefix, const char* caption) {
  std::vector<DemoPicture> pictures;
  for (const BeamChannel& channel : kBeamChannels)
    pictures.push_back({{fmt::format("{}{}{}", prefix, channel.name, photo_ending())},
                        fmt::format("The channel {}: {}", channel.name, caption)});
  return pictures;
}

}  // namespace

DemoPart demo_beam(const DemoOptions& options) {
  DemoPart part;
  part.operation = "beam";
  part.field = "Radio surveys";
  part.title = "Channels convolved to one beam";
  part.story =
      "A radio telescope shows the sky through a beam that is wider at low frequencies and whose "
      "shape changes from channel to channel. Channels can be compared or divided only if all have "
      "the same beam. The smallest ellipse that all beams can be convolved to is found, and every "
      "channel is convolved with the Gaussian between the two. The sources then have the same "
      "shape in all channels, and their peaks are their fluxes.";
  part.commands = beam_commands(options);
  part.python = fmt::format(R"(import tessera

beams = [(10, 6, 20), (8, 6.8, 110), (6, 5.4, 60)]  # BMAJ and BMIN in arcsec, BPA in degrees
common = tessera.common_beam(beams)
print("the common beam: {{:.3f}} x {{:.3f}} arcsec at {{:.1f}} degrees".format(*common))
for name, beam in zip(["low", "middle", "high"], beams):
    smooth = tessera.beam_smooth(tessera.read(name + ".fits"), beam, common, 1.0{})
    tessera.write(name + "_common.npy", smooth, force=True)
)",
                            options.backend_argument());
  part.inputs = beam_pictures("", "its own beam");
  part.outputs = beam_pictures("common_", "the common beam");
  part.check = [](const std::vector<Json>& said) {
    return check_channels(said.at(kBeamChannels.size()));
  };
  return part;
}

}  // namespace tessera
