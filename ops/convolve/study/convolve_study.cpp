// SPDX-License-Identifier: Apache-2.0
// The paper's ladder, rung by rung, and the product's methods at its end.
#include "ops/convolve/study/convolve_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/machine.hpp"
#include "ops/convolve/study/ladder_launch.hpp"
#include "study/published.hpp"
#include "study/study_checks.hpp"
#include "study/study_loops.hpp"
#include "tessera/convolve.hpp"

namespace tessera {
namespace {

constexpr int kMostSide = 43, kPaperSide = 4096;
constexpr const char* kNotes =
    R"(Sizes are odd square filters 3-43 unless given; 17x43 is not square. Rungs: 1
naive, 2 constant memory, 3 shared tile, 4 one element per thread, 5a and 5b 1x2
and 1x4 tiling, 6 padding columns, 7 adaptive tiling, 8 unrolled, 9 read-only
loads, 10 the product's direct, 10b the talk's nine pixels per thread; s1
horizontal, s2 vertical, s3 both passes, s4 the product's separable; fft the
product's FFT. A rung that does not run here says why.
Examples:
  tessera study convolve
  tessera study convolve --sizes 3,5,17x43 --rungs 1,8,10 --csv > ladder.csv
)";

PreparedRung tiled_rung(const ConvolveCase& c, const char* unit, const std::string& entry,
                        const LadderShape& shape, Stream& s) {
  return ladder_rung(c, {{unit, entry, "", ""}, shape, shape.outputs_x(), shape.block_y}, s);
}

LadderShape plain_shape(const ConvolveCase& c, int block, int tiles) {
  return tiled_shape(c.filter_size().width, c.filter_size().height, block, block, tiles);
}

PreparedRung prepare_constant(const ConvolveCase& c, Stream& s) {
  PreparedRung rung = tiled_rung(c, "r02_constant", "constant_filter", {}, s);
  rung.intensity = 0.5;  // 4 bytes for a multiply-add, as if there were no cache
  return rung;
}

PreparedRung prepare_shared_tile(const ConvolveCase& c, Stream& s) {
  return tiled_rung(c, "r03_shared_tile", "shared_tile", plain_shape(c, 32, 1), s);
}

PreparedRung prepare_one_element(const ConvolveCase& c, Stream& s) {
  LadderShape shape = tiled_shape(1, 1, 32, 32, 1);
  const int made_x = shape.block_x - c.filter_size().width + 1;
  const int made_y = shape.block_y - c.filter_size().height + 1;
  if (made_x < 1 || made_y < 1)
    return {.absent =
                fmt::format("a {} filter leaves no thread of a 32x32 block any work", c.name())};
  PreparedRung rung =
      ladder_rung(c, {{"r04_one_element", "one_element", "", ""}, shape, made_x, made_y}, s);
  // The block loads 32x32 pixels and makes fewer.
  rung.intensity = 2.0 * c.filter_size().width * c.filter_size().height * made_x * made_y /
                   (4.0 * shape.block_x * shape.block_y);
  return rung;
}

PreparedRung prepare_tiled_2(const ConvolveCase& c, Stream& s) {
  return tiled_rung(c, "r05_tiled", "tiled_2", plain_shape(c, 16, 2), s);
}

PreparedRung prepare_tiled_4(const ConvolveCase& c, Stream& s) {
  return tiled_rung(c, "r05_tiled", "tiled_4", plain_shape(c, 16, 4), s);
}

PreparedRung prepare_padded(const ConvolveCase& c, Stream& s) {
  const LadderShape shape = padded_shape(c.filter_size().width, c.filter_size().height, 16, 16, 4);
  return tiled_rung(c, "r05_tiled", "tiled_4", shape, s);
}

PreparedRung prepare_adaptive(const ConvolveCase& c, Stream& s) {
  const DeviceInfo& device = this_machine().devices.at(static_cast<std::size_t>(s.device()));
  const auto entry = [](int tiles) { return fmt::format("adaptive_{}", tiles); };
  const int tiles = adaptive_tiles(
      c.filter_size().width, c.filter_size().height, {device.shared_bytes_per_block}, [&](int t) {
        return find_kernel(s.device(), {"r07_adaptive", entry(t), "", ""}).registers();
      });
  if (tiles == 0) return {.absent = "no tile factor fits shared memory"};
  return tiled_rung(c, "r07_adaptive", entry(tiles), plain_shape(c, 32, tiles), s);
}

PreparedRung prepare_nine_pixels(const ConvolveCase& c, Stream& s) {
  PreparedRung rung = tiled_rung(c, "r10_nine_pixels", "nine_pixels", {}, s);
  // Nine pixels are loaded for one that is made.
  rung.intensity = 2.0 * c.filter_size().width * c.filter_size().height / (9 * sizeof(float));
  return rung;
}

// Reads and writes of device memory are at least the image and the result. A method that refuses
// is absent.
PreparedRung product_rung(const ConvolveCase& c, const char* method, double flops_a_pixel,
                          bool of_its_own) {
  const AnyView in = c.image_on_device();
  PreparedRung rung;
  try {
    const Convolve plan(in.info(), c.filter().view(),
                        {.border = Border::replicate,
                         .backend = Backend::cuda,
                         .method = method,
                         .device = in.device});
    rung.bound = plan.error_bound(c.largest_pixel());
    rung.run = [plan, in, out = c.out()](Stream& on) {
      plan(Piece{in, 0}, MutablePiece{out, 0}, on);
    };
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::failure) throw;
    return {.absent = error.what()};
  }
  rung.flops = flops_a_pixel * c.pixels();
  if (of_its_own) rung.intensity = flops_a_pixel / (2 * sizeof(float));
  return rung;
}

