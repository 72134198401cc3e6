// SPDX-License-Identifier: Apache-2.0
/// A folder with everything in it.
#pragma once

#include <string>

#include "io/file.hpp"

namespace tessera {

/// Removes it; links are removed, not followed. Whatever cannot be removed stays: then it is false.
bool remove_tree(int parent, const std::string& name) noexcept;

/// Returns when all its files and folders are on disk; throws Error(failure).
void sync_tree(const File& folder);

}  // namespace tessera
