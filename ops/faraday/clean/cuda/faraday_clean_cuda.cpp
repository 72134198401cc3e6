// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN on a GPU: tables and launches.
#include "ops/faraday/clean/cuda/faraday_clean_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <span>

#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/faraday/clean/cuda/faraday_clean_device_tables.hpp"
#include "ops/faraday/cuda/faraday_staged_cuda.hpp"
#include "ops/faraday/cuda/faraday_team_shape.hpp"

namespace tessera {
namespace {

/// Blocks per multiprocessor, several times as many as run at once, so that little time is lost
/// waiting for the last ones.
constexpr int kBlocks = 16;

/// If a team is a whole block, there is no room for tables.
FaradayTeamRequest request(const FaradayCleanProblem& p, int team_threads, bool own = false) {
  return {p.spectra.type,
          p.depths(),
          team_threads,
          !own && team_threads == kFaradayWarp,
          faraday_compiling_pays(p.spectra, p.device, "faraday_clean"),
          device_info(p.device).shared_bytes_per_block};
}

FaradaySource source_of(const AnyView& v) { return {v.data, v.pixel, v.row, v.plane}; }
FaradayTarget target_of(const AnyMutableView& v) { return {v.data, v.pixel, v.row, v.plane}; }

/// Tables on the device, and which of them each pixel uses; null: all use the first.
struct Tables {
  template <class Real>
  Tables(int device, const CleanDeviceTables<Real>& made, const std::vector<int>& own = {})
      : numbers(device, made.numbers), half_windows(device, made.half_windows) {
    if (!own.empty()) of_pixel.emplace(device, own);
  }
  void used_by(const Stream& stream) const {
    numbers.used_by(stream);
    half_windows.used_by(stream);
    if (of_pixel) of_pixel->used_by(stream);
  }
  long long bytes() const {
    return static_cast<long long>(numbers.bytes() + half_windows.bytes() +
                                  (of_pixel ? of_pixel->bytes() : 0));
  }
  Resident numbers, half_windows;
  std::optional<Resident> of_pixel = {};
};

const GpuKernel& kernel_for(const FaradayTeamRequest& r, const FaradayTeamShape& s, int device) {
  const bool many = !r.table;
  const std::string body = fmt::format("faraday_clean_pixels<{}, CleanKnobs{{{}, {}, true}}, {}>",
                                       kernel_type(r.type), s.team_threads, s.each, many);
  return find_kernel(
      device, {"faraday_clean", "faraday_clean_" + s.name + (many ? "_many" : ""),
               r.compiled ? body : "", "FaradayCleanArgs", std::to_string(kFaradayTeamThreads)});
}

/// A kernel and its launch parameters.
struct Launch {
  Launch(const FaradayTeamRequest& request, int device)
      : shape(faraday_team_shape(request)), kernel(kernel_for(request, shape, device)) {}

  FaradayTeamShape shape;
  const GpuKernel& kernel;
};

template <class Real>
class CleanCuda : public FaradayCleanRunner {
 public:
  CleanCuda(const FaradayCleanProblem& problem, int team_threads)
      : problem_(problem),
        team_threads_(team_threads),
        plain_(request(problem, team_threads), problem.device),
        tables_(problem.device, device_tables(plain_, {})) {}

  void run(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
           Stream& stream) const override {
    const FaradayStrip all{{dirty.real, dirty.imaginary, dirty.cutoff, dirty.window},
                           {cleaned.real, cleaned.imaginary, cleaned.components_real,
                            cleaned.components_imaginary, cleaned.iterations}};
    const auto run_with = [&](const Launch& launch, const Tables& tables) {
      run_faraday_strips(
          "faraday", all, {.shared = tables.bytes()}, stream,
          [&](const FaradayStrip& strip, Stream& lane) { enqueue(launch, tables, strip, lane); });
    };
    if (dirty.own_rmsfs.empty()) return run_with(plain_, tables_);
    std::vector<int> table_of_pixel;
    for (const int own : dirty.rmsf_of_pixel) table_of_pixel.push_back(own + 1);  // 0: the plan's
    const Launch& own = own_launch();
    run_with(own, Tables(problem_.device, device_tables(own, dirty.own_rmsfs), table_of_pixel));
  }

  std::string describe() const override {
    return fmt::format("device {}, {} depths per thread, {} pixels per block, {}", problem_.device,
                       plain_.shape.each, plain_.shape.teams, plain_.kernel.origin());
  }

 private:
  /// For pixels with their own RMSFs. Created on first use, because most plans never have any and a
  /// kernel takes seconds to compile.
  const Launch& own_launch() const {
    std::call_once(own_once_, [this] {
      own_.emplace(request(problem_, team_threads_, true), problem_.device);
    });
    return *own_;
  }

