// SPDX-License-Identifier: Apache-2.0
/// Kernels for knobs that were not compiled ahead of time: made once, then kept on disk.
#pragma once

#include <string>

#include "core/kernel.hpp"

namespace tessera::cuda {

/// "sm_90" for a device of compute capability 9.0; "sm_90a" for a unit named so (UNIT_sm90a).
std::string architecture_of(const std::string& unit, int major, int minor);

/// The device image of a kernel named "kernel" with the given body.
std::string compile_to_cubin(const KernelName& name, const std::string& architecture);

/// Where that image is kept on disk; empty if there is no cache folder. The name is a hash of
/// every text it may include, the body, the options, the architecture and the compiler's version.
std::string cubin_path(const KernelName& name, const std::string& architecture);

}  // namespace tessera::cuda
