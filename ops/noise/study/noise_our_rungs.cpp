// SPDX-License-Identifier: Apache-2.0
// The product as rungs, through the public door. A mode that refuses is absent, with its reason
// (prepare_rung in study_loops.hpp).
#include <algorithm>

#include "ops/noise/study/noise_rungs.hpp"

namespace tessera {
namespace {

struct Way {
  std::string id;
  Backend backend;
  NoiseMode mode;
  std::string method;
  bool from_host;
};

PreparedRung prepare_ours(const NoiseCase& c, const Way& way, Stream& stream) {
  const bool cuda = way.backend == Backend::cuda, there = cuda && !way.from_host;
  const AnyMutableView in = c.given(there), out = c.maps(there);
  const Noise plan(in.info(), {.box = c.box(),
                               .mode = way.mode,
                               .bins = kBoxStudyBins,
                               .backend = way.backend,
                               .method = way.method,
                               .device = std::max(0, stream.device())});
  PreparedRung rung = described_noise(
      c, way.id, way.mode == NoiseMode::binned ? NoiseTruth::binned : NoiseTruth::exact);
  rung.run = [plan, in, out](Stream& on) { plan(Piece{in, 0}, MutablePiece{out, 0}, on); };
  return rung;
}

}  // namespace

std::vector<NoiseRung> our_noise_rungs(Backend backend) {
  using Files = std::vector<std::string>;
  std::vector<NoiseRung> rungs;
  const auto add = [&](const std::string& title, const Way& way) {
    rungs.push_back({way.id, title,
                     way.from_host ? Files{} : Files{"ops/noise/noise_" + way.method},
                     [way](const NoiseCase& c, Stream& s) { return prepare_ours(c, way, s); },
                     way.backend == Backend::cpu});
  };
  const bool cuda = backend == Backend::cuda;
  const std::string side = cuda ? "gpu.ours." : "cpu.ours.", method = cuda ? "warps" : "columns";
  const std::string title = "the product's " + method;
  add(title + ", binned", {side + "binned", backend, NoiseMode::binned, method, false});
  add(title + ", exact", {side + "exact", backend, NoiseMode::exact, method, false});
  if (cuda) {
    add("binned from and to the host",
        {"gpu.ours.host.binned", backend, NoiseMode::binned, method, true});
    add("exact from and to the host",
        {"gpu.ours.host.exact", backend, NoiseMode::exact, method, true});
  }
  return rungs;
}

}  // namespace tessera
