// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/tune/convolve_times.hpp"

#include <algorithm>
#include <optional>

#include "ops/convolve/tune/convolve_tunables.hpp"
#include "tune/found_tables.hpp"
#include "tune/operations.hpp"
#include "tune/sites.hpp"

namespace tessera {
namespace {

// Here and not next to the tasks: this file is in every program that makes plans, and only files in
// the program can register anything.
const bool known =
    add_sites(convolve_sites()) && add_tunable({"convolve", convolve_tasks, convolve_choices,
                                                convolve_kernels, convolve_pictures});

std::string machine_word(Backend backend, const ConvolveProblem& p, const Machine& m) {
  if (backend == Backend::cpu) return cpu_table_name();
  return table_name(m.devices.at(static_cast<std::size_t>(p.device)).name);
}

/// Seconds per output sample. Times of f32 stand in for those of other types: the size at which
/// methods cross depends on the sums, and those of u8 and u16 are in float too, those of f64 run at
/// half the speed.
std::optional<double> sample_seconds(const ConvolveMethod& method, const ConvolveProblem& p,
                                     const Machine& machine) {
  const std::string word = machine_word(method.backend, p, machine);
  const auto femtoseconds = [&](Type type) {
    return find_interpolated(
        kConvolveTimeSite,
        convolve_time_key(method.backend, method.name, type, p.filter_width, p.filter_height), word,
        "fs");
  };
  if (const auto own = femtoseconds(p.image.type)) return *own * 1e-15;
  const auto single = femtoseconds(Type::f32);
  if (!single) return {};
  return *single * 1e-15 * (p.sums == Type::f64 ? 2 : 1);
}

/// Times of lowrank are those of a filter of two terms.
double over_tuned_terms(const ConvolveMethod& method, const ConvolveProblem& p) {
  if (std::string(method.name) != "lowrank") return 1;
  return static_cast<double>(p.split_in_few().terms.size()) / 2;
}

ConvolveProblem with_tuned_image(ConvolveProblem p, Backend backend) {
  p.image.size = p.output.size = tuned_size(backend);
  return p;
}

}  // namespace

Size tuned_size(Backend backend) {
  return backend == Backend::cuda ? Size{4096, 4096} : Size{2048, 1024};
}

ProblemKey convolve_time_key(Backend backend, const std::string& method, Type type,
                             int filter_width, int filter_height) {
  return {{{"backend", std::string(name_of(backend))},
           {"method", method},
           {"in", std::string(name_of(type))}},
          {{"fw", filter_width}, {"fh", filter_height}}};
}

double convolve_seconds(const ConvolveMethod& method, const ConvolveProblem& problem,
                        const Machine& machine) {
  const double model = method.seconds(problem, machine);
  if (model >= kOnlyOnRequest) return model;
  const auto sample = sample_seconds(method, problem, machine);
  if (!sample) return model;
  ConvolveProblem local = problem;  // the images where the method runs, as they were tuned
  if (method.backend == Backend::cuda) local.image.device = local.output.device = local.device;
  const double local_model = method.seconds(local, machine);
  const ConvolveProblem tuned = with_tuned_image(local, method.backend);
  const double measured = *sample * over_tuned_terms(method, problem) *
                          static_cast<double>(tuned.output.size.samples());
  return measured * local_model / method.seconds(tuned, machine) + (model - local_model);
}

}  // namespace tessera
