// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/cuda/faraday_team_shape.hpp"

#include <fmt/format.h>

#include "core/kernel.hpp"
#include "ops/faraday/clean/cuda/faraday_clean_args.cuh"

namespace tessera {
namespace {

/// A kernel for one shape takes a second to compile once; below this many pixels that does not pay.
constexpr long long kEnoughPixels = 1 << 14;

int needed_each(const FaradayTeamRequest& r) {
  return (r.depths + r.team_threads - 1) / r.team_threads;
}

/// 401 depths in float have their own entry points.
bool is_usual(const FaradayTeamRequest& r) {
  return r.type == Type::f32 && r.team_threads == kFaradayWarp && needed_each(r) == 13;
}

int bytes_for(const FaradayTeamRequest& r, const FaradayTeamShape& s) {
  return faraday_team_bytes(r.table ? faraday_table_numbers(s.entries) : 0, r.depths, s.teams,
                            bytes_of(r.type));
}

}  // namespace

FaradayTeamShape faraday_team_shape(const FaradayTeamRequest& r) {
  FaradayTeamShape s{r.team_threads, kFaradayTeamThreads / r.team_threads};
  s.exact = r.compiled || is_usual(r);
  s.each = s.exact ? needed_each(r) : kFaradayMostEach;
  s.entries = faraday_table_entries(r.depths, r.team_threads, s.each);
  const char* const teams = r.team_threads == kFaradayWarp ? "warps" : "blocks";
  s.name = fmt::format("{}_{}", r.type == Type::f64 ? "f64" : "f32", is_usual(r) ? "401" : teams);
  for (s.bytes = bytes_for(r, s); s.bytes > r.shared_bytes && s.teams > 1;) {
    s.teams /= 2;
    s.bytes = bytes_for(r, s);
  }
  return s;
}

std::string why_no_faraday_team_shape(const FaradayTeamRequest& r) {
  const int most = kFaradayMostEach * r.team_threads;
  if (r.depths > most)
    return fmt::format("spectra have {} depths; it takes up to {}", r.depths, most);
  if (const int bytes = faraday_team_shape(r).bytes; bytes > r.shared_bytes)
    return fmt::format("{} depths take {} bytes of shared memory and a block has {}", r.depths,
                       bytes, r.shared_bytes);
  return "";
}

bool faraday_compiling_pays(const ImageInfo& image, int device, const std::string& unit) {
  const bool enough = 1LL * image.size.width * image.size.height >= kEnoughPixels;
  return (enough || force_run_time_kernels()) && compiles_for(device, unit);
}

}  // namespace tessera
