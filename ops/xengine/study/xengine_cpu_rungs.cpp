// SPDX-License-Identifier: Apache-2.0
// The talk's CPU programs: loops by hand on both layouts, with vectors and threads, and BLAS.
#include "ops/xengine/study/plain_xengine.hpp"
#include "ops/xengine/study/plain_xengine_blas.hpp"
#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

XEngineRung by_hand(const std::string& id, const std::string& title, const std::string& file,
                    const XEngineRoomKind& kind,
                    const std::function<void(const PlainXEngine&, const Stream&)>& run,
                    bool threaded = false) {
  return {id,
          title,
          {xengine_ladder_file(file)},
          [kind, run](const XEngineCase& c, Stream& stream) {
            const XEngineRoom& room = c.room(kind, stream);
            PreparedRung rung = described_xengine(c, kind.made);
            rung.run = [&c, &room, run](Stream& on) {
              for (int cycle = 0; cycle < c.cycles(); ++cycle)
                run({room.given_of(cycle), static_cast<int*>(room.made), c.inputs(), c.samples(),
                     c.channels(), cycle > 0},
                    on);
            };
            return rung;
          },
          threaded};
}

XEngineRung by_blas(const std::string& id, const std::string& title, MadeForm made,
                    void (*run)(const BlasXEngine&)) {
  return {id,
          title,
          {xengine_ladder_file("plain_xengine_blas.cpp")},
          [made, run](const XEngineCase& c, Stream& stream) {
            if (std::string reason = why_no_xengine_blas(); !reason.empty())
              return PreparedRung{.absent = reason};
            const XEngineRoom& room = c.room({GivenForm::input_time, made, true, false}, stream);
            PreparedRung rung = described_xengine(c, made);
            rung.run = [&c, &room, run](Stream&) {
              for (int cycle = 0; cycle < c.cycles(); ++cycle)
                run({room.given_of(cycle), static_cast<float*>(room.made), c.inputs(), c.samples(),
                     c.channels(), cycle > 0});
            };
            return rung;
          }};
}

std::vector<XEngineRung> make_cpu_rungs() {
  const XEngineRoomKind it{GivenForm::input_time, MadeForm::full};
  const XEngineRoomKind half{GivenForm::input_time, MadeForm::lower};
  std::vector<XEngineRung> rungs{
      by_hand("cpu.ti", "loops on [time][input], one thread", "plain_xengine.cpp", {},
              [](const PlainXEngine& x, const Stream&) { plain_xengine_ti(x); }),
      by_hand("cpu.it", "loops on [input][time], one thread", "plain_xengine.cpp", it,
              [](const PlainXEngine& x, const Stream&) { plain_xengine_it(x); }),
      by_hand("cpu.planes", "16-bit planes, half the pairs, one thread", "plain_xengine_planes.cpp",
              half, [](const PlainXEngine& x, const Stream&) { planes_xengine(x, 1); }),
      by_hand(
          "cpu.threads", "the same on all threads", "plain_xengine_planes.cpp", half,
          [](const PlainXEngine& x, const Stream& on) { planes_xengine(x, on.threads()); }, true),
      by_blas("cpu.cgemm", "to floats, then CBLAS cgemm", MadeForm::full, blas_xengine_cgemm),
      by_blas("cpu.cherk", "to floats, then CBLAS cherk", MadeForm::lower, blas_xengine_cherk)};
  for (XEngineRung& ours : our_xengine_rungs(Backend::cpu)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

PreparedRung described_xengine(const XEngineCase& c, MadeForm form, PreparedRung rung) {
  rung.flops = c.operations();
  rung.bytes = c.given_bytes() + static_cast<double>(c.made_bytes(form)) * c.channels();
  return rung;
}

bool is_of_one_thread_xengine(const std::string& rung) {
  return rung == "cpu.ti" || rung == "cpu.it" || rung == "cpu.planes";
}

const std::vector<XEngineRung>& xengine_cpu_rungs() { return rungs_by_threads(make_cpu_rungs); }

}  // namespace tessera
