// SPDX-License-Identifier: Apache-2.0
// Benchmarks of faraday: synthesis of 300 channels to 401 depths by every method there is, RM-CLEAN
// with a dozen iterations per pixel, maps. Flop are those of the plain sum, 8 per channel, depth
// and pixel, whatever a method does: the share of an NUFFT is above 1. Bytes are those that must
// move: everything is read and written once.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "ops/faraday/clean/faraday_clean_problem.hpp"
#include "ops/faraday/maps/faraday_maps_problem.hpp"
#include "ops/faraday/study/faraday_spot_check.hpp"
#include "ops/faraday/synth/cpu/faraday_gemm.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"
#include "study/bench_case.hpp"
#include "study/placed_image.hpp"
#include "tessera/faraday_clean.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {
namespace {

struct Way {
  Backend backend = Backend::cpu;
  std::string method;
  int side = 128;
  int threads = 0;  ///< of the CPU; 0: all
  Type type = Type::f32;
};

/// Planes in the memory that the case asks for.
struct Planes : PlacedImage {
  Planes(Image& image, const Way& way, Stream& stream)
      : PlacedImage(image, way.backend == Backend::cuda, stream) {}
};

double peak_flops(const Way& way) {
  const double single = way.backend == Backend::cuda ? measure_device(0).fma_flops
                        : way.threads == 1           ? measure_cpu().fma_flops_one
                                                     : measure_cpu().fma_flops_all;
  return way.type == Type::f64 ? single / 2 : single;
}
double peak_bytes(const Way& way) {
  return way.backend == Backend::cuda ? measure_device(0).copy_bytes
         : way.threads == 1           ? measure_cpu().copy_bytes_one
                                      : measure_cpu().copy_bytes_all;
}

Image cube_of(const Way& way, unsigned seed) {
  const Image single = benchmark_image({way.side, way.side, 1, kSpotChannels}, seed);
  if (way.type == Type::f32) return copy(single.view());
  Image wide(single.info().size, Type::f64);
  std::copy_n(single.as<float>().data, single.info().size.samples(), wide.as<double>().data);
  return wide;
}

void time_synth(benchmark::State& state, const Way& way) {
  const FaradayAxes axes = spot_axes();
  Image q = cube_of(way, 1), u = cube_of(way, 2);
  Image real({way.side, way.side, 1, axes.depths()}, way.type), imaginary(real.info());
  if (way.backend == Backend::cpu && way.method == "gemm")
    if (const std::string why = why_no_faraday_gemm({q.info(), real.info(), axes}); !why.empty())
      return state.SkipWithError(("absent: " + why).c_str());
  Stream stream(way.backend == Backend::cuda ? 0 : kHost, way.threads);
  const Planes given_q(q, way, stream), given_u(u, way, stream), made_real(real, way, stream),
      made_imaginary(imaginary, way, stream);
  const FaradaySynth plan(given_q.view().info(), axes,
                          {.backend = way.backend, .method = way.method});
  const auto work = [&] {
    plan(given_q.view(), given_u.view(), made_real.view(), made_imaginary.view(), stream);
    stream.wait();
  };
  work();
  made_real.fetch(stream);
  made_imaginary.fetch(stream);
  // A fast wrong answer is not a result: compare first, time afterwards.
  if (!spectra_agree(q.view(), u.view(), axes, real.view(), imaginary.view()))
    return state.SkipWithError("differs from the reference by more than the bound");
  const double pixels = 1.0 * way.side * way.side;
  time_work(state, "flops", 8 * pixels * kSpotChannels * axes.depths(), peak_flops(way), work);
  const double bytes = 2 * pixels * (kSpotChannels + axes.depths()) * bytes_of(way.type);
  state.counters["bytes"] =
      benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_copy"] = state.counters["of_peak"] * bytes / peak_bytes(way) *
                              peak_flops(way) / (8 * pixels * kSpotChannels * axes.depths());
  state.SetLabel(plan.describe());
}

/// Spectra of one source per pixel at different depths, with the side lobes that CLEAN removes.
void fill_spectra(const FaradayAxes& axes, const FaradayRmsf& rmsf, Image& real, Image& imaginary) {
  const Size size = real.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int at = 50 + (7 * x + 13 * y) % (axes.depths() - 100);
      for (int p = 0; p < size.planes; ++p) {
        const auto lobe = rmsf.value[static_cast<std::size_t>(rmsf.centre() + p - at)];
        real.as<float>().at(x, y, 0, p) = static_cast<float>(lobe.real());
        imaginary.as<float>().at(x, y, 0, p) = static_cast<float>(lobe.imag());
      }
    }
}

/// Some pixels, to 1e-4 of the peak, which is 1.
bool cleaned_right(const Image& real, const Image& imaginary, const FaradayRmsf& rmsf,
                   double cutoff, const Image& clean_real, const Image& clean_imaginary) {
  const Size size = real.info().size;
  for (const int at : {0, size.width / 3, size.width - 1}) {
    const FaradayClean reference(
        pixel_of(real.view(), at, at).info(), rmsf,
        {.cutoff = cutoff, .backend = Backend::cpu, .method = "reference"});
    Image re({1, 1, 1, size.planes}, Type::f32), im(re.info());
    reference(
        {.real = pixel_of(real.view(), at, at), .imaginary = pixel_of(imaginary.view(), at, at)},
        {.real = re.view(), .imaginary = im.view()});
    for (int p = 0; p < size.planes; ++p)
      if (!(std::hypot(value_at(clean_real.view(), at, at, p) - value_at(re.view(), 0, 0, p),
                       value_at(clean_imaginary.view(), at, at, p) -
                           value_at(im.view(), 0, 0, p)) <= 1e-4))
        return false;
  }
  return true;
}

