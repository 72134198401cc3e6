// SPDX-License-Identifier: Apache-2.0
// Correlation of colour and orientation in an ensemble of scenes, and the shift between two views
// of a scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/draw_colours.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "tessera/correlate.hpp"
#include "tessera/scene_planes.hpp"

namespace tessera {
namespace {

/// The documented bound of both fast methods, for maps that are 1 at shift 0, 0.
constexpr double kMapAllowance = 1e-6;

struct Ensemble {
  int scenes = 6, side = 500, max_shift = 120;
  int view_width = 848, view_height = 600, apart = 48;  ///< the two views
  int judged = 6;  ///< shifts in each direction that plain loops compute too
  std::string ending = photo_ending();

  std::string scene(int index) const { return fmt::format("scene{}{}", index + 1, ending); }
  std::vector<std::string> all_scenes() const {
    std::vector<std::string> names;
    for (int k = 0; k < scenes; ++k) names.push_back(scene(k));
    return names;
  }
};

Ensemble ensemble(bool quick) {
  if (!quick) return {};
  return {.scenes = 3,
          .side = 200,
          .max_shift = 40,
          .view_width = 300,
          .view_height = 200,
          .apart = 24};
}

std::vector<DemoCommand> sample_commands(const Ensemble& made, int seed) {
  std::vector<DemoCommand> commands;
  for (int k = 0; k < made.scenes; ++k)
    commands.push_back(
        {fmt::format("tessera sample scene {0} --size {1}x{1} --quality 80 --seed {2}",
                     made.scene(k), made.side, seed + k)});
  commands.push_back({fmt::format("tessera sample scene both.png --size {}x{} --seed {}",
                                  made.view_width + made.apart, made.view_height, seed + 1000)});
  for (const auto& [name, left] : {std::pair{"left", 0}, std::pair{"right", made.apart}})
    commands.push_back({fmt::format("tessera convert both.png {}{} --crop {},0,{}x{} --quality 80",
                                    name, made.ending, left, made.view_width, made.view_height)});
  return commands;
}

std::vector<DemoCommand> work_commands(const Ensemble& made, const std::string& where) {
  return {{fmt::format("tessera correlate {} -o scenes.npy --sums pairs --scale coefficient "
                       "--quadrants all --max-shift {} --picture scenes_maps.png",
                       fmt::join(made.all_scenes(), " "), made.max_shift) +
               where,
           true},
          {fmt::format("tessera correlate left{0} --with right{0} -o views.npy --scale "
                       "coefficient --quadrants all --max-shift {1} --picture views_map.png",
                       made.ending, 2 * made.apart) +
               where,
           true}};
}

std::string python_lines(const Ensemble& made, const DemoOptions& options) {
  return fmt::format(R"(import numpy as np
import tessera

files = [f"scene{{k}}{0}" for k in range(1, {1})]
maps = [tessera.correlate(tessera.scene_planes(tessera.read(file)), max_shift={2},
                          sums="pairs", scale="coefficient", quadrants="all"{5})
        for file in files]
colour, orientation = np.mean(maps, axis=0)

left, right = (tessera.scene_planes(tessera.read(file)) for file in ("left{0}", "right{0}"))
views = tessera.correlate(left, right, max_shift={3}, scale="coefficient", quadrants="all"{5})
row, column = np.unravel_index(views.argmax(), views.shape)[-2:]
print("the views are", column - {4}, "and", row - {4}, "pixels apart")
)",
                     made.ending, made.scenes + 1, made.max_shift, 2 * made.apart,
                     2 * made.apart - 1, options.backend_argument());
}

/// The largest difference of the ensemble's mean maps from plain loops in double, near shift 0, 0.
double off_the_plain_loops(const Ensemble& made) {
  const Image maps = read_image("scenes.npy");
  const int zero = made.max_shift - 1;
  std::vector<double> sums(static_cast<std::size_t>(2 * made.judged * made.judged));
  const CorrelateOptions plain{.max_shift = made.judged,
                               .sums = "pairs",
                               .scale = ShiftScale::coefficient,
                               .backend = Backend::cpu,
                               .method = "reference"};
  for (const std::string& name : made.all_scenes()) {
    const Image scene = read_image(name), planes = scene_planes(scene.view());
    const Image map = correlate(planes.view(), plain);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += map.as<float>().data[k];
  }
  double largest = 0;
  auto sum = sums.begin();
  for (int plane = 0; plane < 2; ++plane)
    for (int dy = 0; dy < made.judged; ++dy)
      for (int dx = 0; dx < made.judged; ++dx)
        largest = std::max(largest, std::abs(maps.as<double>().at(zero + dx, zero + dy, 0, plane) -
                                             *sum++ / made.scenes));
  return largest;
}

struct Peak {
  Point shift;
  double height = -2;  ///< below every coefficient
};

/// The shift at which two views match best.
Peak peak_of(const Image& map, int max_shift) {
  const View<const double> values = map.as<double>();
  Peak peak;
  for (int y = 0; y < values.size.height; ++y)
    for (int x = 0; x < values.size.width; ++x)
      if (values.at(x, y) > peak.height)
        peak = {{x - (max_shift - 1), y - (max_shift - 1)}, values.at(x, y)};
  return peak;
}

/// The maps of colour and of orientation side by side; drawn without gnuplot.
void draw_maps(const Image& maps) {
  constexpr int kZoom = 2, kGap = 8;
  const View<const double> values = maps.as<double>();
  const int width = kZoom * values.size.width;
  draw_colours("maps.png", 2 * width + kGap, kZoom * values.size.height, [&](int x, int y) {
    if (x >= width && x < width + kGap) return DrawnColour{1, 1, 1};
    const int plane = x < width ? 0 : 1;
    const int column = (plane == 0 ? x : x - width - kGap) / kZoom;
    return heat_colour(in_steps(values.at(column, y / kZoom, 0, plane), 64));
  });
}

DemoCheck check_maps(const Ensemble& made) {
  draw_maps(read_image("scenes.npy"));
  const double off = off_the_plain_loops(made);
  const Peak peak = peak_of(read_image("views.npy"), 2 * made.apart);
  return {off <= kMapAllowance && peak.shift.x == made.apart && peak.shift.y == 0,
          fmt::format("mean maps differ by {:.1g} from plain loops in double at {} shifts right "
                      "and down of (0, 0) ({:.0e} "
                      "allowed); the two views match best at shift ({}, {}) and were cut ({}, 0) "
                      "pixels apart (no error allowed)",
                      off, made.judged * made.judged, kMapAllowance, peak.shift.x, peak.shift.y,
                      made.apart)};
}

}  // namespace

