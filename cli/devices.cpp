// SPDX-License-Identifier: Apache-2.0
#include "cli/devices.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace tessera {
namespace {

void note(const Session& session, const std::string& text) {
  if (!session.quiet)
    std::fprintf(stderr, "tessera %s: note: %s (docs/scale.md)\n", session.label.c_str(),
                 text.c_str());
}

}  // namespace

void choose_devices(CommandState& state, std::optional<int> of_rank) {
  const DeviceChoice& choice = state.devices;
  if (!choice.device || (!choice.given && !of_rank)) return;
  *choice.device = of_rank.value_or(choice.list.of_rank(0));
  if (of_rank || !choice.backend) return;
  if (!asks_for_cuda(*choice.backend)) {
    if (choice.list.several())
      note(state.session,
           fmt::format("--device {} has no effect without --backend cuda", to_text(choice.list)));
    return;
  }
  const std::vector<int> found = choice.list.found();
  *choice.device = found.front();
  if (found.size() == 1) return;
  if (state.shared && state.shared())
    state.session.lanes = found;
  else
    note(state.session, fmt::format("device {} does this alone", found.front()));
}

}  // namespace tessera
