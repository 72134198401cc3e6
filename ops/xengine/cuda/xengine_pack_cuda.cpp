// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_pack_cuda.hpp"

#include <algorithm>
#include <cstdint>

#include "core/kernel.hpp"

namespace tessera {
namespace {

constexpr const char* kPackUnit = "xengine_pack";

/// Whether all steps between inputs, channels and groups are multiples.
bool all_multiples(const XEngineSamples& s, long long of, bool polarisations_too) {
  const bool apart = s.polarisations > 1 && polarisations_too;
  return reinterpret_cast<std::uintptr_t>(s.data) % static_cast<std::uintptr_t>(of) == 0 &&
         s.channel % of == 0 && s.antenna % of == 0 && (!apart || s.polarisation % of == 0) &&
         s.group_step % of == 0;
}

unsigned blocks_for_runs(const XEnginePackArgs& args, int units) {
  constexpr int kGroups = kXEnginePackThreads / kXEnginePackAntennas;
  return static_cast<unsigned>(((units - 1) / kXEnginePackAntennas + 1) *
                               ((args.groups() - 1) / kGroups + 1));
}

}  // namespace

const char* pack_entry(const XEngineSamples& s, SampleType type) {
  if (type == SampleType::ci4) return "xengine_pack_ci4";
  const bool pairs = s.imaginary == 1, whole_groups = s.group % kXEngineGroup == 0;
  if (pairs && whole_groups && s.time == 2 && all_multiples(s, 16, true))
    return "xengine_pack_runs1";
  if (pairs && whole_groups && s.polarisations == 2 && s.polarisation == 2 && s.time == 4 &&
      all_multiples(s, 16, false))
    return "xengine_pack_runs2";
  if (pairs && s.time % 2 == 0 && all_multiples(s, 2, true)) return "xengine_pack_pairs";
  return "xengine_pack_ci8";
}

std::vector<XEnginePackLaunch> pack_launches(const XEnginePackArgs& args, SampleType type) {
  const std::string entry = pack_entry(args.samples, type);
  const long long all = 1LL * args.groups() * args.samples.inputs;
  const auto plain = static_cast<unsigned>((all - 1) / kXEnginePackThreads + 1);
  const bool twos = entry == "xengine_pack_runs2", runs = twos || entry == "xengine_pack_runs1";
  const int units = args.samples.inputs / (twos ? 2 : 1);
  std::vector<XEnginePackLaunch> launches{{entry, runs ? blocks_for_runs(args, units) : plain}};
  if (args.samples.valid) launches.push_back({"xengine_pack_mask", plain});
  return launches;
}

void pack_samples(const XEnginePackArgs& args, SampleType type, int channels, Stream& stream) {
  for (const XEnginePackLaunch& launch : pack_launches(args, type))
    find_kernel(stream.device(), {kPackUnit, launch.entry, "", ""})
        .launch(stream, {launch.blocks, static_cast<unsigned>(channels)}, {kXEnginePackThreads}, 0,
                args);
}

}  // namespace tessera