DemoPart demo_correlate(const DemoOptions& options) {
  const Ensemble made = ensemble(options.quick);
  DemoPart part;
  part.operation = "correlate";
  part.field = "Vision science";
  part.title = "How colour and orientation in scenes are correlated over distance";
  part.story = fmt::format(
      "{} scenes are split into planes of colour and of texture orientation; each scene is "
      "correlated with itself over all shifts, and the maps are averaged. Colour is correlated "
      "over tens of pixels, orientation over a few. Two views of another scene, {} pixels apart as "
      "two eyes might see it, are correlated with each other: the map peaks at that shift.",
      made.scenes, made.apart);
  part.commands = sample_commands(made, options.seed);
  std::ranges::copy(work_commands(made, options.backend_words()),
                    std::back_inserter(part.commands));
  part.python = python_lines(made, options);
  part.inputs = {
      {made.all_scenes(), "The scenes of the ensemble", 1},
      {{"left" + made.ending, "right" + made.ending}, "Two views of one scene, in turn", 2}};
  part.outputs = {
      {{"maps.png"},
       "Correlation of colour (left) and of orientation (right); shift (0, 0) is in the middle"},
      {{"scenes_maps.png"}, "Mean maps and profiles: colour above, orientation below"},
      {{"views_map.png"},
       fmt::format("Correlation of the two views: the peak is {} pixels to the right of the middle",
                   made.apart)}};
  part.check = [made](const std::vector<Json>&) { return check_maps(made); };
  return part;
}

}  // namespace tessera
