// SPDX-License-Identifier: Apache-2.0
/// --device: one GPU, or several that share the work of a command.
#pragma once

#include <optional>

#include "cli/command.hpp"
#include "jobs/device_lanes.hpp"

namespace tessera {

/// Enters the device into the operation's options, and into the session those that share the
/// action. `of_rank` is the device of a rank of MPI. A note says why a list has no effect. Throws
/// Error(usage) for a device that is not there.
void choose_devices(CommandState& state, std::optional<int> of_rank);

/// Calls run(session, job) in the shared run of all ranks; where devices share the action, once for
/// each of them, with its own copies of both. Only the first one prints its result.
template <class Job, class Run>
void on_devices(Session& session, const Job& job, const Run& run) {
  if (session.lanes.empty()) {
    const SharedRun shared(session.on_all_ranks);
    return run(session, job);
  }
  const Session whole = session;
  run_on_lanes(whole.lanes, job, [&](int lane, const Job& own) {
    Reply unseen;
    Session part = whole;
    part.on_all_ranks = true;
    if (lane > 0) part.reply = &unseen;
    all_ranks().allow_mixed = whole.allow_mixed;
    run(part, own);
    if (lane == 0) session.code = part.code;
  });
}

}  // namespace tessera
