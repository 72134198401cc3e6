// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/correlate/study/c7_scalar.hpp"
#include "ops/correlate/study/c8_simd.hpp"
#include "ops/correlate/study/c9_wide.hpp"
#include "ops/correlate/study/correlate_rungs.hpp"
#include "study/study_threads.hpp"

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
          },
          false,
          threads};
}

/// The paper's program on threads of OpenMP, or on threads that start with every run.
CorrelateRung engine_rung(const std::string& engine, const std::string& title, bool openmp,
                          int threads) {
  return {engine + "." + std::to_string(threads),
          title,
          {ladder_file("c8_")},
          [openmp, threads](const CorrelateCase& c, Stream&) {
            return prepared(c, [&c, openmp, threads](Stream&) {
              const float* const pixels = c.together().as<float>().data;
              if (openmp) {
                const ScopedOpenMp scope;
                correlate_simd(pixels, c.side(), c.shifts(), threads, c.host_map());
              } else {
                correlate_simd_on_new_threads(pixels, c.side(), c.shifts(), threads, c.host_map());
              }
            });
          },
          false,
          threads};
}

CorrelateRung wide_rung(const std::string& id, const std::string& title, WideForm form,
                        const std::string& isa) {
  return {id,
          title,
          {ladder_file("c9_")},
          [form, isa](const CorrelateCase& c, Stream&) {
            return prepared(c, [&c, sums = wide_sums(form, isa)](Stream& on) {
              parallel_for(c.shifts(), on.threads(), [&](int dy) {
                sums(c.together().as<float>().data, c.side(), c.shifts(), dy,
                     c.host_map() + 1LL * dy * c.shifts());
              });
            });
          },
          true};
}

/// FMA, then the targets of this CPU, the narrowest first, with one sum and with eight.
std::vector<CorrelateRung> wide_rungs() {
  std::vector<std::string> isas = isa_names();
  std::vector<CorrelateRung> rungs{
      wide_rung("fma", "128-bit vectors, fused multiply-adds", WideForm::fused, isas.front())};
  std::reverse(isas.begin(), isas.end());
  std::erase(isas, "scalar");  // a rung of its own; one sum of four times as many terms errs more
  for (const std::string& isa : isas)
    rungs.push_back(wide_rung("wide." + isa, "vectors of " + isa, WideForm::wide, isa));
  for (const std::string& isa : isas)
    rungs.push_back(
        wide_rung("eight." + isa, "vectors of " + isa + ", 8 shifts", WideForm::eight, isa));
  return rungs;
}

std::vector<CorrelateRung> make_correlate_cpu_rungs() {
  std::vector<CorrelateRung> made{
      {"scalar", "the four loops, one thread", {ladder_file("c7_")}, prepare_scalar}};
  for (const int threads : thread_counts()) made.push_back(simd_rung(threads));
  const std::vector<int> counts = study_threads().counts;
  for (const int threads : counts.empty() ? std::vector{available_threads()} : counts) {
    made.push_back(engine_rung("openmp", "the same on OpenMP's threads", true, threads));
    made.push_back(engine_rung("pthreads", "the same, threads start every time", false, threads));
  }
  for (CorrelateRung& wide : wide_rungs()) made.push_back(std::move(wide));
  for (const char* method : {"direct", "fft"}) made.push_back(our_cpu_rung(method));
  return made;
}

}  // namespace

std::string ladder_file(const std::string& beginning) { return "ops/correlate/study/" + beginning; }

const std::vector<CorrelateRung>& correlate_cpu_rungs() {
  return rungs_by_threads(make_correlate_cpu_rungs);
}

}  // namespace tessera
