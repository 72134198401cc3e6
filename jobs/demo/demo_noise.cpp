// SPDX-License-Identifier: Apache-2.0
// A survey field whose background and noise are known at every pixel, and its maps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "tessera/elements.hpp"
#include "tessera/error.hpp"
#include "tessera/morphology.hpp"

namespace tessera {
namespace {

constexpr int kSide = 1024, kBox = 64, kSources = 40;
/// Allowed errors: of a mean over the field, as a fraction of the noise; of a pixel, in units of
/// its expected error.
constexpr double kMeanAllowance = 0.008, kPixelAllowance = 1.3;
/// Standard deviations of (Q75 - Q25) / 1.35, and of the median, for a box of normal numbers of
/// standard deviation 1.
constexpr double kNoiseScatter = 1.16 / kBox, kBackgroundScatter = 1.2533 / kBox;
/// The distance from its centre, in full widths, at which even the brightest source has no effect.
constexpr double kReach = 3;

struct SkyFiles {
  std::string map;      ///< ".fits"
  std::string picture;  ///< ".jpg"
  bool panels = false;  ///< gnuplot draws all maps with their scales
};

struct CatalogueEntry {
  double x = 0, y = 0, width = 0;
};

std::vector<CatalogueEntry> read_catalogue(const std::string& path) {
  std::ifstream file(path);
  std::string names;
  std::getline(file, names);
  std::vector<CatalogueEntry> entries;
  double x = 0, y = 0, peak = 0, flux = 0, major = 0, minor = 0, angle = 0;
  char comma = 0;
  while (file >> x >> comma >> y >> comma >> peak >> comma >> flux >> comma >> major >> comma >>
         minor >> comma >> angle)
    entries.push_back({x, y, major});
  if (names != "x,y,peak,flux,major,minor,angle" || entries.empty())
    throw Error(ErrorKind::input, path + ": it contains no source");
  return entries;
}

void mark(const View<std::uint8_t>& marks, const CatalogueEntry& entry) {
  const auto inside = [](double place) {
    return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(kSide)));
  };
  const double reach = kReach * entry.width;
  for (int y = inside(entry.y - reach); y < inside(entry.y + reach + 1); ++y)
    for (int x = inside(entry.x - reach); x < inside(entry.x + reach + 1); ++x) marks.at(x, y) = 1;
}

/// 0 if a pixel's box is complete and contains neither a blank nor light of a source: only such a
/// box holds nothing but background and noise.
Image marks_of_what_is_left_out(const Image& sky, const std::vector<CatalogueEntry>& catalogue) {
  Image marks(sky.info().size, Type::u8);
  const View<std::uint8_t> at = marks.as<std::uint8_t>();
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) at.at(x, y) = std::isnan(sky.as<float>().at(x, y)) ? 1 : 0;
  for (const CatalogueEntry& entry : catalogue) mark(at, entry);
  const Image box = box_element(kBox + 1, kBox + 1);
  return dilate(marks.view(), box.view(), {.border = Border::constant, .constant = 1});
}

/// How far a map is from the truth.
struct Deviation {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double deviation) {
    sum += deviation;
    squares += deviation * deviation;
    ++count;
  }
  double mean() const { return std::abs(sum / count); }
  double scatter() const { return std::sqrt(squares / count); }
  bool right(double expected_scatter) const {
    return count > kSide * kSide / 4 && mean() <= kMeanAllowance &&
           scatter() <= kPixelAllowance * expected_scatter;
  }
};

