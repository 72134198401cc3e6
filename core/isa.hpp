// SPDX-License-Identifier: Apache-2.0
/// Which SIMD instruction set the dispatched functions use.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Names of the targets this binary has and this CPU can run, best first: "avx512-dl", "avx512",
/// "avx2", "sse2"; "neon".
std::vector<std::string> isa_names();

/// The target that plans made from now on use. TESSERA_ISA chooses the first; a name that this
/// machine lacks is an Error(usage) that lists the ones it has.
std::string current_isa();

/// The instruction set for products of bytes that plans made from now on use (byte_isa.hpp): the
/// best that the target has; the best target has all. TESSERA_ISA and force_isa accept these names
/// too, and then keep the best target.
std::string current_byte_isa();

/// Makes plans made from now on use a target; "auto" is the best one. Not for use while other
/// threads make plans.
void force_isa(const std::string& name);

/// Throws if TESSERA_ISA does not name a target of this machine. Every plan calls it before it
/// dispatches.
void apply_isa_environment();

}  // namespace tessera
