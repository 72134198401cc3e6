// SPDX-License-Identifier: Apache-2.0
// A block of 1,024 samples of 16 to 256 antennas, added, and the sums fetched.
#include <fmt/format.h>

#include "ops/xengine/study/xengine_spot_check.hpp"
#include "ops/xengine/xengine_problem.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

constexpr long long kBlockSamples = 1024;

/// A block in host memory, and room for the sums.
struct HostBlock {
  XEngineShape shape;
  VoltageLayout layout;
  std::vector<signed char> bytes;
  std::vector<long long> sums;

  explicit HostBlock(const XEngineShape& of)
      : shape(of),
        layout(voltage_layout("tci", of, SampleType::ci8, kBlockSamples)),
        bytes(random_bytes(2UL * static_cast<std::size_t>(of.inputs() * of.channels) *
                           static_cast<std::size_t>(kBlockSamples))),
        sums(static_cast<std::size_t>(2 * of.values() * of.channels)) {}
};

ChoiceWays block_ways(int antennas) {
  const auto block = std::make_shared<HostBlock>(XEngineShape{antennas, 2, 16});
  const auto plan = [&](Backend backend, const std::string& method) {
    XEngineOptions options;
    options.backend = backend;
    options.method = method;
    return XEngine(block->shape, options);
  };
  return choice_ways(xengine_methods(), plan, [block](const XEngine& ready) {
    Stream& stream = thread_stream(ready);
    XEngineState state = ready.start();
    ready.add(state, {block->bytes.data(), kBlockSamples, block->layout}, stream);
    ready.dump(state, {block->sums.data(), kHost}, stream);
    stream.wait();
  });
}

std::vector<ChoiceWork> xengine_choices(int side) {
  const int antennas = side <= 512 ? 16 : side <= 2048 ? 64 : 256;
  return {{fmt::format("xengine {} antennas, 2 polarisations, 16 channels, 1024 samples", antennas),
           [=] { return block_ways(antennas); }}};
}

const bool choices_entered = add_choice_work({"xengine", xengine_choices});

}  // namespace
}  // namespace tessera
