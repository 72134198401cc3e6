// SPDX-License-Identifier: Apache-2.0
// A survey field whose sources are known, and the catalogue that is made of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/draw_colours.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "jobs/table_files.hpp"

namespace tessera {
namespace {

/// A catalogue should have all sources brighter than this, in multiples of the noise.
constexpr double kComplete = 7;
/// A source is found if the catalogue has one at most this far away, in pixels.
constexpr double kFarthestMatch = 2.5;
/// Pulls, (measured - true) / error, have a standard deviation of 1; that of n pulls is off by
/// 1 / sqrt(2 n).
constexpr double kPullAllowance = 4;

const std::vector<double>& column_of(const Table& table, const char* name) {
  return std::ranges::find(table.columns, name, &TableColumn::name)->numbers;
}

/// The row nearest to a place, if it is near.
std::optional<std::size_t> row_near(const Table& table, double x, double y) {
  std::optional<std::size_t> nearest;
  double distance = kFarthestMatch;
  for (std::size_t n = 0; n < column_of(table, "x").size(); ++n) {
    const double here = std::hypot(column_of(table, "x")[n] - x, column_of(table, "y")[n] - y);
    if (here > distance) continue;
    distance = here;
    nearest = n;
  }
  return nearest;
}

struct CatalogueFigures {
  int bright = 0, found = 0, listed = 0, unreal = 0;
  double squares = 0;  ///< of the pulls of flux
  double width() const { return found > 0 ? std::sqrt(squares / found) : 0; }
  double allowed() const { return 1 + kPullAllowance / std::sqrt(2.0 * std::max(1, found)); }
  bool right() const {
    return bright > 0 && found == bright && unreal == 0 && width() <= allowed() &&
           width() >= 1 - kPullAllowance / std::sqrt(2.0 * found);
  }
};

CatalogueFigures compare_catalogue(const Table& truth, const Table& list, const Image& noise) {
  CatalogueFigures figures;
  const Size size = noise.info().size;
  const auto pixel = [](double place, int count) {
    return std::clamp(static_cast<int>(std::lround(place)), 0, count - 1);
  };
  for (std::size_t n = 0; n < column_of(truth, "x").size(); ++n) {
    const double x = column_of(truth, "x")[n], y = column_of(truth, "y")[n];
    const double sigma = noise.as<float>().at(pixel(x, size.width), pixel(y, size.height));
    if (column_of(truth, "peak")[n] <= kComplete * sigma) continue;
    ++figures.bright;
    const auto row = row_near(list, x, y);
    if (!row) continue;
    ++figures.found;
    const double pull = (column_of(list, "flux")[*row] - column_of(truth, "flux")[n]) /
                        column_of(list, "flux_err")[*row];
    figures.squares += pull * pull;
  }
  for (std::size_t n = 0; n < column_of(list, "x").size(); ++n) {
    if (column_of(list, "snr")[n] <= kComplete) continue;
    ++figures.listed;
    if (!row_near(truth, column_of(list, "x")[n], column_of(list, "y")[n])) ++figures.unreal;
  }
  return figures;
}

/// The field with an ellipse of twice the width around every source.
void draw_catalogue(const Image& sky, const Table& list, const std::string& picture) {
  const Size size = sky.info().size;
  std::vector<char> marked(static_cast<std::size_t>(size.width) *
                           static_cast<std::size_t>(size.height));
  const auto field = [&](const char* name, std::size_t n) { return column_of(list, name)[n]; };
  constexpr int kSteps = 400;
  for (std::size_t n = 0; n < column_of(list, "x").size(); ++n) {
    // Without a fit there is no shape: pa is NaN then.
    const bool fitted = std::isfinite(field("pa", n));
    const double major = fitted ? field("major", n) : 4, minor = fitted ? field("minor", n) : 4,
                 turn = fitted ? field("pa", n) * std::numbers::pi / 180 : 0;
    for (int k = 0; k < kSteps; ++k) {
      const double angle = 2 * std::numbers::pi * k / kSteps, along = major * std::cos(angle),
                   across = minor * std::sin(angle);
      const long x = std::lround(field("x", n) - along * std::sin(turn) + across * std::cos(turn));
      const long y = std::lround(field("y", n) + along * std::cos(turn) + across * std::sin(turn));
      if (x >= 0 && x < size.width && y >= 0 && y < size.height)
        marked[static_cast<std::size_t>(y * size.width + x)] = 1;
    }
  }
  draw_colours(picture, size.width, size.height, [&](int x, int y) -> DrawnColour {
    if (marked[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
               static_cast<std::size_t>(x)])
      return {1, 0.45, 0.2};
    const double light =
        std::clamp(in_steps((double{sky.as<float>().at(x, y)} + 0.002) / 0.012, 32), 0.0, 1.0);
    return {light, light, light};
  });
}

DemoCheck check_catalogue(const std::string& picture) {
  const Table truth = read_table("sky_truth.csv", {}), list = read_table("sources.csv", {});
  const CatalogueFigures figures = compare_catalogue(truth, list, read_image("sky_truth_rms.fits"));
  draw_catalogue(read_image("sky.fits"), list, picture);
  return {
      figures.right(),
      fmt::format("{} of {} sources brighter than {} times the noise are listed (all wanted), "
                  "{} of {} that are listed do not exist (none allowed); fluxes differ from the "
                  "truth by {:.2f} of their errors, in root mean square ({:.2f} allowed)",
                  figures.found, figures.bright, kComplete, figures.unreal, figures.listed,
                  figures.width(), figures.allowed())};
}

}  // namespace

DemoPart demo_sources(const DemoOptions& options) {
  const std::string photo = "sky" + photo_ending(), marked = "sources_marked.png";
  DemoPart part;
  part.operation = "sources";
  part.field = "Radio surveys";
  part.title = "A catalogue of the sources of a field";
  part.story =
      "The same kind of field as above, with sources from the limit of the noise to hundreds of "
      "times brighter, a fifth of them wider than the beam. Background and noise are measured, "
      "islands of significant pixels found, and a Gaussian fitted to each source. Whether a "
      "catalogue is right is seen from its errors: the fluxes must differ from the true ones by "
      "one error, neither more nor less.";
  part.commands = {
      {fmt::format("tessera sample sky sky.fits --size {} --sources {} --separation 40 --rise 2 "
                   "--seed {}",
                   options.quick ? "400x300" : "900x600", options.quick ? 30 : 120, options.seed)},
      {fmt::format("tessera sources sky.fits -o sources.csv -o sources.reg{}",
                   options.backend_words()),
       true},
      {fmt::format("tessera convert sky.fits {} --type u8 --range -0.002,0.01 --quality 80",
                   photo)}};
  part.python = fmt::format(R"(import tessera

found = tessera.sources(tessera.read("sky.fits"), beam=(5, 4, 30){})
print(len(found["flux"]), "sources, the brightest with", found["flux"].max(), "Jy")
)",
                            options.backend_argument());
  part.inputs = {{{photo}, "The field as recorded"}};
  part.outputs = {{{marked}, "The sources of the catalogue: ellipses of twice their widths"}};
  part.check = [marked](const std::vector<Json>&) { return check_catalogue(marked); };
  return part;
}

}  // namespace tessera