void time_clean(benchmark::State& state, const Way& way) {
  const FaradayAxes axes = spot_axes();
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  Image real({way.side, way.side, 1, axes.depths()}, Type::f32), imaginary(real.info()),
      clean_real(real.info()), clean_imaginary(real.info()),
      counts({way.side, way.side}, Type::f32);
  fill_spectra(axes, rmsf, real, imaginary);
  Stream stream(way.backend == Backend::cuda ? 0 : kHost, way.threads);
  const Planes re(real, way, stream), im(imaginary, way, stream), out_re(clean_real, way, stream),
      out_im(clean_imaginary, way, stream), iterations(counts, way, stream);
  constexpr double kCutoff = 0.29;  // 0.9^12 = 0.282: the rest of a source of 1 after 12 components
  const FaradayClean plan(re.view().info(), rmsf,
                          {.cutoff = kCutoff, .backend = way.backend, .method = way.method});
  const FaradayDirty dirty{.real = re.view(), .imaginary = im.view()};
  const FaradayCleaned cleaned{.real = out_re.view(),
                               .imaginary = out_im.view(),
                               .components_real = {},
                               .components_imaginary = {},
                               .iterations = iterations.view()};
  const auto work = [&] {
    plan(dirty, cleaned, stream);
    stream.wait();
  };
  work();
  for (const Planes* made : {&iterations, &out_re, &out_im}) made->fetch(stream);
  if (!cleaned_right(real, imaginary, rmsf, kCutoff, clean_real, clean_imaginary))
    return state.SkipWithError("differs from the reference by more than the bound");
  double sum = 0;
  for (long long k = 0; k < counts.info().size.samples(); ++k)
    sum += double{counts.as<float>().data[k]};
  const double pixels = 1.0 * way.side * way.side;
  if (!(sum / pixels > 11.5 && sum / pixels < 12.5))
    return state.SkipWithError(
        fmt::format("{} iterations per pixel, not 12", sum / pixels).c_str());
  // The peak is that of the bytes: dirty spectra are read, clean ones written.
  const double bytes = 4 * pixels * axes.depths() * 4;
  time_work(state, "bytes", bytes, peak_bytes(way), work);
  state.counters["pixels"] =
      benchmark::Counter(pixels, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["iterations"] = sum / pixels;
  state.SetLabel(plan.describe());
}

void time_maps(benchmark::State& state, const Way& way) {
  const FaradayAxes axes = spot_axes();
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  Image real({way.side, way.side, 1, axes.depths()}, Type::f32), imaginary(real.info());
  fill_spectra(axes, rmsf, real, imaginary);
  const std::vector<FaradayMap> wanted{FaradayMap::max_pi, FaradayMap::peak_rm,
                                       FaradayMap::rm,     FaradayMap::rm_error,
                                       FaradayMap::pi,     FaradayMap::angle_0};
  Image maps({way.side, way.side, 1, static_cast<int>(wanted.size())}, Type::f32);
  Stream stream(way.backend == Backend::cuda ? 0 : kHost, way.threads);
  const Planes re(real, way, stream), im(imaginary, way, stream), out(maps, way, stream);
  const FaradayMaps plan(re.view().info(), axes, rmsf.fwhm, wanted,
                         {.noise = 1e-3, .backend = way.backend, .method = way.method});
  const auto work = [&] {
    plan(re.view(), im.view(), out.view(), stream);
    stream.wait();
  };
  work();
  out.fetch(stream);
  for (const int at : {0, way.side / 2, way.side - 1}) {
    const double right = axes.phi[static_cast<std::size_t>(50 + 20 * at % (axes.depths() - 100))];
    if (!(std::abs(double{maps.as<float>().at(at, at, 0, 2)} - right) < 0.1 * kSpotStep))
      return state.SkipWithError("finds the source at another depth");
  }
  const double pixels = 1.0 * way.side * way.side;
  time_work(state, "bytes", 4 * pixels * (2 * axes.depths() + static_cast<double>(wanted.size())),
            peak_bytes(way), work);
  state.counters["pixels"] =
      benchmark::Counter(pixels, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(plan.describe());
}

void add(const std::string& name, const Way& way, void (*work)(benchmark::State&, const Way&)) {
  add_case("faraday/" + name, way.backend,
           [way, work](benchmark::State& state) { work(state, way); });
}

/// Every method of a table except the reference: new ones appear by themselves.
template <class Methods>
void add_methods(const std::string& part, const Methods& methods, const std::vector<Type>& types,
                 void (*work)(benchmark::State&, const Way&)) {
  for (const auto& method : methods) {
    if (method.name == std::string("reference")) continue;
    const bool cuda = method.backend == Backend::cuda;
    for (const Type type : types) {
      // A NUFFT's own error is float's: it refuses doubles.
      if (method.name == std::string("nufft") && type == Type::f64) continue;
      Way way{method.backend, method.name, cuda ? 512 : 128, 0, type};
      const std::string name =
          fmt::format("{}/{}/{}/{}", part, cuda ? "cuda" : "cpu", method.name, name_of(type));
      add(name + (cuda ? "/resident" : ""), way, work);
      way.threads = 1;
      if (!cuda) add(name + "/one-thread", way, work);
    }
  }
}

const bool registered = [] {
  add_methods("synth", faraday_methods(), {Type::f32, Type::f64}, time_synth);
  add_methods("clean", faraday_clean_methods(), {Type::f32}, time_clean);
  add_methods("maps", faraday_maps_methods(), {Type::f32}, time_maps);
  return true;
}();

}  // namespace
}  // namespace tessera
