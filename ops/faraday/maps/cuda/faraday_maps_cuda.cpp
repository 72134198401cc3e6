// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/maps/cuda/faraday_maps_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/faraday/cuda/faraday_staged_cuda.hpp"
#include "ops/faraday/cuda/faraday_team_shape.hpp"
#include "ops/faraday/maps/cuda/faraday_maps_args.cuh"
#include "ops/faraday/maps/faraday_map_value.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "faraday maps";

bool measures(const FaradayMapsProblem& p) {
  return std::isnan(p.noise) && needs_faraday_noise(p.maps);
}

/// One warp per spectrum, or one block if a warp has too few registers.
FaradayTeamRequest request(const FaradayMapsProblem& p) {
  const int depths = p.axes.depths(), most = kFaradayMostEach * kFaradayWarp;
  const DeviceInfo& device = device_info(p.device);
  return {p.spectra.type,
          depths,
          depths <= most ? kFaradayWarp : kFaradayTeamThreads,
          false,
          faraday_compiling_pays(p.spectra, p.device, "faraday_measure"),
          device.shared_bytes_per_block};
}

class Columns : public FaradayMapsRunner {
 public:
  explicit Columns(const FaradayMapsProblem& p)
      : device_(p.device),
        phi_(device_, p.axes.phi),
        kernel_(find_kernel(
            device_, {"faraday_maps",
                      p.spectra.type == Type::f64 ? "faraday_maps_f64" : "faraday_maps_f32"})) {
    std::fill(std::begin(args_.plane_of), std::end(args_.plane_of), -1);
    for (std::size_t m = 0; m < p.maps.size(); ++m)
      args_.plane_of[static_cast<int>(p.maps[m])] = static_cast<int>(m);
    args_.rule = faraday_peak_rule(p.axes, p.fwhm, p.noise);
    args_.phi = phi_.as<double>();
    if (measures(p)) use_teams(request(p));
  }

  void run(const FaradayMapsCall& call, Stream& stream) const override {
    const FaradayWorkBytes bytes{0, measuring_ ? 8LL * call.real.size.width : 0};
    run_faraday_strips(kName, {{call.real, call.imaginary, call.bands}, {call.maps}}, bytes, stream,
                       [this](const FaradayStrip& strip, Stream& lane) { enqueue(strip, lane); });
  }

  std::string describe() const override {
    if (!measuring_) return fmt::format("device {}", device_);
    return fmt::format("device {}, noise by {} threads per spectrum, {} depths each, {}", device_,
                       shape_.team_threads, shape_.each, measuring_->origin());
  }

 private:
  void use_teams(const FaradayTeamRequest& r) {
    shape_ = faraday_team_shape(r);
    args_.teams = shape_.teams;
    const std::string body = fmt::format("faraday_measure_pixels<{}, {}, {}>", kernel_type(r.type),
                                         shape_.team_threads, shape_.each);
    measuring_ = &find_kernel(
        device_, {"faraday_measure", "faraday_measure_" + shape_.name, r.compiled ? body : "",
                  "FaradayMapsArgs", std::to_string(kFaradayTeamThreads)});
  }

  void enqueue(const FaradayStrip& strip, Stream& stream) const {
    FaradayMapsArgs a = args_;
    const AnyView &real = strip.in[0], &imaginary = strip.in[1], &bands = strip.in[2];
    const AnyMutableView& maps = strip.out[0];
    a.real = {real.data, real.pixel, real.row, real.plane};
    a.imaginary = {imaginary.data, imaginary.pixel, imaginary.row, imaginary.plane};
    a.bands = {bands.data, bands.pixel, bands.row, bands.plane};
    a.maps = {maps.data, maps.pixel, maps.row, maps.plane};
    a.width = real.size.width;
    a.pixels = 1LL * a.width * strip.rows();
    Scratch noise;
    if (measuring_) {
      noise = stream.scratch(static_cast<std::size_t>(a.pixels) * sizeof(double));
      a.measured = noise.as<double>();
      measuring_->launch(stream, {blocks_for(a.pixels, shape_.teams)},
                         {static_cast<unsigned>(shape_.teams * shape_.team_threads)}, shape_.bytes,
                         a);
    }
    kernel_.launch(stream, {blocks_for(a.pixels, kFaradayMapThreads)}, {kFaradayMapThreads}, 0, a);
    phi_.used_by(stream);
  }

  int device_;
  Resident phi_;
  const GpuKernel& kernel_;
  const GpuKernel* measuring_ = nullptr;
  FaradayTeamShape shape_{};
  FaradayMapsArgs args_{};
};

}  // namespace

std::string why_no_faraday_columns(const FaradayMapsProblem& p) {
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  return measures(p) ? why_no_faraday_team_shape(request(p)) : "";
}

// Spectra are read once at 80% of the memory bandwidth, and twice more for moments; measuring noise
// takes 40 counts of two numbers per depth, three instructions each. Estimated by counting.
double faraday_columns_seconds(const FaradayMapsProblem& p, const Machine& m) {
  const double bytes = 2 * static_cast<double>(bytes_of(p.spectra)),
               counts = 80 * static_cast<double>(p.spectra.size.pixels());
  const bool moments = std::count(p.maps.begin(), p.maps.end(), FaradayMap::second_moment) > 0;
  return 20e-6 + (moments ? 3 : 1) * bytes / (0.8 * m.device_bytes_per_second(p.device)) +
         (measures(p) ? 3 * counts / (0.5 * m.device_flops(p.device) / 2) : 0) +
         (p.spectra.device == kHost ? link_seconds(p.device, bytes, 0) : 0);
}

FaradayMapsRunnerPointer make_faraday_columns(const FaradayMapsProblem& problem) {
  return std::make_unique<Columns>(problem);
}

}  // namespace tessera
