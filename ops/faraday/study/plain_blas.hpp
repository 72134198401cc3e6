// SPDX-License-Identifier: Apache-2.0
/// The talk's sum as one product of complex matrices, by CBLAS with its own number of threads.
#pragma once

#include <string>

#include "ops/faraday/study/plain_synth.hpp"

namespace tessera {

/// "" or the reason.
std::string why_no_plain_blas();
void blas_synth(const PlainSynth<float>& s);
void blas_synth(const PlainSynth<double>& s);

}  // namespace tessera
