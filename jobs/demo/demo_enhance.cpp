// SPDX-License-Identifier: Apache-2.0
// A faded scan made readable, and a noisy, unevenly lit field made even.
#include <fmt/format.h>

#include <array>

#include "io/formats.hpp"
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/find_demo_means.hpp"
#include "jobs/demo/reference_share.hpp"

namespace tessera {
namespace {

struct Pages {
  int scan_width = 2400, scan_height = 1600;
  int field_width = 1800, field_height = 1200;
  const char* scan_shown = "700,500,900x600";
  const char* field_shown = "450,300,900x600";
  int spots = 400;
  std::string ending = photo_ending();  ///< of the part that the page shows
};

Pages pages(bool quick) {
  if (!quick) return {};
  return {.scan_width = 480,
          .scan_height = 320,
          .field_width = 360,
          .field_height = 240,
          .scan_shown = "0,0,480x320",
          .field_shown = "0,0,360x240",
          .spots = 16};
}

std::vector<DemoCommand> input_commands(const Pages& made, int seed) {
  return {
      {fmt::format("tessera sample scene scan.png --size {}x{} --seed {}", made.scan_width,
                   made.scan_height, seed)},
      {"tessera convert scan.png faded.png --range=-500,900"},
      {fmt::format("tessera sample sky light.npy --size {}x{} --sources {} --beam 24 --extent 2 "
                   "--flux-low 0.05 --flux-high 0.3 --slope 1 --background 0.25 --gradient 0.3 "
                   "--swell 0.08 --swell-length 900 --noise 0.02 --seed {}",
                   made.field_width, made.field_height, made.spots, seed)},
      {"tessera convert light.npy field.png --type u8 --range=-0.2,1.4"}};
}

std::vector<DemoCommand> work_commands(const Pages& made, const std::string& where) {
  return {{"tessera enhance faded.png readable.png --check --histogram values.png" + where, true},
          {"tessera enhance field.png even.png --steps smooth,clahe --smooth triangle:9 --clip "
           "0.02 --check --before-after field_even" +
               made.ending + where,
           true}};
}

std::vector<DemoCommand> picture_commands(const Pages& made) {
  std::vector<DemoCommand> commands;
  for (const char* name : {"faded", "readable"})
    commands.push_back({fmt::format("tessera convert {0}.png {0}_part{1} --crop {2}", name,
                                    made.ending, made.scan_shown)});
  for (const char* name : {"field", "even"})
    commands.push_back({fmt::format("tessera convert {0}.png {0}_part{1} --crop {2}", name,
                                    made.ending, made.field_shown)});
  return commands;
}

struct Percentiles {
  int low = 0, high = 0;
  bool operator==(const Percentiles&) const = default;
};

/// The values at 0.35% and 99.65% of the grey pixels, counted again by their definition.
Percentiles percentiles_of(const Image& colours) {
  const View<const unsigned char> from = colours.as<unsigned char>();
  std::array<long long, 256> counts{};
  for (int y = 0; y < from.size.height; ++y)
    for (int x = 0; x < from.size.width; ++x)
      ++counts[static_cast<std::size_t>(
          (77 * from.at(x, y, 0) + 151 * from.at(x, y, 1) + 28 * from.at(x, y, 2) + 128) / 256)];
  const long long pixels = static_cast<long long>(from.size.width) * from.size.height;
  const auto value_at = [&](long long parts_of_10000) {
    const long long wanted = (pixels * parts_of_10000 + 9999) / 10000;
    long long below = 0;
    int value = -1;
    while (below < wanted) below += counts[static_cast<std::size_t>(++value)];
    return value;
  };
  return {value_at(35), value_at(9965)};
}

DemoCheck check_pages(const Json& readable, const Json& even) {
  const ReferenceShare first = reference_share(readable), second = reference_share(even);
  const Percentiles counted = percentiles_of(read_image("faded.png"));
  const Percentiles said{readable.value("low", -1), readable.value("high", -1)};
  const bool exact = first.right && second.right && first.share == 0 && second.share == 0;
  return {
      exact && counted == said,
      fmt::format(
          "{} of {} rows compared with the reference, {} (no difference allowed); "
          "stretched from {} to {}; by counting, 0.35% and 99.65% of the pixels are at {} and {}",
          first.rows + second.rows, first.all_rows + second.all_rows,
          exact ? "every byte equal" : "bytes differ", said.low, said.high, counted.low,
          counted.high)};
}

constexpr const char* kEnhancePython = R"(import tessera

scan = tessera.read("faded.png")
readable = tessera.enhance(scan, steps="grey,contrast,smooth"{0})
tessera.write("readable_too.png", readable, force=True)

field = tessera.read("field.png")
even = tessera.enhance(field, steps="smooth,clahe", smooth="triangle:9", clip=0.02{0})
tessera.write("even_too.png", even, force=True)
)";

}  // namespace

DemoPart demo_enhance(const DemoOptions& options) {
  const Pages made = pages(options.quick);
  DemoPart part;
  part.operation = "enhance";
  part.field = "Scans, maps and micrographs";
  part.title = "A faded scan and an unevenly lit field made readable";
  part.story =
      "A scan has lost its contrast: all its values lie in a fifth of the range. It is converted "
      "to grey, stretched so that its darkest pixels become black and its brightest white, and "
      "smoothed. A noisy, unevenly lit field of spots is smoothed and equalised tile by tile, so "
      "that spots are visible in dark and bright areas alike.";
  for (const std::vector<DemoCommand>& more :
       {input_commands(made, options.seed), work_commands(made, options.backend_words()),
        picture_commands(made)})
    part.commands.insert(part.commands.end(), more.begin(), more.end());
  part.python = fmt::format(kEnhancePython, options.backend_argument());
  part.inputs = {{{"faded_part" + made.ending}, "A part of the faded scan"},
                 {{"field_part" + made.ending}, "A part of the noisy field"}};
  part.outputs = {{{"readable_part" + made.ending}, "The scan: grey, contrast, smooth"},
                  {{"values.png"}, "How often each grey value occurs, before and after"},
                  {{"even_part" + made.ending}, "The field: smooth, clahe"},
                  {{"field_even" + made.ending}, "The whole field, before and after"}};
  const std::size_t work = input_commands(made, options.seed).size();
  part.check = [work](const std::vector<Json>& said) {
    return check_pages(said.at(work), said.at(work + 1));
  };
  return part;
}

}  // namespace tessera
