// SPDX-License-Identifier: Apache-2.0
/// Kernels on a device. Skipped, and counted, without a device.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/cuda/ceilings_args.cuh"
#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/kernel_time.hpp"
#include "tessera/error.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
constexpr int kDevice = 0;
constexpr const char* kProvokes = "provokes errors on purpose, which the sanitizer reports";

class KernelsOnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason, pattern = (fs::temp_directory_path() / "tessera-test-XXXXXX").string();
    if (find_devices(reason).empty()) GTEST_SKIP() << "no device: " << reason;
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("TESSERA_CACHE", folder_.c_str(), 1);
    stream_ = std::make_unique<Stream>(kDevice);
  }
  void TearDown() override {
    unsetenv("TESSERA_CACHE");
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  std::vector<float> fma_results(const GpuKernel& kernel) {
    constexpr int kThreads = 96, kBlocks = 3, kValues = kThreads * kBlocks;
    const Scratch out = stream_->scratch(kValues * sizeof(float));
    kernel.launch(*stream_, {kBlocks}, {kThreads}, 0, FmaArgs{out.as<float>(), 1.01f, 0.3f, 2});
    std::vector<float> values(kValues);
    device_stream(*stream_).copy(packed(out.as<float>(), {kValues, 1}, kDevice),
                                 packed(values.data(), {kValues, 1}));
    stream_->wait();
    return values;
  }
  /// A kernel of this body that no earlier test has in memory: the entry is part of its name in
  /// memory, but not on disk.
  static const GpuKernel& fresh(const std::string& body, const char* args) {
    static int count = 0;
    return find_kernel(kDevice, {"ceilings", "unused_" + std::to_string(++count), body, args});
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(folder_ / "kernels"))
      if (file.path().extension() == ".cubin") files.push_back(file.path());
    return files;
  }

  fs::path folder_;
  std::unique_ptr<Stream> stream_;
};

TEST_F(KernelsOnDevice, AheadOfTimeEntryRuns) {
  const GpuKernel& kernel = find_kernel(kDevice, {"ceilings", "fma_peak", "", ""});
  EXPECT_EQ(kernel.origin(), "ahead of time");
  EXPECT_GT(kernel.registers(), 0);
  EXPECT_EQ(kernel.static_shared_bytes(), 0);
  const std::vector<float> values = fma_results(kernel);
  // The same sums on the host, with the same single rounding.
  float total = 0;
  for (int chain = 0; chain < FmaKnobs{}.chains; ++chain) {
    float sum = static_cast<float>(5 + chain);
    for (int i = 0; i < 2 * kFmaSteps; ++i) sum = __builtin_fmaf(sum, 1.01f, 0.3f);
    total += sum;
  }
  EXPECT_EQ(values[5], total);
  EXPECT_EQ(&kernel, &find_kernel(kDevice, {"ceilings", "fma_peak", "", ""}));
}

// The kernels alone take less time than the stage that copies too, and more than none.
TEST_F(KernelsOnDevice, TheirOwnTimeIsPartOfTheStage) {
  const GpuKernel& kernel = find_kernel(kDevice, {"ceilings", "fma_peak", "", ""});
  const std::vector<float> right = fma_results(kernel);
  for (const int calls : {1, 3, 5000}) {  // more than events are kept for
    const auto start = std::chrono::steady_clock::now();
    const KernelTime time = time_kernels(*stream_, [&] {
      for (int call = 0; call < calls; ++call) EXPECT_EQ(fma_results(kernel), right);
    });
    const std::chrono::duration<double> stage = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(time.launches, calls);
    EXPECT_GT(time.seconds, 0);
    EXPECT_LT(time.seconds, stage.count());
  }
  EXPECT_EQ(time_kernels(*stream_, [] {}).launches, 0);
  EXPECT_EQ(fma_results(kernel), right) << "nothing is held back afterwards";
}

TEST_F(KernelsOnDevice, RunTimeCompilerMakesTheSameBits) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const GpuKernel& made = fresh("fma_chains<FmaKnobs{8}>", "FmaArgs");
  EXPECT_EQ(made.origin(), "compiled at run time");
  EXPECT_EQ(fma_results(made), fma_results(find_kernel(kDevice, {"ceilings", "fma_peak", "", ""})));
}

