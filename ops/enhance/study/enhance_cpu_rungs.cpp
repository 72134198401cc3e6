// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/enhance_rungs.hpp"
#include "ops/enhance/study/plain_steps.hpp"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

using Bytes = const unsigned char*;

void run_plain(const EnhanceCase& c, EnhanceResult result) {
  const auto* const from = static_cast<Bytes>(c.before(result, EnhancePlace::host).data);
  auto* const out = static_cast<unsigned char*>(c.out(EnhancePlace::host).data);
  switch (result) {
    case EnhanceResult::grey:
      return plain_grey(from, c.pixels(), out);
    case EnhanceResult::histogram:
      return plain_histogram(from, c.pixels(), c.counts(EnhancePlace::host));
    case EnhanceResult::contrast:
      return plain_contrast(from, c.pixels(), c.low(), c.high(), out);
    case EnhanceResult::smooth:
      return plain_smooth(from, c.size().width, c.size().height, out);
  }
}

EnhanceRung plain_rung(int step) {
  const std::string name = kEnhanceGroups[step];
  return {name + ".plain",
          "plain loops, one thread",
          {enhance_ladder_file("plain_" + name + ".")},
          [step](const EnhanceCase& c, Stream&) {
            const auto result = static_cast<EnhanceResult>(step);
            PreparedRung rung;
            rung.run = [&c, result](Stream&) { run_plain(c, result); };
            rung.truth = truth_of(result, EnhancePlace::host);
            rung.bytes = static_cast<double>(kBytesAPixel[step] * c.pixels());
            return rung;
          }};
}

std::vector<EnhanceRung> make_enhance_cpu_rungs() {
  std::vector<EnhanceRung> made;
  for (int step = 0; step < kEnhanceSteps; ++step) made.push_back(plain_rung(step));
  for (EnhanceRung& ours : our_enhance_cpu_rungs()) made.push_back(std::move(ours));
  return made;
}

}  // namespace

bool is_of_one_thread(const std::string& rung) {
  return rung.ends_with(".plain") || rung.find(".one") != std::string::npos;
}

const std::vector<EnhanceRung>& enhance_cpu_rungs() {
  return rungs_by_threads(make_enhance_cpu_rungs);
}

}  // namespace tessera
