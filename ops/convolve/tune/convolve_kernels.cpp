// SPDX-License-Identifier: Apache-2.0
// The kernels that tuning a GPU will ask for: if they are compiled beforehand and copied there, a
// borrowed device only has to measure.
#include <algorithm>

#include "ops/convolve/cuda/convolve_run_time.hpp"
#include "ops/convolve/tune/convolve_times.hpp"
#include "ops/convolve/tune/convolve_tunables.hpp"

namespace tessera {
namespace {

ConvolveProblem problem_of(FilterSize size, Type type) {
  ConvolveProblem p;
  p.image = p.output = {tuned_size(Backend::cuda), type};
  p.filter_width = size.width;
  p.filter_height = size.height;
  p.anchor = {size.width / 2, size.height / 2};
  p.border = Border::replicate;
  p.weights.resize(static_cast<std::size_t>(size.width) * size.height);
  return p;
}

/// Knobs are searched at the first sizes only; at the others they have their usual values.
void add_kernels(std::vector<KernelName>& names, const ConvolveMethod& method, FilterSize size,
                 const TuneRequest& request, bool searched) {
  const std::string name = method.name;
  const ConvolveProblem p = problem_of(size, request.type);
  std::vector<Knobs> tried{{}};
  if (searched)
    for (const Knobs& knobs : convolve_candidates(method, size, request.full))
      tried.push_back(knobs);
  for (const Knobs& knobs : tried) {
    if (name == "direct" && searched)
      names.push_back(
          fixed_kernel_name(p, with_table(usual_fixed_knobs(p), knobs), alignment_shift(p)));
    if (name == "separable")
      names.push_back(separable_kernel_name(p, with_table(usual_separable_knobs(p), knobs), false,
                                            alignment_shift(p)));
    if (name == "lowrank" && searched)
      names.push_back(separable_kernel_name(p, with_table(usual_separable_knobs(p), knobs), true,
                                            alignment_shift(p)));
  }
}

}  // namespace

std::vector<KernelName> convolve_kernels(const TuneRequest& request) {
  const std::vector<FilterSize> sizes = sizes_from_text(request.sizes);
  std::vector<KernelName> names;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (const ConvolveMethod& method : convolve_cuda_methods())
      add_kernels(names, method, sizes[i], request,
                  request.full || request.sizes != kAllSizes || i < kNodeSizes);
  return names;
}

}  // namespace tessera
