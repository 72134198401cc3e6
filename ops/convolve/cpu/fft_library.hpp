// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tessera {

/// Empty, or why method fft-library cannot run on the CPU: "FFTW was not built in".
std::string why_no_fft_library();

}  // namespace tessera
