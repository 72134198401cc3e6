// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include "ops/channelise/cpu/channelise_host.hpp"
#include "ops/channelise/cuda/channelise_cuda.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string channelise_refuses_nothing(const ChanneliseProblem&) { return ""; }

// The reference is only used on request: it never wins by cost.
double channelise_reference_seconds(const ChanneliseProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-9 * p.samples() * static_cast<double>(p.length());
}

}  // namespace

const std::vector<ChanneliseMethod>& channelise_methods() {
  static const std::vector<ChanneliseMethod> methods{
      {"reference", Backend::cpu, channelise_refuses_nothing, channelise_reference_seconds,
       make_channelise_reference},
      {"direct", Backend::cpu, channelise_refuses_nothing, channelise_direct_seconds,
       make_channelise_direct},
      {"fft", Backend::cpu, why_no_channelise_fft, channelise_fft_seconds, make_channelise_fft},
      {"fft", Backend::cuda, why_no_channelise_fft_cuda, channelise_fft_cuda_seconds,
       make_channelise_fft_cuda},
  };
  return methods;
}

static const RegisteredMethods channelise_methods_list("channelise", [] {
  return names_of_methods(channelise_methods());
});

}  // namespace tessera
