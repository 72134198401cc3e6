// SPDX-License-Identifier: Apache-2.0
/// "cube.fits[SCI]": an image of a file by its name.
#pragma once

#include <string>

namespace tessera {

struct HduName {
  std::string path;
  std::string hdu;  ///< "SCI", "SCI,2" or "1"; "": none is named
};

/// The parts of a name. A file whose own name ends like this stays a file.
HduName split_hdu(const std::string& name);

}  // namespace tessera
