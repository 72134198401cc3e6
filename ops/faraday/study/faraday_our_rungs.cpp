// SPDX-License-Identifier: Apache-2.0
// The product's methods as rungs, through the public door. A method that refuses is absent, with
// its reason (prepare_rung in study_loops.hpp).
#include <algorithm>

#include "ops/faraday/study/faraday_rungs.hpp"
#include "study/code_lines.hpp"

namespace tessera {
namespace {

/// Files of the operation that have the method's name.
std::vector<std::string> files_of(const std::string& method, Backend backend) {
  return study_files([&](const std::string& name) {
    const bool of_cuda =
        name.ends_with(".cu") || name.ends_with(".cuh") || name.find("_cuda.") != std::string::npos;
    return without_doors(name).starts_with("ops/faraday/faraday_" + method) &&
           of_cuda == (backend == Backend::cuda);
  });
}

struct Way {
  Backend backend;
  std::string method;
  Type type;
  bool from_host;
};

PreparedRung prepare_ours(const FaradayCase& c, const Way& way, Stream& stream) {
  const bool on_device = way.backend == Backend::cuda && !way.from_host;
  const FaradayRoom& room = c.room(way.type, FaradayForm::planes, on_device, stream);
  const FaradaySynth plan(
      room.q.info(), c.axes(),
      {.backend = way.backend, .method = way.method, .device = std::max(0, stream.device())});
  PreparedRung rung = described_faraday(c, way.type);
  rung.run = [plan, &room](Stream& on) { plan(room.q, room.u, room.real, room.imaginary, on); };
  return rung;
}

}  // namespace

std::vector<FaradayRung> our_faraday_rungs(Backend backend) {
  const bool cuda = backend == Backend::cuda;
  std::vector<FaradayRung> rungs;
  const auto add = [&](const std::string& name, const std::string& title, const Way& way,
                       const std::string& files) {
    rungs.push_back({name + "." + precision_name(way.type), title, files_of(files, backend),
                     [way](const FaradayCase& c, Stream& s) { return prepare_ours(c, way, s); },
                     way.backend == Backend::cpu});
  };
  const std::vector<std::string> methods =
      cuda ? std::vector<std::string>{"gemm", "nufft"}
           : std::vector<std::string>{"direct", "gemm", "nufft"};
  for (const std::string& method : methods)
    for (const Type type : kFaradayTypes)
      add((cuda ? "gpu.ours." : "cpu.ours.") + method, "the product's " + method,
          {backend, method, type, false}, method);
  if (cuda)
    for (const Type type : kFaradayTypes)
      add("gpu.ours.host", "the product's choice from and to the host",
          {backend, "auto", type, true}, "");
  return rungs;
}

}  // namespace tessera
