// SPDX-License-Identifier: Apache-2.0
/// The film as TrackMate looks for it.
#pragma once

#include <string>

namespace tessera {

/// TrackMate opens the file `name` in `folder` or, if it is not there, in the folder of its own
/// XML.
struct FilmPlace {
  std::string folder;  ///< absolute, with a '/' at its end; "" for standard input
  std::string name;
};

/// `input` is a film as the user gave it. TrackMate opens a single file, so pictures have the name
/// of a stack that can be made from them: Fiji imports the folder `frames` as an image sequence and
/// saves it as frames.tif.
FilmPlace film_place(const std::string& input);

}  // namespace tessera
