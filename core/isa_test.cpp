// SPDX-License-Identifier: Apache-2.0
#include "core/isa.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>

#include "core/byte_isa.hpp"
#include "core/cpu_fma.hpp"
#include "tests/support/files.hpp"
#include "tests/support/methods.hpp"

namespace tessera {
namespace {

using namespace testing;

TEST(Isa, NamesAreThoseUsersKnow) {
  const std::vector<std::string> known{"avx512-spr", "avx512-zen4", "avx512-dl", "avx512",
                                       "avx2",       "sse2",        "neon",      "neon-without-aes",
                                       "emu128",     "scalar"};
  ASSERT_FALSE(isa_names().empty());
  for (const std::string& name : isa_names()) EXPECT_EQ(std::ranges::count(known, name), 1) << name;
#if defined(__aarch64__)
  EXPECT_EQ(isa_names().front(), "neon");
#endif
}

TEST(Isa, ForcingChangesWhatIsDispatched) {
  for (const std::string& name : isa_names()) {
    const ForcedIsa forced(name);
    EXPECT_EQ(current_isa(), name);
    EXPECT_EQ(hwy::SupportedTargets() & -hwy::SupportedTargets(),
              hwy::SupportedAndGeneratedTargets().front());
    EXPECT_GT(run_multiply_adds(10), 0) << "a dispatched function runs";
  }
}

TEST(Isa, AutoIsTheBest) {
  const ForcedIsa forced(isa_names().back());
  force_isa("auto");
  EXPECT_EQ(current_isa(), isa_names().front());
}

TEST(Isa, SetsForBytesAreForcedByNameToo) {
  for (const std::string& name : native_byte_isas()) {
    if (std::ranges::count(isa_names(), name) != 0) continue;  // it is a target's name
    const ForcedIsa forced(name);
    EXPECT_EQ(current_byte_isa(), name);
    EXPECT_EQ(current_isa(), isa_names().front()) << "the target stays the best";
  }
  EXPECT_EQ(current_byte_isa(), native_byte_isas().front()) << "and is free again";
}

TEST(Isa, LesserTargetsHaveLesserSetsForBytes) {
  EXPECT_TRUE(target_has_bytes("avx512-spr", "amx"));
  EXPECT_FALSE(target_has_bytes("avx512-dl", "amx"));
  EXPECT_TRUE(target_has_bytes("avx512-dl", "avx512-vnni"));
  EXPECT_FALSE(target_has_bytes("avx512", "avx512-vnni"));
  EXPECT_TRUE(target_has_bytes("avx512", "avx2"));
  EXPECT_FALSE(target_has_bytes("sse2", "avx2"));
  EXPECT_TRUE(target_has_bytes("neon", "neon-i8mm"));
  EXPECT_FALSE(target_has_bytes("emu128", "neon-dot"));
  EXPECT_TRUE(target_has_bytes("emu128", "scalar"));
}

TEST(Isa, UnknownNamesListTheKnown) {
  expect_error([] { force_isa("altivec"); }, ErrorKind::usage, native_byte_isas().front());
  expect_error([] { force_isa("altivec"); }, ErrorKind::usage, isa_names().front());
  expect_error([] { force_isa(""); }, ErrorKind::usage, "auto");
}

using IsaDeathTest = ::testing::Test;

/// In a separate process, since the environment is read once.
void exit_with_isa(const char* environment) {
  ::setenv("TESSERA_ISA", environment, 1);
  try {
    apply_isa_environment();
    std::fprintf(stderr, "now %s", current_isa().c_str());
    std::exit(0);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s", error.what());
    std::exit(static_cast<int>(error.kind()));
  }
}

TEST(IsaDeathTest, TheEnvironmentChooses) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::string last = isa_names().back();
  EXPECT_EXIT(exit_with_isa(last.c_str()), ::testing::ExitedWithCode(0), "now " + last);
  EXPECT_EXIT(exit_with_isa(""), ::testing::ExitedWithCode(0), "now " + isa_names().front());
  EXPECT_EXIT(exit_with_isa("altivec"), ::testing::ExitedWithCode(2), "TESSERA_ISA.*altivec");
}

}  // namespace
}  // namespace tessera
