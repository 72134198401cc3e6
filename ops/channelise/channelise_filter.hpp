// SPDX-License-Identifier: Apache-2.0
/// The low-pass filter of a filter bank.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// scipy.signal.firwin(length, 1 / transform, window=window): a sinc as wide as a channel times a
/// symmetric window, of sum 1. Throws Error(usage) for other windows and for those that leave
/// nothing of it.
std::vector<double> channelise_filter(const std::string& window, long long length, int transform);

}  // namespace tessera
