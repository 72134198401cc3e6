// SPDX-License-Identifier: Apache-2.0
// The definition of RM-CLEAN. If a fast path finds different components, the fast path is wrong.
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "ops/faraday/clean/faraday_clean_problem.hpp"
#include "ops/faraday/clean/faraday_clean_step.cuh"
#include "ops/faraday/clean/faraday_clean_tables.hpp"

namespace tessera {
namespace {

template <class Real>
using Spectrum = std::vector<CleanPart<Real>>;

/// RM-CLEAN of one spectrum.
template <class Real>
struct Cleaning {
  const FaradayCleanOptions& options;
  const CleanTables<Real>& tables;
  Spectrum<Real> residual, components;
  std::vector<bool> allowed;  ///< depths at which components are allowed
  int iterations = 0;

  int depths() const { return static_cast<int>(residual.size()); }

  /// The depth of the largest residual, the first of equals.
  std::size_t peak() const {
    std::size_t best = 0;
    for (std::size_t q = 1; q < residual.size(); ++q)
      if (power(q) > power(best)) best = q;
    return best;
  }
  Real power(std::size_t q) const {
    return allowed[q] ? clean_power(residual[q].re, residual[q].im) : Real(0);
  }

  void clean_down_to(Real level) {
    for (; iterations < options.iterations; ++iterations) {
      const std::size_t p = peak();
      if (!clean_goes_on(power(p), level)) return;
      const auto part =
          clean_component(static_cast<Real>(options.gain), residual[p].re, residual[p].im);
      components[p].re += part.re;
      components[p].im += part.im;
      for (std::size_t q = 0; q < residual.size(); ++q) {
        const std::size_t shifted = q + residual.size() - p;
        residual[q] = clean_subtract(residual[q], part, {tables.re[shifted], tables.im[shifted]});
      }
    }
  }

  bool is_component(int p) const {
    const auto& c = components[static_cast<std::size_t>(p)];
    return c.re != 0 || c.im != 0;
  }

  void allow_only_round_components() {
    std::fill(allowed.begin(), allowed.end(), false);
    for (int p = 0; p < depths(); ++p)
      for (int q = p - tables.half_window; is_component(p) && q <= p + tables.half_window; ++q)
        if (q >= 0 && q < depths()) allowed[static_cast<std::size_t>(q)] = true;
  }

  /// The components, as wide as the main lobe, and the residual.
  CleanPart<Real> restored(int q) const {
    CleanPart<Real> sum{0, 0};
    for (int p = 0; p < depths(); ++p) {
      if (std::abs(q - p) > tables.reach) continue;
      const Real height = tables.beam[static_cast<std::size_t>(q - p + tables.reach)];
      sum.re += components[static_cast<std::size_t>(p)].re * height;
      sum.im += components[static_cast<std::size_t>(p)].im * height;
    }
    const auto& rest = residual[static_cast<std::size_t>(q)];
    return {sum.re + rest.re, sum.im + rest.im};
  }
};

template <class Real>
bool is_finite(const Spectrum<Real>& spectrum) {
  return std::all_of(spectrum.begin(), spectrum.end(), [](const CleanPart<Real>& v) {
    return std::isfinite(v.re) && std::isfinite(v.im);
  });
}

template <class Real>
Real scale_of(const Spectrum<Real>& spectrum) {
  Real largest = 0;
  for (const auto& v : spectrum) largest = std::max({largest, std::abs(v.re), std::abs(v.im)});
  return clean_scale(largest);
}

template <class Real>
Spectrum<Real> times(Spectrum<Real> spectrum, Real factor) {
  for (auto& v : spectrum) v = {v.re * factor, v.im * factor};
  return spectrum;
}

template <class Real>
struct Cleaned {
  Spectrum<Real> spectrum, components;
  int iterations = 0;
};

/// Spectra that do not reach their cutoff, or are not finite, stay as they are. A window that is
/// NaN: no second pass.
template <class Real>
Cleaned<Real> cleaned(const Spectrum<Real>& dirty, const CleanTables<Real>& tables,
                      const FaradayCleanOptions& options, double cutoff, double window) {
  Cleaned<Real> unchanged{dirty, Spectrum<Real>(dirty.size())};
  if (!is_finite(dirty)) return unchanged;
  const Real scale = scale_of(dirty);
  Cleaning<Real> work{options, tables, times(dirty, scale), unchanged.components,
                      std::vector<bool>(dirty.size(), true)};
  work.clean_down_to(clean_level(cutoff, scale));
  if (work.iterations == 0) return unchanged;
  if (window >= 0) {
    work.allow_only_round_components();
    work.clean_down_to(clean_level(window, scale));
  }
  Spectrum<Real> restored;
  for (int q = 0; q < work.depths(); ++q) restored.push_back(work.restored(q));
  return {times(restored, 1 / scale), times(work.components, 1 / scale), work.iterations};
}

template <class Real>
void store(const Spectrum<Real>& spectrum, const AnyMutableView& re, const AnyMutableView& im,
           int x, int y) {
  for (std::size_t p = 0; p < spectrum.size(); ++p) {
    if (re.data) re.as<Real>().at(x, y, 0, static_cast<int>(p)) = spectrum[p].re;
    if (im.data) im.as<Real>().at(x, y, 0, static_cast<int>(p)) = spectrum[p].im;
  }
}

template <class Real>
class Reference : public FaradayCleanRunner {
 public:
  explicit Reference(const FaradayCleanProblem& problem)
      : problem_(problem), tables_(problem.rmsf, problem.depths(), problem.dphi) {}

