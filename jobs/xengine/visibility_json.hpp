// SPDX-License-Identifier: Apache-2.0
/// What lies in an array of visibilities, as JSON beside it.
#pragma once

#include <string>
#include <vector>

#include "io/npy/visibility_array.hpp"
#include "jobs/xengine/xengine_outputs.hpp"

namespace tessera {

/// An array's axes by name, as long as its shape with the first.
std::vector<std::string> visibility_axes(const VisibilityInfo& info);
/// Items of an integration of visibilities, and of their counts.
ArrayItems visibility_items(const XEngineDescription& description);
ArrayItems weight_items(const XEngineDescription& description);

/// Of each integration: its first sample and its dump, without the counts.
std::string visibility_json(const XEngineJob& job, const XEngineDescription& description,
                            const std::vector<XEngineIntegration>& integrations,
                            const std::string& weights_file);

}  // namespace tessera
