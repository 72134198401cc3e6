// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/convolve/convolve_job.hpp"

namespace tessera {
namespace {

std::string filter_list() {
  std::string text = "Filters:\n";
  for (const FilterUsage& usage : filter_usages())
    text += fmt::format("  {}\n          {}\n", usage.form, usage.help);
  return text + "  FILE.npy, FILE.png\n          the weights in an image file\n";
}

constexpr const char* kConvolveExamples = R"(Examples:
  tessera convolve photo.png gauss:2.5 soft.png
  tessera convolve in.png sobel:x edges.npy --output-type f32 --border replicate
  tessera convolve huge.npy weights.npy out.npy --memory-limit 2G --check
  tessera convolve scans gauss:2 soft/ --to .npy
  cat in.npy | tessera convolve - box:5x5 - > out.npy
)";

}  // namespace

void add_convolve(Program& program) {
  add_image_command<ConvolveJob>(
      program.command("convolve", "Filter an image."), {},
      {"FILTER", &ConvolveJob::filter, "a filter by name or in a file, see below", filter_list()},
      kConvolveExamples);
}

}  // namespace tessera
