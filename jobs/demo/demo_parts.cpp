// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/find_demo_means.hpp"

namespace tessera {

std::vector<DemoPart> demo_parts(const DemoOptions& options) {
  std::vector<DemoPart> parts{
      demo_convolve(options),   demo_rank(options),    demo_correlate(options),
      demo_enhance(options),    demo_cells(options),   demo_faraday(options),
      demo_channelise(options), demo_xengine(options), demo_noise(options)};
  if (map_ending() == ".fits") {  // others cannot state a beam
    parts.push_back(demo_beam(options));
    parts.push_back(demo_sources(options));
  }
  return parts;
}

}  // namespace tessera
