// SPDX-License-Identifier: Apache-2.0
/// Libraries of the tool that are opened only by the work that needs them.
#pragma once

#include <string>

namespace tessera {

/// The path of libtessera_NAME.so; "" if it is not installed with this tool or Python module.
std::string plugin_library(const std::string& name);

}  // namespace tessera
