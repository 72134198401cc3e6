// SPDX-License-Identifier: Apache-2.0
/// The CUDA method: which kernels run, and their arguments.
#pragma once

#include <string>
#include <vector>

#include "ops/channelise/channelise_problem.hpp"
#include "ops/channelise/cuda/channelise_args.cuh"

namespace tessera {

/// Tables of a problem on the host, for kernels and for tests that run them there.
struct ChanneliseDeviceTables {
  explicit ChanneliseDeviceTables(const ChanneliseProblem& problem);
  std::vector<LineValue> turns, half_turns;
  std::vector<float> gains;
};

/// Whether the kernel of transforms can read samples in place.
bool channelise_reads(const ChanneliseProblem& problem, const ChanneliseSamples& samples);
/// The arguments that pack samples [first, first + count) of a block; `out` is null.
ChannelisePackArgs channelise_pack_args(const ChanneliseProblem& problem,
                                        const ChanneliseSamples& samples, long long first,
                                        long long count);
/// The bytes that they write, and the samples there.
std::size_t channelise_packed_bytes(const ChanneliseProblem& problem,
                                    const ChannelisePackArgs& args);
ChanneliseSamples channelise_packed(const ChanneliseProblem& problem,
                                    const ChannelisePackArgs& args);
/// Everything except tables, mask and counts.
ChanneliseArgs channelise_args(const ChanneliseProblem& problem, const ChanneliseSamples& samples,
                               const ChannelisePlaces& to, void* out, long long first,
                               long long spectra);

std::string why_no_channelise_fft_cuda(const ChanneliseProblem& problem);
double channelise_fft_cuda_seconds(const ChanneliseProblem& problem, const Machine& machine);
ChanneliseRunnerPointer make_channelise_fft_cuda(const ChanneliseProblem& problem);

}  // namespace tessera
