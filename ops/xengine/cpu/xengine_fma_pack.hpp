// SPDX-License-Identifier: Apache-2.0
/// Panels of samples for the fma method: [time][re, im][input], zero if there is no input or it is
/// not valid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ops/xengine/cpu/xengine_host.hpp"
#include "ops/xengine/cpu/xengine_samples.hpp"

namespace tessera {

/// Some inputs of a channel for some time.
struct FmaPanel {
  int channel, first_input, width;
  long long first_sample;
  int samples;
};

template <class T, class Reader>
void pack_panel(const Reader& read, const XEngineShape& shape, const VoltageBlock& block,
                const FmaPanel& panel, T* to) {
  const int inputs = std::min(panel.width, shape.inputs() - panel.first_input);
  std::vector<const unsigned char*> from;
  for (int i = panel.first_input; i < panel.first_input + inputs; ++i)
    from.push_back(
        sample_address(block, panel.channel, i / shape.polarisations, i % shape.polarisations, 0));
  const VoltageLayout& l = block.layout;
  for (int s = 0; s < panel.samples; ++s, to += 2 * panel.width) {
    const long long t = panel.first_sample + s;
    const long long offset = t / l.group * l.group_step + t % l.group * l.time;
    for (int k = 0; k < inputs; ++k) {
      const auto sample = read(from[static_cast<std::size_t>(k)] + offset);
      to[k] = static_cast<T>(sample.re);
      to[panel.width + k] = static_cast<T>(sample.im);
    }
    for (int k = 0; k < panel.width; ++k)
      if (k >= inputs || !is_valid(block, shape.inputs(), panel.first_input + k, t))
        to[k] = to[panel.width + k] = 0;
  }
}

}  // namespace tessera
