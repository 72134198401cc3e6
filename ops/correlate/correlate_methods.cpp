// SPDX-License-Identifier: Apache-2.0
// The table of methods: what each refuses, what it should cost, how it is made.
#include <cmath>
#include <cstdlib>

#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cpu/fold_axis.hpp"
#include "ops/correlate/tune/correlate_tunables.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

double bytes_in(const CorrelateProblem& p) { return 2.0 * static_cast<double>(bytes_of(p.image)); }
double bytes_out(const CorrelateProblem& p) { return static_cast<double>(bytes_of(p.output)); }

// The reference is only used on request: it never wins by cost.
double reference_seconds(const CorrelateProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-8 * correlate_products(p);
}

// 80% of the FMA peak, less if a packed row serves few shifts (measured: 4 to 250 shifts, Neoverse
// N1).
double direct_cpu_seconds(const CorrelateProblem& p, const Machine& m) {
  return (1 + 9.0 / p.shifts_x) * 2 * correlate_products(p) / (0.8 * m.cpu_flops) +
         (bytes_in(p) + bytes_out(p)) / m.cpu_bytes_per_second;
}

/// Shapes of the transforms: they alone grow with the image.
struct Transforms {
  explicit Transforms(const CorrelateProblem& p)
      : width(p.image.size.width),
        height(p.image.size.height),
        most_x(p.first_shift.x + p.shifts_x),
        across(fold_shape(FoldKind::complex, width, width + most_x - 1)),
        down(fold_shape(FoldKind::real, height, height + most_x - 1)) {}
  int width, height, most_x;  // as many shifts both ways
  FoldShape across, down;

  /// Complex vector instructions, counted per lane: columns and rows of all planes, rows and
  /// columns of all maps.
  double operations(const CorrelateProblem& p) const {
    const double columns = fold_cost(FoldKind::real, down, height);
    const double rows = fold_cost(FoldKind::complex, across, width) * down.length() / 2;
    const double planes = p.planes * (columns * width + rows);
    const double maps = static_cast<double>(p.sums.size()) * (columns * p.shifts_x + rows);
    return p.batch * (planes + maps);
  }
};

// The peak has half as many instructions as flop; 55% of it is reached (Neoverse N1).
double fft_cpu_seconds(const CorrelateProblem& p, const Machine& m) {
  return 2 * Transforms(p).operations(p) / (0.55 * m.cpu_flops) +
         2 * (bytes_in(p) + bytes_out(p)) / m.cpu_bytes_per_second;
}

double copy_seconds(const CorrelateProblem& p) {
  return p.image.device == kHost ? link_seconds(p.device, bytes_in(p) / 2, bytes_out(p)) : 0;
}

// 45% of the FMA peak and 20 us per launch: rough, but enough to choose between GPU and CPU.
double direct_cuda_seconds(const CorrelateProblem& p, const Machine& m) {
  return 20e-6 + 2 * correlate_products(p) / (0.45 * m.device_flops(p.device)) + copy_seconds(p);
}

// Transforms move their points through memory about eight times, in a handful of launches.
double fft_cuda_seconds(const CorrelateProblem& p, const Machine& m) {
  const Transforms t(p);
  const double points = 0.5 * t.across.length() * t.down.length();
  const double moved = 8 * 8 * points * p.batch * (p.planes + static_cast<double>(p.sums.size()));
  return 60e-6 + moved / m.device_bytes_per_second(p.device) + copy_seconds(p);
}

/// The sum over shifts of the pixels that both images have along one axis.
double overlaps(int size, int first, int count) {
  double sum = 0;
  for (int shift = first; shift < first + count; ++shift) sum += size - std::abs(shift);
  return sum;
}

}  // namespace

const std::vector<CorrelateMethod>& correlate_methods() {
  static const std::vector<CorrelateMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, reference_seconds, make_correlate_reference},
      {"direct", Backend::cpu, refuses_on_host, direct_cpu_seconds, make_correlate_direct_cpu},
      {"fft", Backend::cpu, refuses_on_host, fft_cpu_seconds, make_correlate_fft_cpu},
      {"direct", Backend::cuda, why_no_correlate_on_device, direct_cuda_seconds,
       make_correlate_direct_cuda},
      {"fft", Backend::cuda, why_no_correlate_fft_on_device, fft_cuda_seconds,
       make_correlate_fft_cuda},
  };
  return methods;
}

static const RegisteredMethods correlate_methods_list("correlate", [] {
  return names_of_methods(correlate_methods());
});

static const bool correlate_is_tunable =
    add_sites(correlate_sites()) && add_tunable({"correlate", correlate_tasks, nullptr,
                                                 correlate_tuned_kernels, correlate_pictures});

double correlate_products(const CorrelateProblem& p) {
  return overlaps(p.image.size.width, p.first_shift.x, p.shifts_x) *
         overlaps(p.image.size.height, p.first_shift.y, p.shifts_y) *
         static_cast<double>(p.pairs()) * p.batch;
}

ProblemKey problem_key(const CorrelateProblem& p) {
  return {{{"in", std::string(name_of(p.image.type))}},
          {{"shifts", p.shifts_x},
           {"pairs", static_cast<double>(p.pairs())},
           {"batch", p.batch},
           {"pixels", static_cast<double>(p.image.size.width) * p.image.size.height}}};
}

}  // namespace tessera
