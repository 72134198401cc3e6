// SPDX-License-Identifier: Apache-2.0
/// Which files the images of an ensemble are.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// One image: a file, or several whose planes lie one on the other.
struct SceneFiles {
  std::vector<std::string> files;
  std::string signature;  ///< absolute names, sizes and times, as storable text

  std::string name() const;  ///< as the user wrote them, commas between
};

/// The images that words stand for (files, folders, patterns), ordered by their absolute names
/// whatever the order of the words; a file named twice counts once. With `stack` above 1 every so
/// many files, in the order given, are one image. Throws Error(input) where nothing matches,
/// Error(usage) where files are left over.
std::vector<SceneFiles> find_scenes(const std::vector<std::string>& words, int stack);

}  // namespace tessera
