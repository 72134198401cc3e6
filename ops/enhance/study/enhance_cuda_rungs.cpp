// SPDX-License-Identifier: Apache-2.0
// The paper's CUDA programs: each step from its first form to its last.
#include "ops/enhance/study/step_launch.hpp"

namespace tessera {
namespace {

constexpr EnhanceResult kGrey = EnhanceResult::grey, kHistogram = EnhanceResult::histogram,
                        kContrast = EnhanceResult::contrast, kSmooth = EnhanceResult::smooth;
constexpr EnhancePlace kPacked = EnhancePlace::packed, kPitched = EnhancePlace::pitched;

EnhanceRung step_rung(const std::string& id, const std::string& title, const StepLaunch& launch) {
  return {id,
          title,
          {enhance_ladder_file("step_args."), enhance_ladder_file("step_pixels."),
           enhance_ladder_file(launch.unit + ".")},
          [launch](const EnhanceCase& c, Stream& s) {
            return launch.result == kHistogram ? launched_count(c, launch, s)
                                               : launched_step(c, launch, s);
          }};
}

// The paper does not print its programs. The first ones are assumed to have blocks of 16 by 16 on
// packed rows (rows of 8773 pixels begin anywhere), the coalesced ones whole warps on rows that
// begin at multiples of 256 bytes.
std::vector<EnhanceRung> make_rungs() {
  const char* const naive = "one thread per pixel, packed rows";
  const char* const coalesced = "warps along aligned rows";
  const char* const four = "4-byte fetches, 4 pixels per thread";
  const char* const sixteen = "16-byte fetches, 16 pixels per thread";
  std::vector<EnhanceRung> rungs{
      step_rung("grey.columns", "warps down columns",
                {"e1_grey_bytes", "grey_columns", kGrey, kPacked, 16, 16}),
      step_rung("grey.naive", naive, {"e1_grey_bytes", "grey_bytes", kGrey, kPacked, 16, 16}),
      step_rung("grey.coalesced", coalesced, {"e1_grey_bytes", "grey_bytes", kGrey}),
      step_rung("grey.four", four, {"e2_grey_words", "grey_four", kGrey, kPitched, 32, 8, 4}),
      step_rung("grey.sixteen", sixteen,
                {"e2_grey_words", "grey_sixteen", kGrey, kPitched, 32, 8, 16}),
      step_rung("histogram.naive", naive,
                {"e3_count_global", "count_bytes", kHistogram, kPacked, 16, 16}),
      step_rung("histogram.coalesced", coalesced, {"e3_count_global", "count_bytes", kHistogram}),
      step_rung("histogram.four", four,
                {"e3_count_global", "count_four", kHistogram, kPitched, 32, 8, 4}),
      step_rung("histogram.shared", "counts of a block in shared memory",
                {"e4_count_shared", "count_shared_four", kHistogram, kPitched, 32, 8, 4}),
      step_rung("histogram.sixteen", "shared, 16 pixels per thread",
                {"e4_count_shared", "count_shared_sixteen", kHistogram, kPitched, 32, 8, 16}),
      step_rung("histogram.private", "the same, counts for each warp",
                {"e4_count_shared", "count_private_sixteen", kHistogram, kPitched, 32, 8, 16}),
      step_rung("contrast.naive", naive,
                {"e5_contrast", "contrast_bytes", kContrast, kPacked, 16, 16}),
      step_rung("contrast.coalesced", coalesced, {"e5_contrast", "contrast_bytes", kContrast}),
      step_rung("contrast.four", four,
                {"e5_contrast", "contrast_four", kContrast, kPitched, 32, 8, 4}),
      step_rung("contrast.branchless", "the same without branches",
                {"e5_contrast", "contrast_branchless", kContrast, kPitched, 32, 8, 4}),
      step_rung("smooth.naive", "25 fetches, bounds checked",
                {"e6_smooth_naive", "smooth_naive", kSmooth, kPacked, 16, 16})};
  rungs.push_back({"smooth.tiled",
                   "inside through shared memory",
                   {enhance_ladder_file("step_args."), enhance_ladder_file("step_pixels."),
                    enhance_ladder_file("e7_")},
                   [](const EnhanceCase& c, Stream& s) { return launched_tiles(c, s); }});
  for (EnhanceRung& ours : our_enhance_cuda_rungs()) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

std::string enhance_ladder_file(const std::string& beginning) {
  return "ops/enhance/study/" + beginning;
}

const std::vector<EnhanceRung>& enhance_cuda_rungs() {
  static const std::vector<EnhanceRung> rungs = make_rungs();
  return rungs;
}

}  // namespace tessera
