// SPDX-License-Identifier: Apache-2.0
/// Checks of the X-engine's shape, options and calls. All throw Error(usage) with what would be
/// right.
#pragma once

#include "tessera/xengine.hpp"

namespace tessera {

/// Positive, and small enough that no index overflows.
void check_xengine_shape(const XEngineShape& shape, SampleType type);
/// Options that fit the shape and each other.
void check_xengine_options(const XEngineShape& shape, const XEngineOptions& options);
/// Not negative, and few enough that no step overflows.
void check_samples(const XEngineShape& shape, SampleType type, long long samples);
/// A block of a plan that runs on `device`.
void check_block(const XEngineShape& shape, SampleType type, const VoltageBlock& block, int device);
/// The memory for visibilities of such a plan.
void check_visibilities(const VisibilityView& out, int device);

}  // namespace tessera
