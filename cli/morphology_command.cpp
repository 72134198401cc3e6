// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/morphology/morphology_job.hpp"

namespace tessera {
namespace {

std::string element_list() {
  std::string text = "Elements:\n";
  for (const FilterUsage& usage : element_usages())
    text += fmt::format("  {}\n          {}\n", usage.form, usage.help);
  return text + "  FILE.npy, FILE.png\n          the nonzero pixels of an image file\n";
}

/// `border`: the options of an example for which the border matters.
std::string examples(std::string_view name, std::string_view border) {
  return fmt::format(R"(Examples:
  tessera {0} photo.png disk:3 out.png
  tessera {0} mask.png line:21,45 out.png {1}
  tessera {0} huge.npy element.npy out.npy --memory-limit 2G --check
  tessera {0} scans box:15x15 done/
  cat in.npy | tessera {0} - cross:1 - > out.npy
)",
                     name, border);
}

void add(Program& program, MorphologyKind kind, const char* about) {
  const bool one_pass = kind == MorphologyKind::erode || kind == MorphologyKind::dilate;
  MorphologyJob job;
  job.kind = kind;
  add_image_command<MorphologyJob>(
      program.command(name_of(kind).data(), about), std::move(job),
      {"ELEMENT", &MorphologyJob::element, "an element by name or in a file, see below",
       element_list()},
      examples(name_of(kind), one_pass ? "--border constant --constant 255" : "--border reflect"));
}

}  // namespace

void add_morphology(Program& program) {
  using Kind = MorphologyKind;
  add(program, Kind::erode, "Erode an image: the minimum under an element.");
  add(program, Kind::dilate, "Dilate an image: the maximum under an element.");
  add(program, Kind::opening,
      "Open an image: erode, then dilate. Bright details smaller than the element are gone.");
  add(program, Kind::closing,
      "Close an image: dilate, then erode. Dark details smaller than the element are gone.");
  add(program, Kind::white_tophat,
      "Bright details smaller than an element: the image minus its opening.");
  add(program, Kind::black_tophat,
      "Dark details smaller than an element: the closing of an image minus the image.");
  add(program, Kind::gradient,
      "Edges: the maximum under an element minus the minimum (morphological gradient).");
}

}  // namespace tessera
