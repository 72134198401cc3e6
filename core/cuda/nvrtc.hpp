// SPDX-License-Identifier: Apache-2.0
/// The run-time compiler, opened at run time.
#pragma once

#include <string>
#include <vector>

namespace tessera::cuda {

/// "13.0"; empty if it is not found.
std::string nvrtc_version();

/// Whether it generates code for a device such as "sm_90".
bool nvrtc_supports(const std::string& architecture);

/// Compiles to a device image (cubin) with the embedded texts as headers. Throws Error(failure)
/// with the compiler's first error, or if there is no compiler.
std::string nvrtc_compile(const std::string& source, const std::vector<std::string>& options);

}  // namespace tessera::cuda
