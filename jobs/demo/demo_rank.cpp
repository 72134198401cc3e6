// SPDX-License-Identifier: Apache-2.0
// Hot pixels of a camera, removed by a median.
#include <fmt/format.h>

#include <algorithm>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "jobs/demo/reference_share.hpp"

namespace tessera {
namespace {

constexpr int kDark = 1000, kReadNoise = 20;
/// Brighter pixels are hot: noise alone reaches this in one pixel of 10^15.
constexpr int kHot = kDark + 8 * kReadNoise;

struct DarkFrame {
  int side = 2048, defects = 20000;
  const char* shown = "800,800,300x200";
  std::string ending = photo_ending();  ///< of the pictures
};

DarkFrame dark_frame(bool quick) {
  if (!quick) return {};
  return {.side = 256, .defects = 300, .shown = "0,0,256x170"};
}

// Defects are narrower than a pixel and lie 4 pixels apart: of the nine pixels of a window at most
// four are hot. The noise is that of the frame without defects, which has the same seed.
std::string frame_line(const char* name, int defects, const DarkFrame& frame, int seed) {
  return fmt::format(
      "tessera sample points {}.png --type u16 --size {}x{} --sources {} --sigma 0.1 --separation "
      "4 "
      "--flux-low 100 --flux-high 3000 --background {} --noise {} --seed {}",
      name, frame.side, frame.side, defects, kDark, kReadNoise, seed);
}

std::vector<DemoCommand> rank_commands(const DarkFrame& frame, const DemoOptions& options) {
  std::vector<DemoCommand> commands{
      {frame_line("dark", frame.defects, frame, options.seed)},
      {frame_line("without", 0, frame, options.seed)},
      {"tessera median dark.png 3 clean.png --check" + options.backend_words(), true}};
  for (const char* name : {"dark", "clean"})
    commands.push_back(
        {fmt::format("tessera convert {0}.png {0}_part{1} --type u8 --range 900,1300 --crop {2}",
                     name, frame.ending, frame.shown)});
  return commands;
}

struct Extremes {
  int least = 65535, most = 0;
};

/// The minimum and maximum of a 3x3 window, as far as it is in the image.
Extremes extremes_around(const View<const unsigned short>& image, int x, int y) {
  Extremes found;
  for (int j = std::max(0, y - 1); j < std::min(image.size.height, y + 2); ++j)
    for (int i = std::max(0, x - 1); i < std::min(image.size.width, x + 2); ++i) {
      found.least = std::min<int>(found.least, image.at(i, j));
      found.most = std::max<int>(found.most, image.at(i, j));
    }
  return found;
}

DemoCheck check_clean_frame(const Json& said) {
  const Image dark = read_image("dark.png"), without = read_image("without.png"),
              clean = read_image("clean.png");
  const View<const unsigned short> truth = without.as<const unsigned short>();
  long long hot = 0, left = 0, outside = 0;
  for (int y = 0; y < truth.size.height; ++y)
    for (int x = 0; x < truth.size.width; ++x) {
      const int made = clean.as<const unsigned short>().at(x, y);
      const Extremes around = extremes_around(truth, x, y);
      hot += dark.as<const unsigned short>().at(x, y) > kHot;
      left += made > kHot;
      outside += made < around.least || made > around.most;
    }
  const ReferenceShare reference = reference_share(said);
  const bool exact = reference.right && reference.share == 0;
  return {
      exact && hot > 0 && left == 0 && outside == 0,
      fmt::format("{} hot pixels before, {} after (none allowed); {} pixels outside the range of "
                  "the frame without defects in their window (none allowed); {} of {} rows "
                  "compared with the reference, {} (no difference allowed)",
                  hot, left, outside, reference.rows, reference.all_rows,
                  exact ? "every byte equal" : "bytes differ")};
}

constexpr const char* kRankPython = R"(import tessera

dark = tessera.read("dark.png")
clean = tessera.median_filter(dark, 3{0})
print((dark > {1}).sum(), "hot pixels before,", (clean > {1}).sum(), "after")
)";

}  // namespace

DemoPart demo_rank(const DemoOptions& options) {
  const DarkFrame frame = dark_frame(options.quick);
  DemoPart part;
  part.operation = "rank";
  part.field = "Cameras";
  part.title = "Hot pixels of a camera removed";
  part.story = fmt::format(
      "A dark frame of {0}x{0} pixels in which many are hot, up to a thousand times as bright as "
      "the "
      "noise. A mean would spread them; the median of 3x3 pixels is the fifth of nine sorted "
      "values, and at most four of the nine are hot. The same frame without defects shows that "
      "every pixel of the result is a value that its window could have had.",
      frame.side);
  part.commands = rank_commands(frame, options);
  part.python = fmt::format(kRankPython, options.backend_argument(), kHot);
  part.inputs = {{{"dark_part" + frame.ending}, "A part of the dark frame"}};
  part.outputs = {{{"clean_part" + frame.ending}, "The same part, medians of 3x3 pixels"}};
  part.check = [](const std::vector<Json>& said) { return check_clean_frame(said.at(2)); };
  return part;
}

}  // namespace tessera
