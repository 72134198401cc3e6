// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bytes for any threads, strips and memory limits; and many threads may
// share one plan.
#include <gtest/gtest.h>

#include "ops/morphology/morphology_problem.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::expect_same_bits;
using testing::ForcedIsa;
using testing::random_image;
using testing::Way;

Size bits_size() { return testing::run_small() ? Size{29, 31, 3} : Size{83, 97, 3, 2}; }

void same_bits(Backend backend, const std::vector<Border>& borders) {
  const Image in = random_image(bits_size(), Type::u16, 1);
  for (const Way& way : all_ways()) {
    if (way.backend != backend) continue;
    const ForcedIsa forced(way.isa);
    for (const char* element : {"disk:4.5", "box:5x12", "box:40x37"})
      for (const char* method : {"direct", "separable"})
        for (const Border border : borders) {
          if (*element == 'd' && *method == 's') continue;
          const Morphology plan(MorphologyKind::dilate, in.info(),
                                testing::short_view(element_from_text(element)),
                                {.border = border, .backend = backend, .method = method});
          SCOPED_TRACE(name_of(border));
          expect_same_bits(plan, in);
        }
  }
}

const std::vector<Border> kAllBorders{Border::valid,   Border::constant,    Border::replicate,
                                      Border::reflect, Border::reflect_101, Border::wrap,
                                      Border::inside};

TEST(MorphologyBits, CpuSameForAnyThreadsAndStrips) { same_bits(Backend::cpu, kAllBorders); }

TEST(MorphologyBitsCuda, SameForAnyStrips) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda, testing::run_small() ? std::vector<Border>{Border::wrap} : kAllBorders);
}

TEST(MorphologyBits, StripsOfTheReferenceToo) {
  // Its pixels lie away from its anchor: no row of the output is read for itself.
  const Image in = random_image({19, 23}, Type::f32, 1);
  Image element({2, 9}, Type::u8);
  element.as<unsigned char>().at(1, 8) = 1;
  for (const Border border : kAllBorders)
    for (const char* method : {"reference", "direct"})
      expect_same_bits(
          Morphology(
              MorphologyKind::erode, in.info(), element.view(),
              {.border = border, .anchor = Point{0, 0}, .backend = Backend::cpu, .method = method}),
          in);
}

void share_a_plan(Backend backend) {
  const Image in = random_image({200, 150}, Type::f32, 1);
  for (const char* element : {"disk:5", "box:9x50"})
    testing::expect_eight_threads_may_share(
        Morphology(MorphologyKind::erode, in.info(),
                   testing::short_view(element_from_text(element)), {.backend = backend}),
        in);
}

TEST(MorphologyBits, EightThreadsShareOnePlan) { share_a_plan(Backend::cpu); }

TEST(MorphologyBitsCuda, EightThreadsShareOnePlan) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  share_a_plan(Backend::cuda);
}

}  // namespace
}  // namespace tessera
