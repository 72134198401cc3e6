// SPDX-License-Identifier: Apache-2.0
/// Kernels of convolve that are compiled at run time for a filter's size.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/kernel.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/cuda/convolve_args.cuh"
#include "ops/convolve/cuda/convolve_cuda.hpp"
#include "ops/convolve/cuda/convolve_direct_args.cuh"
#include "ops/convolve/cuda/convolve_separable_args.cuh"
#include "tune/table.hpp"

namespace tessera {

/// Keys of the tuning tables.
inline constexpr const char* kDirectSite = "convolve.direct@2";
inline constexpr const char* kSeparableSite = "convolve.separable@1";

inline std::string device_table_name(int device) { return table_name(device_info(device).name); }

/// Compiling takes some tenths of a second once, and the kernel for any size is at most four times
/// slower: for fewer than a million samples compiling does not pay.
inline bool compiling_pays(const ConvolveProblem& p) {
  if (!run_time_compiler_found()) return false;
  return force_run_time_kernels() || p.output.size.samples() >= 1 << 20;
}

/// Blocks that cover the samples of a row and its lead.
template <class T>
unsigned blocks_across(const ConvolveArgs<T>& a, int samples_a_block) {
  return blocks_for(1LL * a.out_width * a.channels + a.lead, samples_a_block);
}

inline constexpr int kMostShift = 3;
/// How many samples further left than the filter's reach a tile begins, so that it begins at a
/// group of four. `past`: how many samples further past a group the input's rows begin than the
/// output's.
inline int alignment_shift(const ConvolveProblem& p, int past = 0) {
  return ((past - p.anchor.x * p.image.size.channels) % 4 + 4) % 4;
}
/// For a launch whose arguments are filled in.
template <class T>
int alignment_shift(const ConvolveProblem& p, const ConvolveArgs<T>& a, const AnyView& in) {
  return alignment_shift(p, a.wide_in ? samples_past_four(in) - a.lead : 0);
}

/// The kernel compiled for a filter's size, with given knobs and alignment_shift.
KernelName fixed_kernel_name(const ConvolveProblem& problem, const FixedKnobs& knobs, int shift);
KernelName separable_kernel_name(const ConvolveProblem& problem, const SeparableKnobs& knobs,
                                 bool several_terms, int shift);
/// The knobs that were fastest on an H200, for devices without a table.
FixedKnobs usual_fixed_knobs(const ConvolveProblem& problem);
SeparableKnobs usual_separable_knobs(const ConvolveProblem& problem);
/// Knobs from a table; those it lacks keep their values.
FixedKnobs with_table(FixedKnobs knobs, const Knobs& tuned);
SeparableKnobs with_table(SeparableKnobs knobs, const Knobs& tuned);

/// Arguments whose last member is an array as long as the filter: ConvolveArgs, `extra` bytes for
/// the method, then the values. The kernel's struct has the same layout.
template <class T>
class RunTimeArgs {
 public:
  explicit RunTimeArgs(std::size_t values, std::size_t extra = 0)
      : values_at_(sizeof(ConvolveArgs<T>) + extra),
        bytes_((values_at_ + values * sizeof(T) + 15) / 16 * 16) {}

  ConvolveArgs<T>& common() { return *reinterpret_cast<ConvolveArgs<T>*>(bytes_.data()); }
  void* extra() { return bytes_.data() + sizeof(ConvolveArgs<T>); }
  T* values() { return reinterpret_cast<T*>(bytes_.data() + values_at_); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::size_t values_at_;
  std::vector<std::byte> bytes_;
};

}  // namespace tessera