DemoCheck check_maps(const SkyFiles& files) {
  const auto read = [&](const char* name) { return read_image(name + files.map); };
  const Image sky = read("sky"), background = read("out_bkg"), noise = read("out_rms");
  const Image true_background = read("sky_truth_bkg"), true_noise = read("sky_truth_rms");
  const Image left_out = marks_of_what_is_left_out(sky, read_catalogue("sky_truth.csv"));
  Deviation of_noise, of_background;
  long long negative = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const auto value = [&](const Image& map) { return double{map.as<float>().at(x, y)}; };
      if (value(noise) < 0) ++negative;
      if (left_out.as<std::uint8_t>().at(x, y) != 0) continue;
      of_noise.add(value(noise) / value(true_noise) - 1);
      of_background.add((value(background) - value(true_background)) / value(true_noise));
    }
  return {
      of_noise.right(kNoiseScatter) && of_background.right(kBackgroundScatter) && negative == 0,
      fmt::format(
          "noise: mean error {:.2f}% ({}% allowed), rms error {:.1f}% ({:.1f}% allowed), negative "
          "at {} pixels (none allowed); background: mean error {:.2f}% of the noise ({}% allowed), "
          "rms error {:.1f}% ({:.1f}% allowed); errors are measured away from sources",
          100 * of_noise.mean(), 100 * kMeanAllowance, 100 * of_noise.scatter(),
          100 * kPixelAllowance * kNoiseScatter, negative, 100 * of_background.mean(),
          100 * kMeanAllowance, 100 * of_background.scatter(),
          100 * kPixelAllowance * kBackgroundScatter)};
}

std::vector<DemoCommand> commands(const SkyFiles& files, const DemoOptions& options) {
  const auto picture = [&](const char* map, const char* made, const char* range) {
    return DemoCommand{fmt::format("tessera convert {}{} {}{} --type u8 --range {} --quality 80",
                                   map, files.map, made, files.picture, range)};
  };
  return {{fmt::format("tessera sample sky sky{} --size {}x{} --sources {} --rise 3 "
                       "--field-of-view 1.2 --holes 4 --seed {}",
                       files.map, kSide, kSide, kSources, options.seed)},
          {fmt::format("tessera noise sky{} -o out --box {}{}{}", files.map, kBox,
                       files.panels ? " --picture maps.png" : "", options.backend_words()),
           true},
          picture("sky", "sky", "-0.002,0.01"),
          picture("out_bkg", "background", "0,0.004"),
          picture("out_rms", "noise", "0.0008,0.0025"),
          picture("out_snr", "signal", "-3,10")};
}

std::string python_lines(const SkyFiles& files, const DemoOptions& options) {
  return fmt::format(R"(import tessera

sky = tessera.read("sky{}")
maps = tessera.noise(sky, {}{})
tessera.write("signal.npy", maps.snr, force=True)
print((maps.snr > 5).sum(), "pixels are more than five times the noise above the background")
)",
                     files.map, kBox, options.backend_argument());
}

std::vector<DemoPicture> outputs(const SkyFiles& files) {
  std::vector<DemoPicture> pictures{
      {{"background" + files.picture}, "The background: the median of the box around every pixel"},
      {{"noise" + files.picture},
       "The noise, from the quartiles of the same box; the squares are boxes that contain an "
       "extended source"},
      {{"signal" + files.picture},
       "Signal-to-noise ratio, from -3 to 10: one threshold works everywhere"}};
  if (files.panels)
    pictures.push_back({{"maps.png"}, "All of them with scales; row 0 is at the bottom here"});
  return pictures;
}

}  // namespace

DemoPart demo_noise(const DemoOptions& options) {
  const SkyFiles files{map_ending(), photo_ending(), !options.quick && gnuplot_is_here()};
  DemoPart part;
  part.operation = "noise";
  part.field = "Radio surveys";
  part.title = "Background and noise of a survey field";
  part.story = fmt::format(
      "A field of {} sources with a slowly rising background, noise that triples from the centre "
      "to the corners, and areas that were not observed. Before sources can be counted, background "
      "and noise must be known at every pixel: they are measured as the median and the quartiles "
      "of the {}x{} pixels around it, which sources hardly change. The signal-to-noise ratio is "
      "then flat, and the sources stand out.",
      kSources, kBox, kBox);
  part.commands = commands(files, options);
  part.python = python_lines(files, options);
  part.inputs = {{{"sky" + files.picture}, "The field as recorded; black areas were not observed"}};
  part.outputs = outputs(files);
  part.check = [files](const std::vector<Json>&) { return check_maps(files); };
  return part;
}

}  // namespace tessera
