// SPDX-License-Identifier: Apache-2.0
// Nodes against the exact maps, what is drawn between them against arithmetic by hand.
#include "tessera/noise_grid.hpp"

#include <gtest/gtest.h>

#include "tests/support/noise_images.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::noise_image;

NoiseOptions grid_options(NoiseBox box, NoiseBox steps) {
  return {.box = box, .grid = steps, .mode = NoiseMode::grid, .backend = Backend::cpu};
}

NoiseNodes measured(const NoiseGrid& plan, const Image& in) {
  NoiseNodes nodes = plan.nodes();
  Stream stream(plan.device());
  plan.measure(nodes, {in.view(), 0}, {0, plan.node_rows()}, stream);
  return nodes;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void nodes_are_exact(Backend backend) {
  const Image in = noise_image({61, 47}, Type::f64, "half blank", 2);
  for (const Border border : {Border::inside, Border::reflect_101})
    for (const auto estimator :
         {NoiseEstimator::iqr, NoiseEstimator::mad, NoiseEstimator::clip, NoiseEstimator::mode}) {
      NoiseOptions options = grid_options({9, 12}, {7, 5});
      options.border = border;
      options.estimator = estimator;
      options.backend = backend;
      const NoiseGrid plan(in.info(), options);
      const NoiseNodes nodes = measured(plan, in);
      EXPECT_EQ(nodes.columns, (std::vector<int>{0, 7, 14, 21, 28, 35, 42, 49, 56, 60}));
      EXPECT_EQ(nodes.rows, (std::vector<int>{0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 46}));
      NoiseOptions exact{.box = {9, 12}, .estimator = estimator, .border = border, .nomask = true};
      exact.method = "reference";
      const NoiseMaps maps = noise(in.view(), exact);
      const bool clips = estimator == NoiseEstimator::clip || estimator == NoiseEstimator::mode;
      const double tolerance = backend == Backend::cuda && clips ? 1e-12 : 0;
      for (int j = 0; j < std::ssize(nodes.rows); ++j)
        for (int i = 0; i < std::ssize(nodes.columns); ++i)
          for (int p = 0; p < 2; ++p) {
            const double truth = (p == 0 ? maps.background : maps.rms)
                                     .as<double>()
                                     .at(nodes.columns[i], nodes.rows[j]);
            const double got = nodes.at(p, j, i);
            EXPECT_TRUE(same(truth, got) || std::abs(truth - got) <= tolerance)
                << plan.describe() << ": " << got << " for " << truth;
          }
    }
}

TEST(NoiseGrid, CpuNodesAreExact) { nodes_are_exact(Backend::cpu); }

TEST(NoiseGridCuda, NodesAreExact) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  nodes_are_exact(Backend::cuda);
}

TEST(NoiseGrid, IsBilinearBetweenNodes) {
  const NoiseGrid plan({{6, 4}, Type::f32}, grid_options({3, 3}, {4, 2}));
  NoiseNodes nodes = plan.nodes();
  ASSERT_EQ(nodes.columns, (std::vector<int>{0, 4, 5}));
  ASSERT_EQ(nodes.rows, (std::vector<int>{0, 2, 3}));
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      nodes.at(0, j, i) = 8 * i + 100 * j;
      nodes.at(1, j, i) = i == 1 && j == 1 ? 0 : 0.1;
    }
  Image maps(plan.output());
  plan.draw(nodes, {0, 4}, maps.view(), Stream());
  const float rows[4][6] = {{0, 2, 4, 6, 8, 16},
                            {50, 52, 54, 56, 58, 66},
                            {100, 102, 104, 106, 108, 116},
                            {200, 202, 204, 206, 208, 216}};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) {
      EXPECT_EQ(maps.as<float>().at(x, y, 0, 0), rows[y][x]) << x << ", " << y;
      EXPECT_GE(maps.as<float>().at(x, y, 0, 1), 0);
    }
  EXPECT_EQ(maps.as<float>().at(4, 2, 0, 1), 0);
  EXPECT_EQ(maps.as<float>().at(5, 3, 0, 1), 0.1F);
}

TEST(NoiseGrid, NodesWithoutValuesTakeTheNearest) {
  Image in = noise_image({50, 40}, Type::f32, "normal", 3);
  for (int y = 0; y < 40; ++y)
    for (int x = 20; x < 50; ++x) in.as<float>().at(x, y) = std::numeric_limits<float>::quiet_NaN();
  const NoiseGrid plan(in.info(), grid_options({7, 7}, {10, 10}));
  NoiseNodes nodes = measured(plan, in);
  EXPECT_TRUE(std::isnan(nodes.at(0, 1, 3)));
  plan.settle(nodes);
  // Column 30 is out of reach of all values, column 20 not.
  EXPECT_EQ(nodes.at(0, 1, 3), nodes.at(0, 1, 2));
  EXPECT_EQ(nodes.at(1, 4, 5), nodes.at(1, 4, 2));
  Image maps(plan.output());
  plan.draw(nodes, {0, 40}, maps.view(), Stream());
  for (int k = 0; k < 50 * 40 * 2; ++k) EXPECT_FALSE(std::isnan(maps.as<float>().data[k]));
  plan.mask(in.view(), maps.view());
  EXPECT_TRUE(std::isnan(maps.as<float>().at(20, 5)));
  EXPECT_FALSE(std::isnan(maps.as<float>().at(19, 5)));
}

