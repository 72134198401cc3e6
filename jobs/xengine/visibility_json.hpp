// SPDX-License-Identifier: Apache-2.0
/// The description of an array of visibilities, as JSON next to it.
#pragma once

#include <string>
#include <vector>

#include "io/npy/visibility_array.hpp"
#include "jobs/xengine/xengine_outputs.hpp"

namespace tessera {

/// The names of an array's axes, one per element of its shape.
std::vector<std::string> visibility_axes(const VisibilityInfo& info);
/// The items of one integration: visibilities, and their counts.
ArrayItems visibility_items(const XEngineDescription& description);
ArrayItems weight_items(const XEngineDescription& description);

/// For each integration: its first sample and its dump, without the counts.
std::string visibility_json(const XEngineJob& job, const XEngineDescription& description,
                            const std::vector<XEngineIntegration>& integrations,
                            const std::string& weights_file);

}  // namespace tessera
