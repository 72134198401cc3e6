// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made. All give the same
// bytes.
#include <fmt/format.h>
#include <algorithm>

#include "ops/enhance/clahe/enhance_clahe_shape.hpp"
#include "ops/enhance/enhance_problem.hpp"
#include "ops/enhance/tune/enhance_tunables.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

/// The place of a step in the fused methods; contrast and equalise share one.
int fused_place(EnhanceStep step) {
  switch (step) {
    case EnhanceStep::grey:
      return 0;
    case EnhanceStep::histogram:
      return 1;
    case EnhanceStep::contrast:
    case EnhanceStep::equalise:
      return 2;
    case EnhanceStep::smooth:
      return 3;
    case EnhanceStep::clahe:
      break;
  }
  return -1;
}

double bytes(const ImageInfo& image) { return static_cast<double>(bytes_of(image)); }

/// Bytes that go to and from memory: step by step, or reading the input once per sweep.
double bytes_of_steps(const EnhanceProblem& p) {
  double sum = 0;
  for (const EnhanceStage& stage : p.stages)
    sum += bytes(stage.in) * (1 + stage.sweeps) + bytes(stage.out);
  return sum;
}
double bytes_fused(const EnhanceProblem& p) {
  return bytes(p.image) * (1 + std::min(1, p.sweeps())) + bytes(p.output);
}

/// Multiply-adds and similar operations: one per sample and step, and the weights of smooth.
double operations(const EnhanceProblem& p) {
  const Smoothing& s = p.smoothing;
  const double weights = s.separable() ? s.width + s.height : 1.0 * s.width * s.height;
  double sum = 0;
  for (const EnhanceStage& stage : p.stages)
    sum += static_cast<double>(stage.in.size.samples()) *
           (stage.step == EnhanceStep::smooth ? weights : 1.0 + stage.sweeps);
  return sum;
}

/// As many operations as the look-ups of clahe cost on the CPU: 3.5 ns per sample and thread (Xeon
/// with AVX-512).
double lookups(const EnhanceProblem& p) {
  constexpr double kOperations = 57;
  double sum = 0;
  for (const EnhanceStage& stage : p.stages)
    if (stage.step == EnhanceStep::clahe)
      sum += kOperations * static_cast<double>(stage.in.size.samples());
  return sum;
}

/// One thread clears the counts of clahe's tiles and adds them up: 4 us per tile, from 256x256 u8
/// on 1 and on 16 Xeon threads (0.75 and 0.30 ms). This decides for small images.
double curve_seconds(const EnhanceProblem& p) {
  std::size_t tiles = 0;
  for (const EnhanceStage& stage : p.stages)
    if (stage.step == EnhanceStep::clahe) tiles += ClaheShape(p, stage).tiles();
  return 4e-6 * static_cast<double>(tiles);
}

// The reference is only used on request: it never wins by cost.
double reference_seconds(const EnhanceProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-8 * operations(p);
}

// 32-bit integers reach about a quarter of the rate of float multiply-adds (2 flop each).
double cpu_seconds(const EnhanceProblem& p, const Machine& m, double moved_bytes) {
  return 2 * (operations(p) + lookups(p)) / (0.25 * m.cpu_flops) +
         moved_bytes / m.cpu_bytes_per_second + curve_seconds(p);
}
double steps_cpu_seconds(const EnhanceProblem& p, const Machine& m) {
  return cpu_seconds(p, m, bytes_of_steps(p));
}
double fused_cpu_seconds(const EnhanceProblem& p, const Machine& m) {
  return cpu_seconds(p, m, bytes_fused(p));
}

// 20 us per launch: rough, but enough to choose between GPU and CPU.
double cuda_seconds(const EnhanceProblem& p, const Machine& m, double moved_bytes, int launches) {
  const double kernels = 2 * operations(p) / (0.25 * m.device_flops(p.device)) +
                         moved_bytes / m.device_bytes_per_second(p.device);
  return 20e-6 * launches + kernels + copy_seconds(p.image, p.output, p.device);
}
double steps_cuda_seconds(const EnhanceProblem& p, const Machine& m) {
  return cuda_seconds(p, m, bytes_of_steps(p), static_cast<int>(p.stages.size()) + p.sweeps());
}
double fused_cuda_seconds(const EnhanceProblem& p, const Machine& m) {
  return cuda_seconds(p, m, bytes_fused(p), 1 + std::min(1, p.sweeps()));
}

}  // namespace

std::string why_only_steps(const EnhanceProblem& p) {
  if (p.floats())
    return fmt::format("only method steps of the CPU takes images of {}", name_of(p.image.type));
  for (const EnhanceStage& stage : p.stages)
    if (by_value(p, stage)) return "only method steps of the CPU takes channels value";
  return "";
}

std::string why_not_fused(const EnhanceProblem& p) {
  int last = -1;
  for (const EnhanceStage& stage : p.stages) {
    const int place = fused_place(stage.step);
    if (place < 0) return fmt::format("{} is not fused", name_of(stage.step));
    if (place <= last)
      return "fused are grey, histogram, contrast or equalise, and smooth: in that order, each "
             "once "
             "at most";
    last = place;
  }
  if (last == fused_place(EnhanceStep::smooth) && !p.smoothing.separable())
    return p.smoothing.exact() ? "the weights are not a product of a row and a column without "
                                 "negative numbers"
                               : "the weights are not whole numbers";
  return "";
}

const std::vector<EnhanceMethod>& enhance_methods() {
  static const std::vector<EnhanceMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_enhance_reference},
      {"fused", Backend::cpu, refuses_on_host<why_only_steps, why_not_fused>, fused_cpu_seconds,
       make_enhance_fused_cpu},
      {"steps", Backend::cpu, refuses_on_host, steps_cpu_seconds, make_enhance_steps_cpu},
      {"fused", Backend::cuda, refuses_on_device<why_only_steps, why_not_fused>, fused_cuda_seconds,
       make_enhance_fused_cuda},
      {"steps", Backend::cuda, refuses_on_device<why_only_steps>, steps_cuda_seconds,
       make_enhance_steps_cuda},
  };
  return methods;
}

static const RegisteredMethods enhance_methods_list("enhance", [] {
  return names_of_methods(enhance_methods());
});

static const bool enhance_is_tunable =
    add_sites(enhance_sites()) &&
    add_tunable({"enhance", enhance_tasks, nullptr, enhance_tuned_kernels, enhance_pictures});

ProblemKey problem_key(const EnhanceProblem& p) {
  std::string steps;
  for (const EnhanceStage& stage : p.stages)
    steps += (steps.empty() ? "" : ",") + std::string(name_of(stage.step));
  return {{{"in", std::string(name_of(p.image.type))}, {"steps", steps}},
          {{"channels", p.image.size.channels},
           {"fw", p.smoothing.width},
           {"fh", p.smoothing.height},
           {"pixels", static_cast<double>(p.image.size.pixels())}}};
}

}  // namespace tessera
