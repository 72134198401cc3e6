// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/batch_door.hpp"
#include "cli/commands.hpp"
#include "jobs/rank/rank_job.hpp"

namespace tessera {
namespace {

std::string footprint_list() {
  std::string text = "Windows:\n  N, WxH\n          a box: 3 is 3x3\n";
  for (const FilterUsage& usage : element_usages())
    text += fmt::format("  {}\n          {}\n", usage.form, usage.help);
  return text + "  FILE.npy, FILE.png\n          the nonzero pixels of an image file\n";
}

template <class Job>
Companion<Job> window_word() {
  return {"SIZE", &Job::footprint, "a box by its size, or another window, see below",
          footprint_list()};
}

constexpr const char* kMedianExamples = R"(Examples:
  tessera median photo.png 3 out.png
  tessera median photo.png disk:2 out.png --border wrap
  tessera median huge.npy 5x3 out.npy --memory-limit 2G --check
  tessera median scans 3 done/
  cat in.npy | tessera median - 7 - > out.npy
)";

constexpr const char* kRankExamples = R"(Examples:
  tessera rank photo.png 3 out.png --rank 1
  tessera rank photo.png disk:2 out.png --rank -2
  tessera rank sky.fits 41 floor.fits --percentile 20 --border replicate
  tessera rank scans 5x3 done/ --percentile 75
)";

}  // namespace

void add_rank(Program& program) {
  add_image_command<MedianJob>(
      program.command("median", "Filter an image by medians: the middle value of a window."), {},
      window_word<MedianJob>(), kMedianExamples);
  add_image_command<RankJob>(
      program.command("rank", "Filter an image by ranks: the k-th smallest value of a window."), {},
      window_word<RankJob>(), kRankExamples);
}

}  // namespace tessera
