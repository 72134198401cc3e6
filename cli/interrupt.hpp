// SPDX-License-Identifier: Apache-2.0
/// Ctrl-C at any moment, without half-written files.
#pragma once

namespace tessera {

/// From now on SIGINT, SIGTERM and SIGHUP remove unfinished outputs and then end the process as if
/// nothing had caught them (130 in the shell after Ctrl-C). Call it before any thread is started:
/// threads inherit the mask.
void clean_up_on_signals();

}  // namespace tessera
