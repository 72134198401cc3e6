// SPDX-License-Identifier: Apache-2.0
// The running kernels, run thread by thread on the CPU: the bytes of the CPU's method. Only a GPU
// can show speed and the driver.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ops/convolve/box_sums.hpp"
#include "ops/convolve/cuda/convolve_cuda.hpp"
#include "tests/support/block_on_cpu.hpp"
#include "tests/support/convolve_on_cpu.hpp"
// After the shim, through which it is compiled.
#include "ops/convolve/cuda/convolve_running.cuh"

namespace tessera {

/// The shared memory of the block that runs.
double running_memory[1 << 14];

namespace {

struct BoxCase {
  Size size, box;
  Border border;
  Rows made;  ///< the rows that a launch makes
};

Point anchor_of(const BoxCase& c) {
  return c.border == Border::valid ? Point{} : Point{c.box.width / 2, c.box.height / 2};
}

/// The arguments that fill() and launch() of the host side give the kernels.
RunningArgs args_of(const BoxCase& c, const Image& in, Image& out, const BoxSums& sums,
                    const std::vector<Twofold>& prefix) {
  RunningArgs a{};
  fill_piece(a, {in.view(), 0}, {out.view(), 0}, c.size, out.info().size.width, anchor_of(c),
             c.border);
  a.filter_width = c.box.width;
  a.filter_height = c.box.height;
  a.weight = sums.weight;
  a.outside = sums.outside;
  a.scale = sums.scale;
  a.prefix = prefix.empty() ? nullptr : prefix.data();
  return a;
}

unsigned blocks(int work, int each) { return static_cast<unsigned>((work + each - 1) / each); }

template <class In, class Sum, class Out>
void run_kernels(const BoxCase& c, RunningArgs a, const Image& in, Image& out) {
  const int channels = c.size.channels, height = c.box.height;
  std::vector<Sum> sums(static_cast<std::size_t>(c.size.width * channels * c.made.count()));
  a.sums = sums.data();
  move_to_part(a, {in.view(), 0}, {out.view(), 0}, c.made, 0);
  const int runs = (c.made.end - 1) / height - c.made.first / height + 1;
  testing::run_each_thread(
      {blocks(c.size.width * channels, kRunningThreads), static_cast<unsigned>(runs)},
      kRunningThreads, [&] { running_columns<In, Sum>(a); });
  testing::run_blocks(
      {blocks(a.out_width * channels, kRunningTile), static_cast<unsigned>(c.made.count())},
      kRunningThreads, [&] { running_rows<Sum, Out>(a); });
}

template <class In, class Sum, class Out>
void expect_bytes_of_the_cpu(const BoxCase& c) {
  SCOPED_TRACE(fmt::format("{}x{}x{} by {}x{}, {}, rows {} to {}", c.size.width, c.size.height,
                           c.size.channels, c.box.width, c.box.height, name_of(c.border),
                           c.made.first, c.made.end));
  const Image in = testing::random_image(c.size, TypeOf<In>::value, 5);
  const Image filter = box(c.box.width, c.box.height);
  const Convolve plan = testing::convolve_on_cpu(
      in.info(), filter.view(), "running",
      {.border = c.border, .constant = 7, .output_type = TypeOf<Out>::value});
  Image expected(plan.output()), made(plan.output());
  plan(in.view(), expected.view());
  ConvolveProblem p;
  p.image = in.info();
  p.filter_width = c.box.width;
  p.filter_height = c.box.height;
  p.weights.assign(static_cast<std::size_t>(c.box.pixels()), filter.as<double>().at(0, 0));
  p.border = c.border;
  p.anchor = anchor_of(c);
  p.constant = 7;
  const auto prefix = inside_prefix(p);
  run_kernels<In, Sum, Out>(c, args_of(c, in, made, box_sums(p), prefix), in, made);
  const auto rows = [&](const Image& image) {
    return testing::bytes_of_view(image.view().rows(c.made.first, c.made.count()));
  };
  EXPECT_EQ(rows(made), rows(expected));
}

TEST(ConvolveRunningKernels, MakeTheBytesOfTheCpu) {
  for (const Border border : {Border::constant, Border::replicate, Border::reflect,
                              Border::reflect_101, Border::wrap, Border::inside}) {
    expect_bytes_of_the_cpu<float, double, float>({{70, 19}, {9, 6}, border, {0, 19}});
    expect_bytes_of_the_cpu<unsigned char, int, unsigned char>(
        {{37, 11, 3}, {7, 5}, border, {3, 9}});
    expect_bytes_of_the_cpu<double, double, double>({{530, 7}, {2, 31}, border, {2, 5}});
    expect_bytes_of_the_cpu<unsigned short, int, float>({{13, 9, 2}, {40, 1}, border, {0, 9}});
  }
  expect_bytes_of_the_cpu<float, double, double>({{70, 19}, {31, 6}, Border::valid, {4, 14}});
  expect_bytes_of_the_cpu<unsigned char, double, float>({{20, 8}, {1, 1}, Border::wrap, {0, 8}});
}

}  // namespace
}  // namespace tessera
