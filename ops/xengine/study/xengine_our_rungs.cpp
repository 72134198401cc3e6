// SPDX-License-Identifier: Apache-2.0
// The product's methods as rungs, through the public door: a cycle is added, and the sums are
// written. A method that refuses is absent, with its reason (prepare_rung in study_loops.hpp).
#include <algorithm>

#include "ops/xengine/study/xengine_rungs.hpp"

namespace tessera {
namespace {

struct Way {
  Backend backend;
  std::string method;
  GivenForm given;
  bool from_host;
};

PreparedRung prepare_ours(const XEngineCase& c, const Way& way, Stream& stream) {
  const bool cuda = way.backend == Backend::cuda;
  const XEngineShape shape{c.inputs(), 1, c.channels()};
  const XEngine plan(shape, {.output_type = VisibilityType::i32,
                             .backend = way.backend,
                             .method = way.method,
                             .device = std::max(0, stream.device())});
  const XEngineRoom& room =
      c.room({way.given, MadeForm::triangle, false, cuda && !way.from_host}, stream);
  const int place = room.kind.on_device ? stream.device() : kHost;
  const char* const layout = way.given == GivenForm::time_input ? "cti" : "cit";
  const VoltageBlock block{room.given, c.samples(),
                           voltage_layout(layout, shape, SampleType::ci8, c.samples()), place};
  std::vector<VoltageBlock> cycles(static_cast<std::size_t>(c.cycles()), block);
  for (int k = 0; k < c.cycles(); ++k) cycles[static_cast<std::size_t>(k)].data = room.given_of(k);
  const auto state = std::make_shared<XEngineState>(plan.start());
  PreparedRung rung = described_xengine(c, MadeForm::triangle);
  rung.run = [plan, cycles, state, out = VisibilityView{room.made, place}](Stream& on) {
    for (const VoltageBlock& cycle : cycles) plan.add(*state, cycle, on);
    plan.dump(*state, out, on);
  };
  return rung;
}

}  // namespace

std::vector<XEngineRung> our_xengine_rungs(Backend backend) {
  std::vector<XEngineRung> rungs;
  const auto add = [&](const std::string& id, const std::string& title, const Way& way,
                       const std::string& files) {
    rungs.push_back({id,
                     title,
                     {"ops/xengine/xengine_" + files},
                     [way](const XEngineCase& c, Stream& s) { return prepare_ours(c, way, s); },
                     way.backend == Backend::cpu});
  };
  const bool cuda = backend == Backend::cuda;
  const std::string side = cuda ? "gpu.ours." : "cpu.ours.";
  for (const std::string method :
       cuda ? std::vector{"dp4a", "mma", "wgmma"} : std::vector{"fma", "dot"})
    add(side + method, "the product's " + method, {backend, method, GivenForm::time_input, false},
        method);
  add(side + "it", "the product's choice on [input][time]",
      {backend, "auto", GivenForm::input_time, false}, "");
  if (cuda)
    add("gpu.ours.host", "the product's choice from and to the host",
        {backend, "auto", GivenForm::time_input, true}, "");
  return rungs;
}

}  // namespace tessera
