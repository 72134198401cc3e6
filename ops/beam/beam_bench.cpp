// SPDX-License-Identifier: Apache-2.0
// Benchmarks of beam: a plane of a radio image to beams that need thin and wide filters, by the
// method that is chosen, by others, and on a device. of_peak is the share of the measured copy
// bandwidth, from the bytes of both images.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/bench_case.hpp"
#include "tessera/beam.hpp"

namespace tessera {
namespace {

constexpr int kSide = 1024;
constexpr Beam kFrom{12, 9, 30};             // arcsec
constexpr SkySteps kSteps{-2.5, 0, 0, 2.5};  // four pixels per beam
constexpr int kRowsCompared[] = {0,
                                 kSide / 2};  // an edge, where the sky outside counts, and inside

/// Rows of the reference are enough to catch a wrong answer; all of them take minutes.
std::string disagreement(const BeamSmooth& plan, const BeamChange& change, const Image& in,
                         const Image& out) {
  BeamOptions options;
  options.backend = Backend::cpu;
  options.method = "reference";
  const BeamSmooth reference(in.info(), change, options);
  const double bound = plan.error_bound(1) + reference.error_bound(1);
  Stream stream;
  Image row({kSide, 1}, Type::f32);
  for (const int y : kRowsCompared) {
    reference(Piece{in.view(), 0}, MutablePiece{row.view(), y}, stream);
    for (int x = 0; x < kSide; ++x)
      if (const double wanted = row.as<float>().at(x, 0), found = out.as<float>().at(x, y);
          !(std::abs(found - wanted) <= bound))
        return fmt::format("pixel {},{} is {}, not {}", x, y, found, wanted);
  }
  return "";
}

void add(const char* method, Backend backend, const Beam& to) {
  const bool cuda = backend == Backend::cuda;
  add_case(fmt::format("beam/{}/{}/{}x{}-arcsec{}", cuda ? "cuda" : "cpu", method, to.major,
                       to.minor, cuda ? "/host-to-host" : ""),
           backend, [=](benchmark::State& state) {
             const BeamChange change{kFrom, to, kSteps};
             BeamOptions options;
             options.backend = backend;
             options.method = method;
             const Image in = benchmark_image({kSide, kSide}, 1);
             const BeamSmooth plan(in.info(), change, options);
             Image out(plan.output());
             const auto work = [&] { plan(in.view(), out.view()); };
             work();
             // A fast wrong answer is not a result: compare first, time afterwards.
             if (const auto wrong = disagreement(plan, change, in, out); !wrong.empty())
               return state.SkipWithError(wrong.c_str());
             time_work(state, "bytes", 2.0 * sizeof(float) * kSide * kSide,
                       cuda ? measure_device(0).copy_bytes : measure_cpu().copy_bytes_all, work);
             state.SetLabel(plan.describe());
           });
}

const bool registered = [] {
  for (const Beam& to : {Beam{12.5, 9.5, 30}, Beam{18, 15, 30}, Beam{60, 50, 30}}) {
    add("auto", Backend::cpu, to);
    add("direct", Backend::cpu, to);
    add("auto", Backend::cuda, to);
  }
  return true;
}();

}  // namespace
}  // namespace tessera
