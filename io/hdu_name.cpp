// SPDX-License-Identifier: Apache-2.0
#include "io/hdu_name.hpp"

#include "core/folder.hpp"

namespace tessera {

HduName split_hdu(const std::string& name) {
  const std::size_t open = name.rfind('[');
  if (!name.ends_with(']') || open == std::string::npos || open == 0 || path_exists(name))
    return {name, ""};
  const std::string path = name.substr(0, open),
                    hdu = name.substr(open + 1, name.size() - open - 2);
  if (hdu.empty() || !is_regular_file(path)) return {name, ""};
  return {path, hdu};
}

}  // namespace tessera
