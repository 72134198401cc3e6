// SPDX-License-Identifier: Apache-2.0
/// The studies' kernels are a separate set; those made at run time also compile without a GPU.
#include <gtest/gtest.h>

#include "core/cuda/compile.hpp"
#include "core/cuda/embedded_kernels.hpp"
#include "core/cuda/nvrtc.hpp"

namespace tessera::cuda {
namespace {

TEST(StudyKernels, AreASetBesideTheLibrarysOwn) {
  ASSERT_EQ(kernel_sets().size(), 2U);
  EXPECT_EQ(kernel_sets()[0].units.size(), embedded_units().size());
  bool naive = false;
  for (const EmbeddedUnit& unit : kernel_sets()[1].units) {
    naive |= unit.name == "r01_naive";
    EXPECT_EQ(unit.image.substr(0, 4), "\x50\xed\x55\xba");
  }
  EXPECT_TRUE(naive);
  for (const EmbeddedUnit& unit : embedded_units()) EXPECT_NE(unit.name, "r01_naive");
}

TEST(StudyKernels, EveryTextIsReadable) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  for (const EmbeddedText& text : kernel_sets().back().texts) {
    const std::string source = "#include \"" + std::string(text.name) + "\"\n";
    EXPECT_NO_THROW(nvrtc_compile(source, {"-std=c++20", "-default-device"})) << text.name;
  }
}

TEST(StudyKernels, ThoseMadeAtRunTimeCompile) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const KernelName names[] = {
      {"r08_unrolled", "", "unrolled<UnrolledKnobs{3, 3, 16, 32, 4, 80}>", "LadderConstants"},
      {"r08_unrolled", "", "unrolled<UnrolledKnobs{43, 43, 16, 16, 8, 176}>", "LadderConstants"},
      {"r09_read_only", "", "read_only<UnrolledKnobs{5, 5, 32, 8, 4, 132}>", "LadderConstants"},
      {"r11_horizontal", "", "horizontal<PassKnobs{43, 16, 8, 8, 176}>", "LadderConstants"},
      {"r12_vertical", "", "vertical<PassKnobs{43, 16, 8, 6, 16}>", "LadderConstants"}};
  for (const KernelName& name : names)
    EXPECT_NO_THROW(compile_to_cubin(name, "sm_90")) << name.body;
}

}  // namespace
}  // namespace tessera::cuda
