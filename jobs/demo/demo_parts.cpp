// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/demo_part.hpp"

namespace tessera {

std::vector<DemoPart> demo_parts(const DemoOptions& options) {
  return {demo_convolve(options), demo_correlate(options), demo_enhance(options),
          demo_cells(options),    demo_faraday(options),   demo_xengine(options),
          demo_noise(options)};
}

}  // namespace tessera
