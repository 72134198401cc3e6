// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bytes and counts for any threads and pieces; and many threads may
// share one plan.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/enhance/enhance_problem.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::random_image;
using testing::Way;

/// The result of an image, and the counts and curves of its steps.
struct Outcome {
  std::vector<unsigned char> bytes;
  std::vector<std::vector<std::uint64_t>> counts;
  std::vector<std::vector<std::uint16_t>> curves;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const EnhanceState& state, const Image& out) {
  Outcome outcome{bytes_of_view(out.view()), {}, {}};
  for (const EnhanceFinding& finding : state.findings()) {
    outcome.counts.push_back(finding.counts);
    outcome.curves.push_back(finding.curve);
  }
  return outcome;
}

Outcome whole(const Enhance& plan, const Image& in) {
  Image out(plan.output());
  plan(in.view(), out.view());
  return outcome_of(plan.examine(in.view(), thread_stream(plan.device())), out);
}

/// A piece of memory of its own, so that reads outside are seen.
struct OwnPiece {
  OwnPiece(const Image& in, Rows rows)
      : image(copy(AnyView(in.view().rows(rows.first, rows.count())))),
        piece{std::as_const(image).view(), rows.first} {}
  Image image;
  Piece piece;
};

std::vector<Rows> cut(int height, int rows) {
  std::vector<Rows> pieces;
  for (int first = 0; first < height; first += rows)
    pieces.push_back({first, std::min(height, first + rows)});
  return pieces;
}

Outcome in_pieces(const Enhance& plan, const Image& in, int threads, int rows) {
  Stream stream(plan.device(), threads);
  std::vector<Rows> pieces = cut(in.info().size.height, rows);
  EnhanceState state = plan.start();
  for (int sweep = 0; sweep < plan.sweeps(); ++sweep) {
    EXPECT_EQ(state.sweep(), sweep);
    std::reverse(pieces.begin(), pieces.end());  // any order is right
    for (const Rows r : pieces)
      plan.look(state, OwnPiece(in, plan.look_needs(sweep, r)).piece, r, stream);
    plan.finish_sweep(state);
  }
  Image out(plan.output());
  for (const Rows r : pieces) {
    const OwnPiece held(in, plan.needs(r));
    plan(state, held.piece, {out.view().rows(r.first, r.count()), r.first}, stream);
    stream.wait();
  }
  return outcome_of(state, out);
}

struct Cut {
  int threads, rows;
};

/// Every number of threads and of rows once, all pairs when asked for. The reference has one
/// thread.
std::vector<Cut> cuts_for(const Enhance& plan) {
  if (testing::run_small() || plan.method() == "reference") return {{2, 7}};
  if (!testing::run_all()) return {{1, 7}, {2, 64}, {3, 1}, {7, 7}};
  std::vector<Cut> cuts;
  for (const int threads : {1, 2, 3, 7})
    for (const int rows : {1, 7, 64}) cuts.push_back({threads, rows});
  return cuts;
}

void expect_same_outcome(const Enhance& plan, const Image& in) {
  const Outcome expected = whole(plan, in);
  for (const auto& [threads, rows] : cuts_for(plan))
    EXPECT_TRUE(in_pieces(plan, in, threads, rows) == expected)
        << plan.describe() << ", " << threads << " threads, " << rows << " rows";
}

void same_bits(Backend backend) {
  const Size size = testing::run_small() ? Size{29, 31, 3} : Size{83, 97, 4, 2};
  for (const Way& way : all_ways()) {
    if (way.backend != backend) continue;
    const ForcedIsa forced(way.isa);
    for (const Type type : {Type::u8, Type::u16}) {
      const Image in = random_image(size, type, 1);
      for (const char* steps :
           {"grey,contrast,smooth", "grey,histogram,equalise,smooth", "smooth,contrast,smooth",
            "contrast", "grey,clahe,smooth", "smooth,histogram,grey"})
        for (const EnhanceMethod& method : enhance_methods()) {
          if (method.backend != backend) continue;
          EnhanceOptions options{.steps = steps, .smooth = "ones:4x6", .backend = backend};
          options.method = method.name;
          if (method.name == std::string("fused") &&
              Enhance(in.info(), {.steps = steps, .backend = Backend::cpu}).method() != "fused")
            continue;
          expect_same_outcome(Enhance(in.info(), options), in);
        }
    }
  }
}

TEST(EnhanceBits, CpuSameForAnyThreadsAndPieces) { same_bits(Backend::cpu); }

TEST(EnhanceBitsCuda, SameForAnyPieces) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda);
}

TEST(EnhanceBits, FloatFiltersToo) {
  const Image in = random_image({61, 75, 2}, Type::u8, 1);
  for (const char* method : {"reference", "steps"})
    expect_same_outcome(Enhance(in.info(), {.steps = "smooth,contrast,smooth",
                                            .smooth = "gauss:1.5",
                                            .backend = Backend::cpu,
                                            .method = method}),
                        in);
}

TEST(EnhanceBits, ColoursThatFollowTheirValueToo) {
  for (const Type type : {Type::u8, Type::u16}) {
    const Image in = random_image({61, 75, 4, 2}, type, 1);
    for (const char* steps : {"contrast,smooth", "smooth,clahe", "equalise,grey,clahe"})
      for (const char* method : {"reference", "steps"})
        expect_same_outcome(Enhance(in.info(), {.steps = steps,
                                                .channels = ChannelCurves::value,
                                                .backend = Backend::cpu,
                                                .method = method}),
                            in);
  }
}

TEST(EnhanceBits, RowsOutsideTheImageAreNotCounted) {
  const Image in = random_image({20, 30}, Type::u8, 1);
  Image framed = random_image({20, 40}, Type::u8, 2);
  copy_samples(in.view(), framed.view().rows(5, 30));
  const Enhance plan(in.info(), {.steps = "smooth", .backend = Backend::cpu});
  Image expected(plan.output()), out(plan.output());
  plan(in.view(), expected.view());
  plan(plan.start(), {framed.view(), -5}, {out.view(), 0}, thread_stream());
  EXPECT_EQ(bytes_of_view(out.view()), bytes_of_view(expected.view()));
}

void share_a_plan(Backend backend) {
  const Size size = testing::run_small() ? Size{60, 40, 3} : Size{200, 150, 3};
  const Image in = random_image(size, Type::u8, 1);
  for (const char* steps : {"grey,contrast,smooth", "smooth,equalise,clahe"})
    testing::expect_eight_threads_may_share(
        Enhance(in.info(), {.steps = steps, .backend = backend}), in);
}

TEST(EnhanceBits, EightThreadsShareOnePlan) { share_a_plan(Backend::cpu); }

TEST(EnhanceBitsCuda, EightThreadsShareOnePlan) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  share_a_plan(Backend::cuda);
}

}  // namespace
}  // namespace tessera
