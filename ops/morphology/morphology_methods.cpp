// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made. All give the same
// bytes.
#include <cmath>

#include "ops/morphology/morphology_steps.hpp"
#include "ops/morphology/tune/morphology_tunables.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

std::string why_no_box(const MorphologySteps& s) {
  return s.passes.front().is_box() ? "" : "the element is not a full rectangle";
}

// The reference is only used on request: it never wins by cost.
double reference_seconds(const MorphologyProblem& p, const Machine&) {
  return 1e3 +
         1e-8 * static_cast<double>(p.pixels()) * static_cast<double>(p.output.size.samples());
}

// Minima per sample: windows are made by doubling once per row of the image, then one per run.
double direct_steps(const MorphologyProblem& p) {
  return std::log2(1.0 + p.width) + static_cast<double>(p.runs.size());
}
double separable_steps(const MorphologyProblem& p) {
  return std::log2(1.0 + p.width) + std::min(3.0, 1.0 * p.height);
}

// A minimum costs about as much as a multiply-add (2 flop) of a vector of the sample's width.
double cpu_seconds(const MorphologyProblem& p, const Machine& m, double steps) {
  const double bytes = static_cast<double>(bytes_of(p.output));
  return 2 * steps * bytes / 4 / (0.25 * m.cpu_flops) + p.bytes() / m.cpu_bytes_per_second;
}
double direct_cpu_seconds(const MorphologyProblem& p, const Machine& m) {
  return cpu_seconds(p, m, direct_steps(p));
}
double separable_cpu_seconds(const MorphologyProblem& p, const Machine& m) {
  return cpu_seconds(p, m, separable_steps(p));
}

// Two reads of shared memory per step, a quarter as fast as multiply-adds, and 20 us per launch:
// rough, but enough to choose between GPU and CPU.
double cuda_seconds(const MorphologyProblem& p, const Machine& m, double steps) {
  const double kernel = 4 * steps * static_cast<double>(p.output.size.samples()) /
                            (0.125 * m.device_flops(p.device)) +
                        2 * p.bytes() / m.device_bytes_per_second(p.device);
  const double copies = copy_seconds(p.image, p.output, p.device);
  return 20e-6 + kernel + copies;
}
double direct_cuda_seconds(const MorphologyProblem& p, const Machine& m) {
  return cuda_seconds(p, m, direct_steps(p));
}
double separable_cuda_seconds(const MorphologyProblem& p, const Machine& m) {
  return cuda_seconds(p, m, separable_steps(p));
}

using PassSeconds = double (*)(const MorphologyProblem&, const Machine&);
using PassMaker = MorphologyRunnerPointer (*)(const MorphologyProblem&);

template <PassSeconds kPass>
double steps_seconds(const MorphologySteps& s, const Machine& m) {
  double sum = 0;
  for (const MorphologyProblem& pass : s.passes) sum += kPass(pass, m);
  return sum;
}
// The image between two passes stays on the device.
template <PassSeconds kPass>
double cuda_steps_seconds(const MorphologySteps& s, const Machine& m) {
  const MorphologyProblem& pass = s.passes.front();
  return steps_seconds<kPass>(s, m) - static_cast<double>(s.passes.size() - 1) *
                                          copy_seconds(pass.image, pass.output, pass.device);
}

template <PassMaker kMake, auto kCombine>
std::unique_ptr<const RowsRunner> make_steps(const MorphologySteps& s) {
  if (s.passes.size() == 1) return kMake(s.passes.front());
  return kCombine(s, kMake(s.passes.front()), kMake(s.passes.back()));
}
template <PassMaker kMake>
constexpr auto kOnCpu = make_steps<kMake, make_morphology_steps_cpu>;
template <PassMaker kMake>
constexpr auto kOnCuda = make_steps<kMake, make_morphology_steps_cuda>;

}  // namespace

const std::vector<MorphologyMethod>& morphology_methods() {
  static const std::vector<MorphologyMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, steps_seconds<reference_seconds>,
       kOnCpu<make_morphology_reference>},
      {"separable", Backend::cpu, refuses_on_host<why_no_box>, steps_seconds<separable_cpu_seconds>,
       kOnCpu<make_morphology_separable_cpu>},
      {"direct", Backend::cpu, refuses_on_host, steps_seconds<direct_cpu_seconds>,
       kOnCpu<make_morphology_direct_cpu>},
      {"separable", Backend::cuda, refuses_on_device<why_no_box>,
       cuda_steps_seconds<separable_cuda_seconds>, kOnCuda<make_morphology_separable_cuda>},
      {"direct", Backend::cuda, refuses_on_device, cuda_steps_seconds<direct_cuda_seconds>,
       kOnCuda<make_morphology_direct_cuda>},
  };
  return methods;
}

static const RegisteredMethods morphology_methods_list("morphology", [] {
  return names_of_methods(morphology_methods());
});

static const bool morphology_is_tunable =
    add_sites(morphology_sites()) && add_tunable({"morphology", morphology_tasks, nullptr,
                                                  morphology_tuned_kernels, morphology_pictures});

ProblemKey problem_key(const MorphologyProblem& p) {
  return {
      {{"in", std::string(name_of(p.image.type))}},
      {{"fw", p.width}, {"fh", p.height}, {"pixels", static_cast<double>(p.image.size.pixels())}}};
}

}  // namespace tessera
