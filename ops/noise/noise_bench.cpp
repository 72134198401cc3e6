// SPDX-License-Identifier: Apache-2.0
// Benchmarks of noise: every method in modes exact and binned, boxes of 16 to 256, a sky with
// blanks, other estimators and grids; on a device with images that lie there and images of the
// host. of_peak is the share of the measured copy bandwidth, from the bytes of image and maps: it
// shows the cost of a box besides reading its pixels once. On the CPU images are small, so that
// every case runs quickly; with TESSERA_BENCH_LARGE set there are images of 4096 too.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "ops/noise/noise_check.hpp"
#include "ops/noise/study/noise_sky.hpp"
#include "study/bench_case.hpp"
#include "study/placed_image.hpp"
#include "tessera/noise_grid.hpp"

namespace tessera {
namespace {

struct Way {
  Backend backend = Backend::cpu;
  std::string method = "auto";
  NoiseMode mode = NoiseMode::exact;
  int side = 1024, box = 64;
  int step = 0;  ///< of a grid
  NoiseEstimator estimator = NoiseEstimator::iqr;
  bool blanks = false, from_host = false;
  int threads = 0;  ///< of the CPU; 0: all

  bool on_device() const { return backend == Backend::cuda && !from_host; }
  NoiseOptions options() const {
    NoiseOptions o{.box = {box, box}, .mode = mode, .estimator = estimator};
    if (step > 0) o.grid = NoiseBox{step, step};
    o.backend = backend;
    o.method = method;
    return o;
  }
};

double peak_bytes(const Way& way) {
  if (way.backend == Backend::cuda) return measure_device(0).copy_bytes;
  return way.threads == 1 ? measure_cpu().copy_bytes_one : measure_cpu().copy_bytes_all;
}

/// Points across the image, including both corners.
std::vector<int> some_places(int side) {
  std::vector<int> places;
  for (int k = 0; k < 8; ++k) places.push_back(k * (side - 1) / 7);
  return places;
}

/// The largest error of a map. Counted quantiles lie in the bin of a value or half a bin above it,
/// exact ones between that value and the next. These two are about 1 / (values per unit of the
/// image) apart: 3 values per unit for each pixel of the box, a quarter of that in a corner.
/// Clipped means are sums.
double bound_of(const Way& way) {
  const double values = way.box * way.box;
  if (way.mode == NoiseMode::binned) return 3 * 12.0 / NoiseOptions{}.bins + 100 / values;
  const bool sums = way.estimator == NoiseEstimator::clip || way.estimator == NoiseEstimator::mode;
  return sums || way.mode == NoiseMode::grid ? 1e-5 : 0;
}

/// Boxes by themselves are enough to catch a wrong answer.
std::string disagreement(const Way& way, const Image& in, const Image& maps,
                         const NoiseLattice& points) {
  NoiseOptions options = way.options();
  if (options.mode == NoiseMode::binned) options.mode = NoiseMode::exact;
  const NoiseProblem problem = make_noise_problem(in.info(), options);
  std::vector<double> truth(2 * points.columns.size() * points.rows.size());
  Stream stream;
  make_noise_points_cpu(problem)->at({in.view(), 0}, points, truth.data(), stream);
  auto right = truth.begin();
  for (int p = 0; p < 2; ++p)
    for (const int y : points.rows)
      for (const int x : points.columns) {
        const bool blank = std::isnan(in.as<float>().at(x, y));
        const double wanted = blank ? NAN : double{static_cast<float>(*right)};
        const double found{maps.as<float>().at(x, y, 0, p)};
        ++right;
        if (std::isnan(wanted) ? std::isnan(found) : std::abs(found - wanted) <= bound_of(way))
          continue;
        return fmt::format("plane {}, pixel {},{} is {}, not {}", p, x, y, found, wanted);
      }
  return "";
}

void time_maps(benchmark::State& state, const Way& way, const std::string& label,
               const std::function<void()>& work) {
  const double pixels = 1.0 * way.side * way.side;
  time_work(state, "bytes", 3 * sizeof(float) * pixels, peak_bytes(way), work);
  state.counters["pixels"] =
      benchmark::Counter(pixels, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(label);
}

void time_noise(benchmark::State& state, const Way& way) {
  Image image = noise_sky(way.side, way.blanks), maps({way.side, way.side, 1, 2}, Type::f32);
  Stream stream(way.backend == Backend::cuda ? 0 : kHost, way.threads);
  const PlacedImage in(image, way.on_device(), stream), out(maps, way.on_device(), stream);
  const Noise plan(in.view().info(), way.options());
  const auto work = [&] {
    plan(Piece{in.view(), 0}, MutablePiece{out.view(), 0}, stream);
    stream.wait();
  };
  work();
  out.fetch(stream);
  const std::vector<int> places = some_places(way.side);
  // A fast wrong answer is not a result: compare first, time afterwards.
  if (const auto wrong = disagreement(way, image, maps, {places, places}); !wrong.empty())
    return state.SkipWithError(wrong.c_str());
  time_maps(state, way, plan.describe(), work);
}

/// Maps are drawn on the host.
void time_grid(benchmark::State& state, const Way& way) {
  Image image = noise_sky(way.side, way.blanks), maps({way.side, way.side, 1, 2}, Type::f32);
  Stream stream(way.backend == Backend::cuda ? 0 : kHost, way.threads);
  const PlacedImage in(image, way.on_device(), stream);
  const NoiseGrid plan(in.view().info(), way.options());
  const auto work = [&] {
    NoiseNodes nodes = plan.nodes();
    plan.measure(nodes, {in.view(), 0}, {0, plan.node_rows()}, stream);
    plan.settle(nodes);
    plan.draw(nodes, {0, way.side}, maps.view(), stream);
  };
  work();
  const NoiseNodes nodes = plan.nodes();
  const std::vector<int> columns{nodes.columns[0], nodes.columns[3], nodes.columns.back()};
  const std::vector<int> rows{nodes.rows[0], nodes.rows[5], nodes.rows.back()};
  if (const auto wrong = disagreement(way, image, maps, {columns, rows}); !wrong.empty())
    return state.SkipWithError(wrong.c_str());
  time_maps(state, way, plan.describe(), work);
}

void add(const Way& way) {
  const bool cuda = way.backend == Backend::cuda, grid = way.mode == NoiseMode::grid;
  std::string name =
      fmt::format("noise/{}/{}/{}{}/box:{}/side:{}", cuda ? "cuda" : "cpu", way.method,
                  name_of(way.mode), grid ? fmt::format(":{}", way.step) : "", way.box, way.side);
  if (way.estimator != NoiseEstimator::iqr) name += fmt::format("/{}", name_of(way.estimator));
  if (way.blanks) name += "/blanks";
  if (way.threads == 1) name += "/one-thread";
  if (cuda) name += way.from_host ? "/from-host" : "/resident";
  add_case(name, way.backend, [way, work = grid ? time_grid : time_noise](benchmark::State& state) {
    work(state, way);
  });
}

/// Boxes that slide, in images of one side.
void add_sliding(Way way) {
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned}) {
    way.mode = mode;
    for (const int box : {16, 64, 128, 256}) {
      way.box = box;
      add(way);
    }
    way.box = 64;
    way.blanks = true;
    add(way);
    way.blanks = false;
  }
}

/// Boxes by themselves: all estimators, and nodes of grids.
void add_by_itself(Way way, int side_of_grids) {
  for (const auto& [name, estimator] : Names<NoiseEstimator>::list) {
    way.estimator = estimator;
    add(way);
  }
  way.estimator = NoiseEstimator::iqr;
  way.mode = NoiseMode::grid;
  way.side = side_of_grids;
  for (const int step : {64, 16}) {
    way.step = step;
    add(way);
  }
}

const bool registered = [] {
  add_sliding({.backend = Backend::cpu, .method = "columns", .side = 1024});
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned}) {
    add({.backend = Backend::cpu, .method = "columns", .mode = mode, .side = 512, .threads = 1});
    if (std::getenv("TESSERA_BENCH_LARGE"))
      add({.backend = Backend::cpu, .method = "columns", .mode = mode, .side = 4096});
  }
  add_by_itself({.backend = Backend::cpu, .method = "boxes", .side = 64}, 1024);
  for (const bool from_host : {false, true}) {
    Way way{.backend = Backend::cuda, .method = "warps", .side = 4096};
    way.from_host = from_host;
    add_sliding(way);
    way.method = "boxes";
    way.side = 512;
    add_by_itself(way, 4096);
  }
  return true;
}();

}  // namespace
}  // namespace tessera
