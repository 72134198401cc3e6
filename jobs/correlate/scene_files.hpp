// SPDX-License-Identifier: Apache-2.0
/// The files of an ensemble's images.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// One image: a file, or several whose planes are stacked.
struct SceneFiles {
  std::vector<std::string> files;
  std::string signature;  ///< absolute names, sizes and times, as storable text

  std::string name() const;  ///< as the user wrote them, separated by commas
};

/// The images that words stand for (files, folders, patterns), ordered by their absolute names
/// whatever the order of the words; a file named twice counts once. With `stack` above 1, that many
/// consecutive files, in the order given, are one image. Files of `own`, which the run makes
/// itself, are left out of folders and patterns. Throws Error(input) if nothing matches,
/// Error(usage) if files are left over or one of `own` is named.
std::vector<SceneFiles> find_scenes(const std::vector<std::string>& words, int stack,
                                    const std::vector<std::string>& own = {});

}  // namespace tessera
