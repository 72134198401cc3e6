// SPDX-License-Identifier: Apache-2.0
#include "core/isa.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include "core/byte_isa.hpp"
#include "core/forget_plans.hpp"
#include "core/fork.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

/// The targets this binary has and this CPU can run; determined before any is forced.
std::int64_t native_targets() {
  static const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

/// Highway calls AVX-512 "AVX3"; users do not.
std::string isa_name(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(c));
  if (name.starts_with("avx3")) name.replace(0, 4, "avx512");
  return name;
}

/// The lowest bit is the best target.
std::int64_t best_of(std::int64_t targets) { return targets & -targets; }

/// The meaning of a name.
struct Chosen {
  std::int64_t target = 0;  ///< 0: not chosen yet, TESSERA_ISA will
  std::string byte_isa;     ///< "": the best of the target
};

Chosen chosen_by(const char* what, const std::string& name) {
  const std::int64_t best = best_of(native_targets());
  if (name == "auto") return {best, ""};
  for (std::int64_t left = native_targets(); left != 0; left &= left - 1)
    if (isa_name(best_of(left)) == name) return {best_of(left), ""};
  if (std::ranges::count(native_byte_isas(), name) != 0) return {best, name};
  std::vector<std::string> known = isa_names();
  for (const std::string& other : native_byte_isas())
    if (std::ranges::count(known, other) == 0) known.push_back(other);
  known.emplace_back("auto");
  throw_unknown(what, name, known);
}

struct Forced {
  ForkMutex mutex;
  Chosen now;
};
Forced& forced() {
  static Forced state;
  return state;
}

/// Lesser targets stay allowed: a file may be compiled for fewer than this one.
void choose(const Chosen& chosen) {
  const std::int64_t allowed = native_targets() & ~(chosen.target - 1);
  forced().now = chosen;
  hwy::SetSupportedTargetsForTest(allowed);
  hwy::GetChosenTarget().Update(allowed);
}

/// The mutex is held.
void apply_environment() {
  if (forced().now.target != 0) return;
  const char* name = std::getenv("TESSERA_ISA");
  choose(chosen_by("TESSERA_ISA", name && *name ? name : "auto"));
}

}  // namespace

std::vector<std::string> isa_names() {
  std::vector<std::string> names;
  for (std::int64_t left = native_targets(); left != 0; left &= left - 1)
    names.push_back(isa_name(best_of(left)));
  return names;
}

std::string current_isa() {
  const std::lock_guard lock(forced().mutex);
  apply_environment();
  return isa_name(forced().now.target);
}

std::string current_byte_isa() {
  const std::lock_guard lock(forced().mutex);
  apply_environment();
  const Chosen& now = forced().now;
  if (!now.byte_isa.empty()) return now.byte_isa;
  if (now.target == best_of(native_targets())) return native_byte_isas().front();
  for (const std::string& name : native_byte_isas())
    if (target_has_bytes(isa_name(now.target), name)) return name;
  return "scalar";
}

void force_isa(const std::string& name) {
  {
    const std::lock_guard lock(forced().mutex);
    choose(chosen_by("isa", name));
  }
  forget_kept_plans();
}

void apply_isa_environment() {
  const std::lock_guard lock(forced().mutex);
  apply_environment();
}

}  // namespace tessera