TEST(NoiseGrid, AllBlankStaysBlank) {
  const Image in = noise_image({20, 20}, Type::f32, "all blank", 3);
  NoiseOptions options = grid_options({5, 5}, {4, 4});
  options.nomask = true;
  const NoiseMaps maps = noise(in.view(), options);
  for (int k = 0; k < 400; ++k) EXPECT_TRUE(std::isnan(maps.rms.as<float>().data[k]));
}

/// Rows of nodes one by one, each from a piece of just what it needs, on `threads` threads.
Image by_pieces(const NoiseGrid& plan, const Image& in, int threads) {
  const Stream host(kHost, threads);
  Stream stream(plan.device(), threads);
  NoiseNodes nodes = plan.nodes();
  const auto each = [&](int rows, int more, auto work) {
    for (int row = 0; row < rows; ++row) {
      Rows held = plan.needs({row, row + 1 + more});
      while (plan.source_row(held.first) == kNoPixel) ++held.first;
      while (plan.source_row(held.end - 1) == kNoPixel) --held.end;
      Image piece({in.info().size.width, held.count()}, in.info().type);
      for (int y = held.first; y < held.end; ++y)
        copy_samples(in.view().rows(plan.source_row(y), 1), piece.view().rows(y - held.first, 1));
      work(Piece{piece.view(), held.first}, Rows{row, row + 1});
    }
  };
  const auto each_row = [&](bool rms) {
    each(plan.node_rows(), 0, [&](const Piece& piece, Rows rows) {
      if (rms)
        plan.measure_rms(nodes, piece, rows, stream);
      else
        plan.measure(nodes, piece, rows, stream);
    });
    plan.settle(nodes, host);
    while (plan.find_cells(nodes, rms))
      each(plan.cell_rows(), 1, [&](const Piece& piece, Rows rows) {
        if (rms)
          plan.refine_rms(nodes, piece, rows, stream);
        else
          plan.refine(nodes, piece, rows, stream);
      });
  };
  each_row(false);
  if (plan.two_pass()) each_row(true);
  Image maps(plan.output());
  for (int y = 0; y < maps.info().size.height; y += 7) {
    const int rows = std::min(7, maps.info().size.height - y);
    plan.draw(nodes, {y, y + rows}, maps.view().rows(y, rows), host);
  }
  plan.mask(in.view(), maps.view(), host);
  return maps;
}

void pieces_make_no_difference(Backend backend) {
  Image in = noise_image({53, 61}, Type::f32, "1 % blank", 3);
  for (int y = 30; y < 36; ++y)  // some cells are refined, others are not
    for (int x = 20; x < 25; ++x) in.as<float>().at(x, y) += 40;
  for (const Border border :
       {Border::inside, Border::reflect, Border::reflect_101, Border::replicate})
    for (const bool two_pass : {false, true}) {
      NoiseOptions options = grid_options({8, 8}, {5, 9});
      options.border = border;
      options.two_pass = two_pass;
      options.refine = 1;
      options.estimator = border == Border::reflect ? NoiseEstimator::mad : NoiseEstimator::iqr;
      options.backend = backend;
      const NoiseMaps whole = noise(in.view(), options);
      const NoiseGrid plan(in.info(), options);
      for (const int threads : {1, 2, 7}) {
        const Image maps = by_pieces(plan, in, threads);
        EXPECT_EQ(bytes_of_view(whole.background.view()), bytes_of_view(maps.view().only_plane(0)));
        EXPECT_EQ(bytes_of_view(whole.rms.view()), bytes_of_view(maps.view().only_plane(1)));
      }
    }
}

TEST(NoiseGrid, CpuPiecesAndThreadsMakeNoDifference) { pieces_make_no_difference(Backend::cpu); }

TEST(NoiseGridCuda, PiecesMakeNoDifference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  pieces_make_no_difference(Backend::cuda);
}

TEST(NoiseGrid, TwoPassTakesTheBackgroundOut) {
  const Image in = noise_image({80, 60}, Type::f64, "ramp", 5);
  NoiseOptions options = grid_options({9, 9}, {4, 4});
  const NoiseMaps once = noise(in.view(), options);
  options.two_pass = true;
  const NoiseMaps twice = noise(in.view(), options);
  EXPECT_EQ(twice.background.as<double>().at(42, 31), 3 * 42 + 31);
  EXPECT_GT(once.rms.as<double>().at(42, 31), 5);
  EXPECT_EQ(twice.rms.as<double>().at(42, 31), 0);
}

}  // namespace
}  // namespace tessera
