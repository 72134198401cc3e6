// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis on a GPU in pieces: rows, strips under a limit, streams at once, and
// kernels made in two ways, all with the same bits.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tests/support/faraday_on_cuda.hpp"
#include "tests/support/polarised_cubes.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::PolarisedCubes;
using testing::some_axes;
using testing::synth_methods_on_cuda;
using testing::synth_on_cuda;

struct Spectra {
  explicit Spectra(const FaradaySynth& plan) : real(plan.output()), imaginary(plan.output()) {}
  bool operator==(const Spectra& other) const {
    return bytes_of_view(real.view()) == bytes_of_view(other.real.view()) &&
           bytes_of_view(imaginary.view()) == bytes_of_view(other.imaginary.view());
  }
  Image real, imaginary;
};

class FaradayPiecesOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }

  static Size size() { return testing::run_small() ? Size{23, 12} : Size{150, 60}; }
  PolarisedCubes<float> cubes_{size(), some_axes(60, "-300,300,5")};

  FaradaySynth plan(const std::string& method) const {
    return FaradaySynth(cubes_.q.info(), cubes_.axes, synth_on_cuda(method));
  }
  Spectra run(const FaradaySynth& plan, Stream& stream) const {
    Spectra made(plan);
    plan(cubes_.q.view(), cubes_.u.view(), made.real.view(), made.imaginary.view(), stream);
    stream.wait();
    return made;
  }
  Spectra run(const FaradaySynth& plan) const { return run(plan, thread_stream(plan.device())); }
};

TEST_F(FaradayPiecesOnCuda, RowsInPiecesGiveTheSameBits) {
  for (const std::string& method : synth_methods_on_cuda()) {
    const FaradaySynth synth = plan(method);
    const Spectra whole = run(synth);
    for (const int rows : {1, 5, 7}) {
      Spectra pieces(synth);
      for (int y = 0; y < size().height; y += rows) {
        const int count = std::min(rows, size().height - y);
        synth(cubes_.q.view().rows(y, count), cubes_.u.view().rows(y, count),
              pieces.real.view().rows(y, count), pieces.imaginary.view().rows(y, count));
      }
      EXPECT_TRUE(whole == pieces) << synth.describe() << ", " << rows << " rows";
    }
  }
}

/// A row of all four cubes.
std::size_t row_bytes(const FaradaySynth& plan) {
  return static_cast<std::size_t>(2 * (bytes_of(plan.input()) + bytes_of(plan.output())) /
                                  plan.input().size.height);
}

TEST_F(FaradayPiecesOnCuda, StripsUnderALimitGiveTheSameBits) {
  const FaradaySynth nufft = plan("nufft");
  const Spectra whole = run(nufft);
  for (const int rows : {1, 2, 3, 7, 20}) {
    Stream stream(0, 0, row_bytes(nufft) * static_cast<std::size_t>(rows));
    EXPECT_TRUE(whole == run(nufft, stream)) << rows << " rows fit";
  }
  if (!why_no_device_blas().empty()) return;
  // Products take a tile besides.
  const FaradaySynth gemm = plan("gemm");
  Stream stream(0, 0, kDeviceProductBytes + (16U << 20) + row_bytes(gemm));
  EXPECT_TRUE(run(gemm) == run(gemm, stream));
}

TEST_F(FaradayPiecesOnCuda, TooLittleMemorySaysWhatARowTakes) {
  for (const std::string& method : synth_methods_on_cuda()) {
    Stream tiny(0, 0, 1000);
    try {
      run(plan(method), tiny);
      FAIL() << "1000 bytes were enough";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::resources);
      EXPECT_NE(std::string(error.what()).find("one row at a time takes"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(FaradayPiecesOnCuda, ManyThreadsMayShareAPlan) {
  for (const std::string& method : synth_methods_on_cuda()) {
    const FaradaySynth synth = plan(method);
    const Spectra expected = run(synth);
    std::vector<Spectra> results(4, Spectra(synth));
    std::vector<std::thread> threads;
    for (Spectra& result : results)
      threads.emplace_back([&] {
        Stream stream(0);
        for (int repeat = 0; repeat < 3; ++repeat) result = run(synth, stream);
      });
    for (std::thread& thread : threads) thread.join();
    for (const Spectra& result : results) EXPECT_TRUE(expected == result) << synth.describe();
  }
}

TEST_F(FaradayPiecesOnCuda, BothWaysToMakeAKernelGiveTheSameBits) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  for (const std::string& method : synth_methods_on_cuda()) {
    const FaradaySynth ahead = plan(method);
    EXPECT_NE(ahead.describe().find("ahead of time"), std::string::npos) << ahead.describe();
    setenv("TESSERA_KERNELS", "run-time", 1);
    const FaradaySynth compiled = plan(method);
    unsetenv("TESSERA_KERNELS");
    EXPECT_EQ(compiled.describe().find("ahead of time"), std::string::npos) << compiled.describe();
    EXPECT_TRUE(run(ahead) == run(compiled)) << compiled.describe();
  }
}

TEST_F(FaradayPiecesOnCuda, MemoryIsFlatOverManyCalls) {
  for (const std::string& method : synth_methods_on_cuda()) {
    const FaradaySynth synth = plan(method);
    Stream stream(0);
    for (int i = 0; i < 5; ++i) run(synth, stream);
    const std::size_t before = device_stream(stream).pool_bytes();
    for (int i = 0; i < (testing::run_small() ? 5 : 100); ++i) run(synth, stream);
    EXPECT_GT(before, 0U);
    EXPECT_EQ(device_stream(stream).pool_bytes(), before) << method;
  }
}

/// The size that speeds are given for, narrower: the plan for a GPU is the NUFFT.
TEST_F(FaradayPiecesOnCuda, TheNufftIsChosenForRegularDepths) {
  const FaradayAxes axes = some_axes(300, "-1000,1000,5");
  const FaradaySynth synth({{512, 512, 1, 300}, Type::f32, 0}, axes);
  EXPECT_EQ(synth.backend(), Backend::cuda);
  EXPECT_EQ(synth.method(), "nufft");
  if (why_no_device_blas().empty()) {
    EXPECT_EQ(FaradaySynth({{512, 512, 1, 300}, Type::f64, 0}, axes).method(), "gemm");
  }
}

}  // namespace
}  // namespace tessera
