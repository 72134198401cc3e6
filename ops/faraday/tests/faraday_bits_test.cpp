// SPDX-License-Identifier: Apache-2.0
// The bits contract: what a pixel becomes depends on nothing but the pixel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include "tests/support/faraday_cubes.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::faraday_methods_for;
using testing::FaradayCubes;
using testing::ForcedIsa;
using testing::set_sample;
using testing::some_channels;
using testing::Way;

struct Spectra {
  explicit Spectra(const FaradaySynth& plan) : real(plan.output()), imaginary(plan.output()) {}
  bool operator==(const Spectra& other) const {
    return bytes_of_view(real.view()) == bytes_of_view(other.real.view()) &&
           bytes_of_view(imaginary.view()) == bytes_of_view(other.imaginary.view());
  }
  Image real, imaginary;
};

FaradayCubes spoilt_cubes(Size size, Type type, unsigned seed) {
  FaradayCubes in(size, type, seed);
  set_sample(in.q, size.width - 1, size.height - 1, 1, std::nan(""));
  set_sample(in.u, size.width / 2, size.height / 2, 0, HUGE_VAL);
  return in;
}

/// Calls check(plan, cubes) for every method of every target, grid and type.
template <class Check>
void for_plans(Backend backend, Size size, Check check) {
  for (const Type type : {Type::f32, Type::f64})
    for (const char* phi : {"-60,60,1.5", "-20,70,1"}) {
      const FaradayCubes in = spoilt_cubes(size, type, 7);
      const FaradayAxes axes =
          faraday_axes(some_channels(size.planes, 8), FaradayOptions{.phi = phi});
      for (const Way& way : all_ways())
        for (const std::string& method : faraday_methods_for(in.q.info(), axes, backend)) {
          if (way.backend != backend) continue;
          const ForcedIsa forced(way.isa);
          check(FaradaySynth(in.q.info(), axes, {.backend = backend, .method = method}), in);
        }
    }
}

void same_bits(Backend backend) {
  const Size size = testing::run_small() ? Size{67, 4, 1, 11} : Size{131, 5, 1, 100};
  for_plans(backend, size, [&](const FaradaySynth& plan, const FaradayCubes& in) {
    Spectra whole(plan);
    plan(in.q.view(), in.u.view(), whole.real.view(), whole.imaginary.view());
    for (const int threads : {1, 2, 3, 7})
      for (const int rows : {1, 2, 5}) {
        Stream stream(plan.device(), threads);
        Spectra pieces(plan);
        for (int y = 0; y < size.height; y += rows) {
          const int count = std::min(rows, size.height - y);
          plan(in.q.view().rows(y, count), in.u.view().rows(y, count),
               pieces.real.view().rows(y, count), pieces.imaginary.view().rows(y, count), stream);
        }
        stream.wait();
        EXPECT_TRUE(pieces == whole)
            << plan.describe() << ", " << threads << " threads, " << rows << " rows";
      }
  });
}

TEST(FaradayBits, CpuSameForAnyThreadsAndPieces) { same_bits(Backend::cpu); }

TEST(FaradayBitsCuda, SameForAnyPieces) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda);
}

// The same pixel at every place of a row that is longer than any tile.
void same_at_every_place(Backend backend) {
  const Size size{testing::run_small() ? 67 : 1100, 1, 1, 23};
  for_plans(backend, size, [&](const FaradaySynth& plan, const FaradayCubes& given) {
    FaradayCubes in(size, given.q.info().type, 3);
    for (int k = 0; k < size.planes; ++k)
      for (int x = 1; x < size.width; ++x)
        for (Image* image : {&in.q, &in.u})
          set_sample(*image, x, 0, k, testing::sample_of(image->view(), 0, 0, k));
    Spectra out(plan);
    plan(in.q.view(), in.u.view(), out.real.view(), out.imaginary.view());
    for (const Image* image : {&out.real, &out.imaginary}) {
      const AnyView first = image->view().region(0, 0, 1, 1);
      int moved = 0;
      for (int x = 1; x < size.width; ++x)
        moved += testing::same_samples(first, image->view().region(x, 0, 1, 1)) ? 0 : 1;
      EXPECT_EQ(moved, 0) << plan.describe();
    }
  });
}

TEST(FaradayBits, CpuSameAtEveryPlaceOfATile) { same_at_every_place(Backend::cpu); }

TEST(FaradayBitsCuda, SameAtEveryPlace) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_at_every_place(Backend::cuda);
}

// The steps of views do not belong to a pixel.
TEST(FaradayBits, CpuSameForAnySteps) {
  const Size size{37, 3, 1, 23};
  for_plans(Backend::cpu, size, [&](const FaradaySynth& plan, const FaradayCubes& in) {
    Spectra packed(plan);
    plan(in.q.view(), in.u.view(), packed.real.view(), packed.imaginary.view());
    const auto spread = [&](const Image& from) {
      Image larger({2 * size.width, 2 * size.height, 1, size.planes}, from.info().type);
      AnyMutableView to = testing::every_second_upwards(larger.view(), size);
      for (int k = 0; k < size.planes; ++k)
        for (int y = 0; y < size.height; ++y)
          for (int x = 0; x < size.width; ++x)
            std::memcpy(to.address(x, y, k), from.view().address(x, y, k),
                        static_cast<std::size_t>(bytes_of(to.type)));
      return larger;
    };
    const Image q = spread(in.q), u = spread(in.u);
    Spectra out(plan);
    plan(testing::every_second_upwards(AnyView(q.view()), size),
         testing::every_second_upwards(AnyView(u.view()), size), out.real.view(),
         out.imaginary.view());
    EXPECT_TRUE(out == packed) << plan.describe();
  });
}

TEST(FaradayBits, EightThreadsShareOnePlan) {
  for_plans(Backend::cpu, {45, 5, 1, 23}, [&](const FaradaySynth& plan, const FaradayCubes& in) {
    Spectra expected(plan);
    plan(in.q.view(), in.u.view(), expected.real.view(), expected.imaginary.view());
    std::vector<Spectra> results;
    for (int i = 0; i < 8; ++i) results.emplace_back(plan);
    std::vector<std::thread> threads;
    for (Spectra& result : results)
      threads.emplace_back(
          [&] { plan(in.q.view(), in.u.view(), result.real.view(), result.imaginary.view()); });
    for (std::thread& thread : threads) thread.join();
    for (const Spectra& result : results) EXPECT_TRUE(result == expected) << plan.describe();
  });
}

}  // namespace
}  // namespace tessera
