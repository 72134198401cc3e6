// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"
#include "ops/correlate/study/c7_scalar.hpp"
#include "ops/correlate/study/c8_simd.hpp"
#include "ops/correlate/study/correlate_rungs.hpp"

namespace tessera {
namespace {

/// One sum over all pixels of the overlap, one after the other; in SIMD one per plane.
PreparedRung prepared(const CorrelateCase& c, std::function<void(Stream&)> run) {
  PreparedRung rung;
  rung.run = std::move(run);
  rung.bound = c.chain_bound(1.0 * c.side() * c.side());
  rung.flops = c.flops();
  return rung;
}

PreparedRung prepare_scalar(const CorrelateCase& c, Stream&) {
  return prepared(c, [&c](Stream&) {
    correlate_scalar(c.separate().as<float>().data, c.side(), c.shifts(), c.host_map());
  });
}

CorrelateRung simd_rung(int threads) {
  return {"simd." + std::to_string(threads),
          "128-bit vectors, that many threads",
          {ladder_file("c8_")},
          [threads](const CorrelateCase& c, Stream&) {
            return prepared(c, [&c, threads](Stream&) {
              correlate_simd(c.together().as<float>().data, c.side(), c.shifts(), threads,
                             c.host_map());
            });
          }};
}

}  // namespace

std::string ladder_file(const std::string& beginning) { return "ops/correlate/study/" + beginning; }

const std::vector<CorrelateRung>& correlate_cpu_rungs() {
  static const std::vector<CorrelateRung> rungs = [] {
    std::vector<CorrelateRung> made{
        {"scalar", "the four loops, one thread", {ladder_file("c7_")}, prepare_scalar}};
    for (int threads = 1; threads < available_threads(); threads *= 2)
      made.push_back(simd_rung(threads));
    made.push_back(simd_rung(available_threads()));
    for (const char* method : {"direct", "fft"}) made.push_back(our_cpu_rung(method));
    return made;
  }();
  return rungs;
}

}  // namespace tessera
