// SPDX-License-Identifier: Apache-2.0
/// Panels of samples for the fma method: [time][re, im][input], zero where there is no input or it
/// is not valid.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/xengine/xengine_host.hpp"
#include "ops/xengine/xengine_samples.hpp"

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
  const std::vector<unsigned char> all_valid(static_cast<std::size_t>(inputs), 1);
  for (int s = 0; s < panel.samples; ++s, to += 2 * panel.width) {
    const long long t = panel.first_sample + s;
    const long long offset = t / l.group * l.group_step + t % l.group * l.time;
    const unsigned char* const valid =
        block.valid.empty()
            ? all_valid.data()
            : block.valid.data() + t / block.valid_samples * shape.inputs() + panel.first_input;
    for (int k = 0; k < panel.width; ++k) {
      const bool there = k < inputs && valid[k];
      const auto sample =
          there ? read(from[static_cast<std::size_t>(k)] + offset) : decltype(read(nullptr)){};
      to[k] = static_cast<T>(sample.re);
      to[panel.width + k] = static_cast<T>(sample.im);
    }
  }
}

}  // namespace tessera
