// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/convolve/edges_job.hpp"

namespace tessera {
namespace {

std::string pair_list() {
  std::string text = "Filters:\n";
  for (const FilterUsage& usage : edge_usages())
    text += fmt::format("  {}\n          {}\n", usage.form, usage.help);
  return text;
}

constexpr const char* kEdgesExamples = R"(Examples:
  tessera edges photo.png sobel out.png
  tessera edges cells.tif gauss:2 steep.npy --output-type f32
  tessera edges huge.npy scharr out.npy --memory-limit 2G --check
  tessera edges scans prewitt steep/ --to .png
)";

}  // namespace

void add_edges(Program& program) {
  add_image_command<EdgesJob>(
      program.command("edges", "Show how steep an image is: the magnitude of two derivatives."), {},
      {"FILTER", &EdgesJob::filters, "the derivatives by name, see below", pair_list()},
      kEdgesExamples);
}

}  // namespace tessera