TEST_F(KernelsOnDevice, WhatCompilesIsKnownBeforehand) {
  const GpuKernel& kernel =
      find_kernel(kDevice, {"ceilings", "fma_peak", "fma_chains<FmaKnobs{8}>", "FmaArgs"});
  EXPECT_EQ(compiles_for(kDevice, "ceilings"), kernel.origin() != "ahead of time");
  EXPECT_FALSE(compiles_for(1000, "ceilings"));
  EXPECT_FALSE(compiles_for(kHost, "ceilings"));
}

TEST_F(KernelsOnDevice, ThreadsThatAskForOneKernelHaveItCompiledOnce) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  std::vector<const GpuKernel*> found(6);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&found, i] {
      const std::string chains = std::to_string(11 + i % 2);
      found[static_cast<std::size_t>(i)] = &find_kernel(
          kDevice, {"ceilings", "at_once", "fma_chains<FmaKnobs{" + chains + "}>", "FmaArgs"});
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i)], found[static_cast<std::size_t>(i % 2)]);
  EXPECT_NE(found[0], found[1]);
  EXPECT_EQ(found[0]->origin(), "compiled at run time");
  EXPECT_EQ(kept().size(), 2U);
}

TEST_F(KernelsOnDevice, CompiledKernelsAreKeptOnDiskAndMadeAgainWhenSpoilt) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const std::string body = "fma_chains<FmaKnobs{4}>";
  const GpuKernel& first = fresh(body, "FmaArgs");
  EXPECT_EQ(first.origin(), "compiled at run time");
  const GpuKernel& second = fresh(body, "FmaArgs");
  EXPECT_EQ(second.origin(), "compiled before, from disk");
  EXPECT_EQ(fma_results(first), fma_results(second));
  for (const fs::path& file : kept()) std::ofstream(file, std::ios::binary) << "spoilt";
  EXPECT_EQ(fresh(body, "FmaArgs").origin(), "compiled at run time");
  EXPECT_EQ(fresh(body, "FmaArgs").origin(), "compiled before, from disk");
}

TEST_F(KernelsOnDevice, DynamicSharedMemoryPast48KilobytesIsGranted) {
  if (testing::run_small()) GTEST_SKIP() << kProvokes;
  std::string reason;
  const int most = find_devices(reason)[0].shared_bytes_per_block;
  const GpuKernel& kernel = find_kernel(kDevice, {"ceilings", "fma_peak", "", ""});
  const Scratch out = stream_->scratch(32 * sizeof(float));
  const FmaArgs args{out.as<float>(), 1, 0, 1};
  EXPECT_NO_THROW(kernel.launch(*stream_, {1}, {32}, most, args));
  EXPECT_NO_THROW(stream_->wait());
  EXPECT_THROW(kernel.launch(*stream_, {1}, {32}, most + 1, args), Error);
  EXPECT_NO_THROW(kernel.launch(*stream_, {1}, {32}, 0, args));
  EXPECT_NO_THROW(stream_->wait());
}

// Two objects for one function would each set its shared memory limit, and undo the other's.
TEST_F(KernelsOnDevice, AnEntryIsOneKernelWhateverItsBounds) {
  const GpuKernel& some = find_kernel(kDevice, {"ceilings", "fma_peak", "", "FmaArgs", "96, 2"});
  EXPECT_EQ(&some, &find_kernel(kDevice, {"ceilings", "fma_peak", "", "FmaArgs", "96, 4"}));
}

TEST_F(KernelsOnDevice, MistakesAreExplained) {
  if (testing::run_small()) GTEST_SKIP() << kProvokes;
  EXPECT_THROW(find_kernel(kDevice, {"no_such_unit", "entry", "", ""}), Error);
  EXPECT_THROW(find_kernel(kDevice, {"ceilings", "no_such_entry", "", ""}), Error);
  const GpuKernel& kernel = find_kernel(kDevice, {"ceilings", "fma_peak", "", ""});
  const FmaArgs args{nullptr, 1, 0, 0};
  EXPECT_THROW(kernel.launch(*stream_, {1}, {4096}, 0, args), Error) << "too many threads";
  Stream host;
  EXPECT_THROW(kernel.launch(host, {1}, {32}, 0, args), Error);
}

}  // namespace
}  // namespace tessera
