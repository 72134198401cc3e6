// SPDX-License-Identifier: Apache-2.0
/// Instruction sets that sum products of bytes; Highway has no targets for them.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Those of this CPU, best first: "amx", "avx512-vnni", "avx2"; "neon-i8mm", "neon-dot"; "scalar"
/// is always there. On Linux the kernel is asked for AMX's registers.
const std::vector<std::string>& native_byte_isas();

/// Whether code that is restricted to a SIMD target (a name of isa.hpp) may use such a set.
bool target_has_bytes(const std::string& target, const std::string& byte_isa);

}  // namespace tessera