double flops_2d(const ConvolveCase& c) {
  return 2.0 * c.filter_size().width * c.filter_size().height;
}

PreparedRung prepare_direct(const ConvolveCase& c, Stream&) {
  return product_rung(c, "direct", flops_2d(c), true);
}

PreparedRung prepare_separable(const ConvolveCase& c, Stream&) {
  return product_rung(c, "separable", 2.0 * (c.filter_size().width + c.filter_size().height), true);
}

// GFLOP/s as if it were direct, to be comparable; its own intensity is different.
PreparedRung prepare_fft(const ConvolveCase& c, Stream&) {
  return product_rung(c, "fft", flops_2d(c), false);
}

std::string file(const char* rung) { return std::string("ops/convolve/study/") + rung; }

Image study_image(int side) {
  Image image({side, side}, Type::f32);
  std::mt19937 random(1);
  float* samples = image.as<float>().data;
  for (long long k = 0; k < image.info().size.samples(); ++k)
    samples[k] = static_cast<float>(random() % 4096) / 4096 - 0.5F;
  return image;
}

std::vector<std::string> rung_names() {
  std::vector<std::string> names;
  for (const auto& rung : convolve_rungs()) names.push_back(rung.id);
  return names;
}

const bool study_entered =
    add_study({"convolve", "Climb the ladder of CUDA kernels of the paper on adaptive tiling.",
               kNotes, run_convolve_study});

}  // namespace

