// SPDX-License-Identifier: Apache-2.0
// The kernels of rotation measure synthesis, run thread by thread on the CPU, against the
// reference. Only a GPU can show speed, the driver and cuBLAS.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/faraday/faraday_phase.hpp"
#include "ops/faraday/synth/cuda/faraday_gemm_phases.hpp"
#include "ops/faraday/synth/cuda/faraday_nufft_shape.hpp"
#include "tests/support/polarised_cubes.hpp"
// The last of all headers, before the kernels' text.
#include "tests/support/block_on_cpu.hpp"
// After the shim, which these are read through.
#include "ops/faraday/synth/cuda/faraday_gemm.cuh"
#include "ops/faraday/synth/cuda/faraday_nufft.cuh"

namespace tessera {

namespace {
/// For a block on compute capability 9.0.
constexpr int kSharedBytes = 227 << 10;
}  // namespace

/// The shared memory of the block that runs.
alignas(16) float2 faraday_memory[kSharedBytes / sizeof(float2)];
double faraday_sums[kFaradayGemmThreads];

namespace {

using testing::some_axes;
using Cubes = testing::PolarisedCubes<float>;

/// All channels in step at one depth, instead of noise: shows best how rounding there affects other
/// depths.
Cubes source_at(double phi, Cubes cubes) {
  const FaradayAxes& axes = cubes.axes;
  for (int k = 0; k < axes.channels(); ++k) {
    const auto turn =
        std::conj(faraday_turn(phi, axes.lambda2[static_cast<std::size_t>(k)] - axes.lambda2_0));
    for (long long pixel = 0; pixel < cubes.pixels(); ++pixel) {
      cubes.at(cubes.q, pixel, k) = static_cast<float>(turn.real());
      cubes.at(cubes.u, pixel, k) = static_cast<float>(turn.imag());
    }
  }
  return cubes;
}

FaradayCubes cubes_of(const Cubes& cubes, Image& real, Image& imaginary) {
  const long long row = cubes.size.width, plane = cubes.pixels();
  return {{cubes.q.view().data, 1, row, plane},
          {cubes.u.view().data, 1, row, plane},
          {real.view().data, 1, row, plane},
          {imaginary.view().data, 1, row, plane},
          cubes.size.width,
          plane};
}

template <FaradayNufftShape kShape>
double nufft_error(const Cubes& cubes, const FaradayNufftTables& t, bool compiled, Image& real,
                   Image& imaginary) {
  const int count = static_cast<int>(t.channels.size());
  const FaradayNufftMemory memory(t.shape, count, compiled);
  EXPECT_LE(memory.bytes, kSharedBytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.weights.data()) % 16, 0U);
  const FaradayNufftArgs args{cubes_of(cubes, real, imaginary),
                              t.shape,
                              line_passes(t.shape.line.length),
                              t.channels.data(),
                              t.groups.data(),
                              t.weights.data(),
                              t.shifts.data(),
                              t.turns.data(),
                              t.correction.data(),
                              count,
                              cubes.axes.depths(),
                              memory.chunk};
  // The bytes behind the requested memory must stay as they are.
  const float2 guard{-7, -7};
  std::fill(std::begin(faraday_memory), std::end(faraday_memory), guard);
  const auto lines = static_cast<unsigned>(t.shape.line.lines);
  const auto blocks = (static_cast<unsigned>(args.cubes.pixels) + lines - 1) / lines;
  testing::run_blocks({blocks, 1}, kLineThreads, [&] { faraday_nufft_pixels<kShape>(args); });
  for (std::size_t i = static_cast<std::size_t>(memory.bytes) / 8; i < std::size(faraday_memory);
       ++i)
    if (faraday_memory[i].x != guard.x) {
      ADD_FAILURE() << "shared memory written past its end, at " << 8 * i << " of " << memory.bytes;
      break;
    }
  return cubes.worst_error(real, imaginary);
}

double nufft_error(const Cubes& cubes, int shared_bytes) {
  const FaradayNufftDivision division = divide_faraday_nufft(cubes.axes, shared_bytes);
  EXPECT_EQ(division.reason, "");
  const FaradayNufftTables tables(cubes.axes, division);
  Image real = cubes.spectrum(), imaginary = cubes.spectrum();
  return nufft_error<FaradayNufftShape{}>(cubes, tables, false, real, imaginary);
}

TEST(FaradayKernels, NufftAgreesWithTheReference) {
  struct Case {
    Size size;
    int channels;
    const char* phi;
    int shared_bytes;  ///< less: fewer pixels per block
  };
  for (const Case& c :
       {Case{{5, 7}, 40, "-60,60,4", kSharedBytes}, Case{{1, 1}, 9, "-60,60,4", kSharedBytes},
        Case{{17, 1}, 300, "-1000,1000,5", kSharedBytes}, Case{{9, 2}, 333, "-1000,1000,5", 60000},
        Case{{3, 3}, 57, "800,1700,3", kSharedBytes},
        Case{{4, 2}, 57, "-300,12000,20", kSharedBytes}, Case{{6, 1}, 57, "-5,4,1", kSharedBytes},
        Case{{2, 5}, 700, "-100,100,0.05", kSharedBytes}}) {
    if (testing::run_small() && c.channels > 100) continue;
    EXPECT_LE(nufft_error(Cubes(c.size, some_axes(c.channels, c.phi)), c.shared_bytes), 4e-6)
        << c.channels << " " << c.phi;
  }
}

TEST(FaradayKernels, NufftBearsSourcesAtAnyDepth) {
  for (const char* phi : {"-1000,1000,5", "-60,60,4", "-100,100,0.05"}) {
    const FaradayAxes axes = some_axes(60, phi);
    for (const double share : {0.0, 0.25, 0.5, 1.0}) {
      const double depth = axes.phi.front() + share * (axes.phi.back() - axes.phi.front());
      EXPECT_LE(nufft_error(source_at(depth, Cubes({2, 1}, axes)), kSharedBytes), 8e-6)
          << phi << " " << share;
    }
  }
}

/// The shape the speed is promised for, compiled for it and for any.
TEST(FaradayKernels, NufftGivesTheSameBitsCompiledForItsShapeAndForAny) {
  const Cubes cubes({21, 1}, some_axes(300, "-1000,1000,5"));
  const FaradayNufftTables tables(cubes.axes, divide_faraday_nufft(cubes.axes, kSharedBytes));
  constexpr FaradayNufftShape kShape{{192, 16}, 3, 88, 134};
  ASSERT_EQ(tables.shape.line.length, kShape.line.length);
  ASSERT_EQ(tables.shape.line.lines, kShape.line.lines);
  ASSERT_EQ(tables.shape.parts, kShape.parts);
  ASSERT_EQ(tables.shape.cells, kShape.cells);
  ASSERT_EQ(tables.shape.kept, kShape.kept);
  Image real = cubes.spectrum(), imaginary = cubes.spectrum(), other_real = cubes.spectrum(),
        other_imaginary = cubes.spectrum();
  EXPECT_LE(nufft_error<FaradayNufftShape{}>(cubes, tables, false, real, imaginary), 4e-6);
  EXPECT_LE(nufft_error<kShape>(cubes, tables, true, other_real, other_imaginary), 4e-6);
  EXPECT_EQ(testing::bytes_of_view(real.view()), testing::bytes_of_view(other_real.view()));
  EXPECT_EQ(testing::bytes_of_view(imaginary.view()),
            testing::bytes_of_view(other_imaginary.view()));
}

TEST(FaradayNufftDivision, SaysWhyNot) {
  EXPECT_EQ(divide_faraday_nufft(some_axes(9, "5,5,1"), kSharedBytes).reason,
            "the depths are no regular grid");
  EXPECT_EQ(divide_faraday_nufft(some_axes(9, "-1000,1000,100"), kSharedBytes).reason,
            "channels spread over 2.41 turns from one depth to the next; it takes up to 0.9");
  EXPECT_EQ(divide_faraday_nufft(some_axes(9, "-200000,200000,10"), kSharedBytes).reason,
            "40001 depths are a grid too large for the 232448 bytes of shared memory of a block");
}

/// Both kernels, on both sides of a product that is made plainly.
double gemm_error(const Cubes& cubes, int tile) {
  const FaradayAxes& axes = cubes.axes;
  Image real = cubes.spectrum(), imaginary = cubes.spectrum();
  FaradayGemmArgs a{};
  a.cubes = cubes_of(cubes, real, imaginary);
  a.tile = tile;
  a.channels = axes.channels();
  a.depths = axes.depths();
  a.symmetric = axes.symmetric();
  const std::vector<double> phases = faraday_phases(axes), share = faraday_shares(axes);
  const auto rows = static_cast<std::size_t>(a.rows()), inner = static_cast<std::size_t>(a.inner()),
             columns = static_cast<std::size_t>(a.columns());
  EXPECT_EQ(phases.size(), rows * inner);
  std::vector<float> packed(inner * columns), product(rows * columns),
      scale(static_cast<std::size_t>(tile));
  a.share = share.data();
  a.packed = packed.data();
  a.product = product.data();
  a.scale = scale.data();
  for (a.first = 0; a.first < a.cubes.pixels; a.first += tile) {
    testing::run_blocks({static_cast<unsigned>(tile / kFaradayPackColumns), 1}, kFaradayGemmThreads,
                        [&] { faraday_pack<float>(a); });
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) {
        double sum = 0;
        for (std::size_t k = 0; k < inner; ++k)
          sum += phases[row * inner + k] * packed[k * columns + column];
        product[row * columns + column] = static_cast<float>(sum);
      }
    const auto blocks =
        static_cast<unsigned>((tile + kFaradayGemmThreads - 1) / kFaradayGemmThreads);
    testing::run_blocks({blocks, 3}, kFaradayGemmThreads, [&] { faraday_combine<float>(a); });
  }
  return cubes.worst_error(real, imaginary);
}

TEST(FaradayKernels, PackAndCombineAgreeWithTheReference) {
  for (const char* phi : {"-60,60,4", "-62,62,4", "-60,80,4", "7,7,1", "0,0,1"})
    for (const int tile : {32, 64})
      EXPECT_LE(gemm_error(Cubes({9, 8}, some_axes(21, phi)), tile), 1e-6) << phi << " " << tile;
}

}  // namespace
}  // namespace tessera
