// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

namespace tessera {

/// The CPU's name from the text of /proc/cpuinfo. x86 gives the name; ARM gives numbers of maker
/// and part, which become a name such as "Neoverse-N1". "unknown CPU" if neither is present.
std::string cpu_name(std::istream& cpuinfo);

}  // namespace tessera