const std::vector<Rung<ConvolveCase>>& convolve_rungs() {
  static const std::vector<Rung<ConvolveCase>> rungs{
      {"1", "naive, global memory", {file("r01_")}, prepare_naive},
      {"2", "filter in constant memory", {file("r02_")}, prepare_constant},
      {"3", "shared tile, all threads active", {file("r03_")}, prepare_shared_tile},
      {"4", "shared tile, one element each", {file("r04_")}, prepare_one_element},
      {"5a", "1x2 tiling", {file("r05_")}, prepare_tiled_2},
      {"5b", "1x4 tiling", {file("r05_")}, prepare_tiled_4},
      {"6", "1x4 tiling, padding columns", {file("r05_"), file("r06_")}, prepare_padded},
      {"7", "adaptive tiling", {file("r05_"), file("r07_")}, prepare_adaptive},
      {"8", "unrolled, compiled at run time", {file("r08_")}, prepare_unrolled},
      {"9", "unrolled, read-only loads", {file("r08_"), file("r09_")}, prepare_read_only},
      {"10", "ours: direct", {"ops/convolve/convolve_direct"}, prepare_direct},
      {"10b", "the talk: nine pixels per thread", {file("r10_")}, prepare_nine_pixels},
      {"s1", "separable: horizontal pass", {file("r11_")}, prepare_horizontal},
      {"s2", "separable: vertical pass", {file("r12_")}, prepare_vertical},
      {"s3", "separable: both passes", {file("r11_"), file("r12_")}, prepare_both_passes},
      {"s4", "ours: separable, fused", {"ops/convolve/convolve_separable"}, prepare_separable},
      {"fft", "ours: fft", {"ops/convolve/convolve_fft"}, prepare_fft},
  };
  return rungs;
}

StudyResult run_convolve_study(const StudyOptions& options, const StudyProgress& progress) {
  const auto wanted = chosen_rungs(options.rungs, rung_names());
  const auto sizes = parse_sizes(options.sizes == "all" ? "3-43" : options.sizes, kMostSide);
  const int side = side_within(options, kPaperSide, 1, 16384);
  if (options.search < 1 || options.search > 8)
    throw Error(ErrorKind::usage, fmt::format("--search: {} is not from 1 to 8", options.search));
  StudyResult result{.study = "convolve", .rival = "fft"};
  if (options.backend == Backend::cpu) {
    result.verdict = "The ladder has no rung on the CPU: nothing to run.";
    return result;
  }
  need_device("convolve", options.device);
  const DeviceCeilings ceilings = measure_device(options.device);
  result.device = this_machine().devices[static_cast<std::size_t>(options.device)].name;
  result.peak_gflops = 1e-9 * ceilings.fma_flops;
  result.peak_gbytes = 1e-9 * ceilings.copy_bytes;

  const auto& published = published_figures("convolve");
  const Image image = study_image(side);
  Stream stream(options.device);
  const auto all = static_cast<long long>(sizes.size() * wanted.size());
  for (const StudySize& size : sizes) {
    const ConvolveCase problem(image, size, options.search, stream);
    for (const auto& rung : convolve_rungs()) {
      if (std::find(wanted.begin(), wanted.end(), rung.id) == wanted.end()) continue;
      if (progress) progress(static_cast<long long>(result.rows.size()), all);
      result.rows.push_back(run_rung(rung, problem, stream, ceilings));
      result.rows.back().published = published_gflops(published, rung.id, size.width, size.height);
    }
  }
  result.summary = summarize(result, {"s1", "s2", "s3", "s4"});
  result.compared = convolve_compared(result, side == kPaperSide, options.sizes == "all");
  result.further = table_1_text(result);
  result.verdict = convolve_verdict(result);
  return result;
}

std::string convolve_verdict(const StudyResult& result) {
  const Gain there = largest_gain(result, {"8", "9"}), ours = largest_gain(result, {"10"});
  if (there.times == 0 && ours.times == 0)
    return "Neither the paper's last rungs nor ours ran next to the naive one.";
  std::string text;
  if (there.times > 0)
    text = fmt::format(
        "The paper's last rungs are at most {:.2f} times as fast as the naive one "
        "(rung {} at {}; the paper: 9.14 on a GTX680, 8.3 on a K20)",
        there.times, there.rung, there.case_name);
  if (ours.times > 0)
    text +=
        fmt::format("{} at most {:.2f} times (rung {} at {})", text.empty() ? "Ours are" : "; ours",
                    ours.times, ours.rung, ours.case_name);
  for (const StudySummary& line : result.summary)
    if (line.over_rival && *line.over_rival < 1)
      return text + fmt::format("; from {} on the FFT is faster.", line.case_name);
  return text + ".";
}

}  // namespace tessera
