// SPDX-License-Identifier: Apache-2.0
#include "core/byte_isa.hpp"

#include <cstdint>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tessera {
namespace {

#if defined(__aarch64__) && defined(__linux__)

std::vector<std::string> find_byte_isas() {
  constexpr unsigned long kDotProducts = 1UL << 20,
                          kI8mm = 1UL << 13;  // HWCAP_ASIMDDP, HWCAP2_I8MM
  std::vector<std::string> names;
  if ((getauxval(AT_HWCAP2) & kI8mm) != 0) names.emplace_back("neon-i8mm");
  if ((getauxval(AT_HWCAP) & kDotProducts) != 0) names.emplace_back("neon-dot");
  return names;
}

#elif defined(__x86_64__)

/// Registers that the operating system saves.
std::uint64_t kept_registers() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kOsxsave = 1U << 27;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsxsave) == 0) return 0;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// Linux gives a process tiles on request; otherwise the first instruction ends it.
bool has_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kTile = 1U << 24, kInt8 = 1U << 25;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  if ((d & kTile) == 0 || (d & kInt8) == 0) return false;
  constexpr std::uint64_t kTileState = 3U << 17;
  if ((kept_registers() & kTileState) != kTileState) return false;
  constexpr int kAskForState = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
}

std::vector<std::string> find_byte_isas() {
  std::vector<std::string> names;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  if (wide && __builtin_cpu_supports("avx512vnni") && has_amx()) names.emplace_back("amx");
  if (wide && __builtin_cpu_supports("avx512vnni")) names.emplace_back("avx512-vnni");
  if (__builtin_cpu_supports("avx2")) names.emplace_back("avx2");
  return names;
}

#else

std::vector<std::string> find_byte_isas() { return {}; }

#endif

}  // namespace

const std::vector<std::string>& native_byte_isas() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found = find_byte_isas();
    found.emplace_back("scalar");
    return found;
  }();
  return names;
}

bool target_has_bytes(const std::string& target, const std::string& byte_isa) {
  if (byte_isa.starts_with("neon")) return target.starts_with("neon");
  if (byte_isa == "avx2") return target.starts_with("avx");
  if (byte_isa == "avx512-vnni") return target.starts_with("avx512-");
  if (byte_isa == "amx") return target == "avx512-spr";
  return true;
}

}  // namespace tessera