  CleanDeviceTables<Real> device_tables(const Launch& launch,
                                        std::span<const FaradayRmsf> own) const {
    CleanDeviceTables<Real> made{problem_.depths(), launch.shape.entries, problem_.dphi};
    made.add(problem_.rmsf);
    for (const FaradayRmsf& rmsf : own) made.add(rmsf);
    return made;
  }

  void enqueue(const Launch& launch, const Tables& tables, const FaradayStrip& strip,
               Stream& stream) const {
    const FaradayCleanOptions& o = problem_.options;
    const FaradayTeamShape& s = launch.shape;
    FaradayCleanArgs a{};
    a.real = source_of(strip.in[0]);
    a.imaginary = source_of(strip.in[1]);
    a.cutoffs = source_of(strip.in[2]);
    a.windows = source_of(strip.in[3]);
    a.clean_real = target_of(strip.out[0]);
    a.clean_imaginary = target_of(strip.out[1]);
    a.components_real = target_of(strip.out[2]);
    a.components_imaginary = target_of(strip.out[3]);
    a.iteration_map = target_of(strip.out[4]);
    a.width = strip.in[0].size.width;
    a.pixels = 1LL * a.width * strip.rows();
    a.tables = tables.numbers.template as<void>();
    a.half_windows = tables.half_windows.template as<int>();
    if (tables.of_pixel)
      a.table_of_pixel = tables.of_pixel->template as<int>() + 1LL * strip.first_row * a.width;
    a.cutoff = o.cutoff;
    a.window = o.window.value_or(std::numeric_limits<double>::quiet_NaN());
    a.gain = o.gain;
    a.depths = problem_.depths();
    a.iterations = o.iterations;
    a.entries = s.entries;
    a.teams = s.teams;
    const unsigned blocks =
        std::min(blocks_for(a.pixels, s.teams),
                 static_cast<unsigned>(kBlocks * device_info(problem_.device).multiprocessors));
    launch.kernel.launch(stream, {blocks}, {static_cast<unsigned>(s.teams * s.team_threads)},
                         s.bytes, a);
    tables.used_by(stream);
  }

  FaradayCleanProblem problem_;
  int team_threads_;
  Launch plain_;
  mutable std::once_flag own_once_;
  mutable std::optional<Launch> own_;
  Tables tables_;
};

FaradayCleanRunnerPointer make(const FaradayCleanProblem& p, int team_threads) {
  if (p.spectra.type == Type::f64) return std::make_unique<CleanCuda<double>>(p, team_threads);
  return std::make_unique<CleanCuda<float>>(p, team_threads);
}

std::string why_not(const FaradayCleanProblem& p, int team_threads) {
  if (std::string reason = why_no_device(p.device); !reason.empty()) return reason;
  return why_no_faraday_team_shape(request(p, team_threads));
}

// 23 instructions per depth and pass at half the rate of all: measured on an H200, 125 million
// pixels/s with 12 iterations of 401 depths. Doubles at half of that, estimated. Spectra are read
// and written once, over the link if they are on the host.
double seconds(const FaradayCleanProblem& p, const Machine& m) {
  const double passes = 12 * static_cast<double>(p.spectra.size.pixels()),
               bytes = 4 * static_cast<double>(bytes_of(p.spectra)),
               wide = p.spectra.type == Type::f64 ? 2 : 1;
  return 20e-6 + 23 * wide * passes / (0.5 * m.device_flops(p.device) / 2) +
         bytes / m.device_bytes_per_second(p.device) +
         (p.spectra.device == kHost ? link_seconds(p.device, bytes / 2, bytes / 2) : 0);
}

}  // namespace

std::string why_no_faraday_clean_warps(const FaradayCleanProblem& p) {
  return why_not(p, kFaradayWarp);
}
std::string why_no_faraday_clean_blocks(const FaradayCleanProblem& p) {
  return why_not(p, kFaradayTeamThreads);
}
double faraday_clean_warps_seconds(const FaradayCleanProblem& p, const Machine& m) {
  return seconds(p, m);
}
// All warps of a block wait for each other four times per pass, and a pixel's depths are read one
// by one. Measured on an H200: 35 million pixels/s.
double faraday_clean_blocks_seconds(const FaradayCleanProblem& p, const Machine& m) {
  return 3.5 * seconds(p, m);
}
FaradayCleanRunnerPointer make_faraday_clean_warps(const FaradayCleanProblem& p) {
  return make(p, kFaradayWarp);
}
FaradayCleanRunnerPointer make_faraday_clean_blocks(const FaradayCleanProblem& p) {
  return make(p, kFaradayTeamThreads);
}

}  // namespace tessera
