// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/faraday_clean_shape.hpp"

#include <fmt/format.h>

#include "ops/faraday/faraday_clean_args.cuh"

namespace tessera {
namespace {

int needed_each(const CleanShapeRequest& r) {
  return (r.depths + r.team_threads - 1) / r.team_threads;
}

/// 401 depths in float have an entry of their own in faraday_clean.cu.
bool has_own_entry(const CleanShapeRequest& r, bool many) {
  return r.type == Type::f32 && !many && needed_each(r) == 13;
}

int bytes_for(const CleanShapeRequest& r, const CleanShape& s) {
  return faraday_team_bytes(s.many ? 0 : faraday_table_numbers(s.entries), r.depths, s.teams,
                            bytes_of(r.type));
}

}  // namespace

CleanShape clean_shape(const CleanShapeRequest& r) {
  CleanShape s{r.team_threads, kFaradayTeamThreads / r.team_threads};
  s.many = r.many || r.team_threads > kFaradayWarp;
  s.exact = r.compiled || has_own_entry(r, s.many);
  s.each = s.exact ? needed_each(r) : kFaradayMostEach;
  s.entries = faraday_table_entries(r.depths, r.team_threads, s.each);
  const char* const teams = r.team_threads == kFaradayWarp ? "warps" : "blocks";
  s.entry = fmt::format("faraday_clean_{}_{}{}", r.type == Type::f64 ? "f64" : "f32",
                        has_own_entry(r, s.many) ? "401" : teams, s.many ? "_many" : "");
  if (r.compiled)
    s.body = fmt::format("faraday_clean_pixels<{}, CleanKnobs{{{}, {}, true}}, {}>",
                         r.type == Type::f64 ? "double" : "float", s.team_threads, s.each, s.many);
  for (s.bytes = bytes_for(r, s); s.bytes > r.shared_bytes && s.teams > 1;
       s.bytes = bytes_for(r, s))
    s.teams /= 2;
  return s;
}

std::string why_no_clean_shape(const CleanShapeRequest& r) {
  const int most = kFaradayMostEach * r.team_threads;
  if (r.depths > most) return fmt::format("{} depths; it takes up to {}", r.depths, most);
  if (const int bytes = clean_shape(r).bytes; bytes > r.shared_bytes)
    return fmt::format("{} depths take {} bytes of shared memory and a block has {}", r.depths,
                       bytes, r.shared_bytes);
  return "";
}

}  // namespace tessera
