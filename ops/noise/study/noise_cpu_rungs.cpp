// SPDX-License-Identifier: Apache-2.0
// The talk's CPU programs, and steps between them and the product.
#include "ops/noise/study/noise_rungs.hpp"
#include "ops/noise/study/plain_noise.hpp"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

struct CpuWay {
  std::string id, title, file;
  NoiseTruth truth;
  std::function<void(const BoxStudyArgs&, const Stream&)> run;
};

auto alone(void (*run)(const BoxStudyArgs&)) {
  return [run](const BoxStudyArgs& a, const Stream&) { run(a); };
}

NoiseRung by_hand(const CpuWay& way) {
  return {way.id,
          way.title,
          {noise_ladder_file(way.file)},
          [way](const NoiseCase& c, Stream&) {
            PreparedRung rung = described_noise(c, way.id, way.truth);
            rung.run = [args = c.args(made_by_noise_rung(way.id)), run = way.run](Stream& on) {
              run(args, on);
            };
            return rung;
          },
          way.id == "cpu.threads"};
}

std::vector<NoiseRung> make_cpu_rungs() {
  const std::string boxes = "plain_noise_boxes.cpp", slides = "plain_noise_slide.cpp";
  const NoiseTruth exact = NoiseTruth::exact, sorted = NoiseTruth::sorted;
  std::vector<NoiseRung> rungs;
  for (const CpuWay& way :
       {CpuWay{"cpu.sort", "sort of every box, one thread", boxes, exact, alone(plain_noise_sort)},
        {"cpu.select", "nth_element of every box, one thread", boxes, exact,
         alone(plain_noise_select)},
        {"cpu.histogram", "histogram of every box, one thread", boxes, sorted,
         alone(plain_noise_histogram)},
        {"cpu.slide", "a histogram that slides, one thread", slides, sorted,
         alone(plain_noise_slide)},
        {"cpu.follow", "the same, quantiles follow, one thread", slides, sorted,
         [](const BoxStudyArgs&a, const Stream&) { plain_noise_follow(a, 1); }},
        {"cpu.threads", "the same on all threads", slides, sorted,
         [](const BoxStudyArgs&a, const Stream&on) { plain_noise_follow(a, on.threads()); }}})
    rungs.push_back(by_hand(way));
  for (NoiseRung& ours : our_noise_rungs(Backend::cpu)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

PreparedRung described_noise(const NoiseCase& c, const std::string& id, NoiseTruth truth,
                             PreparedRung rung) {
  const NoiseMade made = made_by_noise_rung(id);
  rung.truth = NoiseRungResult{made, truth}.number();
  rung.bytes = 3 * sizeof(float) * c.pixels(made);
  return rung;
}

NoiseMade made_by_noise_rung(const std::string& rung) {
  if (rung == "gpu.sort") return NoiseMade::device_band;
  if (rung == "cpu.sort" || rung == "cpu.select" || rung == "cpu.histogram")
    return NoiseMade::host_band;
  const bool to_host = rung == "gpu.stream" || rung.starts_with("gpu.ours.host");
  return rung.starts_with("cpu.") || to_host ? NoiseMade::host : NoiseMade::device;
}

bool is_of_one_thread_noise(const std::string& rung) {
  return rung.starts_with("cpu.") && !rung.starts_with("cpu.ours.") && rung != "cpu.threads";
}

const std::vector<NoiseRung>& noise_cpu_rungs() { return rungs_by_threads(make_cpu_rungs); }

}  // namespace tessera
