// SPDX-License-Identifier: Apache-2.0
/// Where an output goes. In a folder that others may write to, a name is not enough: it can be made
/// a link, or its folder swapped, between two calls.
#pragma once

#include <string>

#include "io/file.hpp"
#include "io/file_errors.hpp"

namespace tessera {

/// The folder is held open, and everything that is done with the output goes through its
/// descriptor.
struct OutputPlace {
  std::string path;  ///< for messages, with symbolic links followed
  File folder;       ///< opened with O_PATH
  std::string name;  ///< in that folder; not a link when it was looked at
};

/// Throws Error(usage) if the name is a folder, a device, or in a folder that does not exist; if
/// there is a file already and `force` is not given; and for symbolic links. With `force` a link is
/// followed if it belongs to this user or root (and, in a folder like /tmp, if Linux with
/// fs.protected_symlinks would follow it too), even to a file that does not exist yet.
OutputPlace find_place(const std::string& path, bool force);

/// The error for a target that exists and may not be replaced.
ExistingOutput exists_error(const std::string& path);

}  // namespace tessera