  void run(const FaradayDirty& dirty, const FaradayCleaned& out, Stream& stream) const override {
    const auto re = dirty.real.as<const Real>(), im = dirty.imaginary.as<const Real>();
    parallel_for(re.size.height, stream.threads(), [&](int y) {
      for (int x = 0; x < re.size.width; ++x) {
        poll_stop();
        Spectrum<Real> spectrum;
        for (int p = 0; p < problem_.depths(); ++p)
          spectrum.push_back({re.at(x, y, 0, p), im.at(x, y, 0, p)});
        const Cleaned<Real> made = clean_one(spectrum, dirty, x, y);
        store(made.spectrum, out.real, out.imaginary, x, y);
        store(made.components, out.components_real, out.components_imaginary, x, y);
        if (out.iterations.data)
          out.iterations.as<Real>().at(x, y) = static_cast<Real>(made.iterations);
      }
    });
  }
  std::string describe() const override { return "plain"; }

 private:
  static double value_at(const AnyView& map, int x, int y, double otherwise) {
    return map.data ? static_cast<double>(map.as<const Real>().at(x, y)) : otherwise;
  }

  Cleaned<Real> clean_one(const Spectrum<Real>& spectrum, const FaradayDirty& dirty, int x,
                          int y) const {
    const FaradayCleanOptions& o = problem_.options;
    const double cutoff = value_at(dirty.cutoff, x, y, o.cutoff);
    const double window = value_at(dirty.window, x, y, o.window.value_or(std::nan("")));
    const std::size_t pixel = static_cast<std::size_t>(y) * dirty.real.size.width + x;
    const int own = dirty.rmsf_of_pixel.empty() ? -1 : dirty.rmsf_of_pixel[pixel];
    if (own < 0) return cleaned(spectrum, tables_, o, cutoff, window);
    const FaradayRmsf& rmsf = dirty.own_rmsfs[static_cast<std::size_t>(own)];
    return cleaned(spectrum, CleanTables<Real>(rmsf, problem_.depths(), problem_.dphi), o, cutoff,
                   window);
  }

  FaradayCleanProblem problem_;
  CleanTables<Real> tables_;
};

}  // namespace

FaradayCleanRunnerPointer make_faraday_clean_reference(const FaradayCleanProblem& problem) {
  if (problem.spectra.type == Type::f64) return std::make_unique<Reference<double>>(problem);
  return std::make_unique<Reference<float>>(problem);
}

}  // namespace tessera
