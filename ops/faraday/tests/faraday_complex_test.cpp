// SPDX-License-Identifier: Apache-2.0
// Spectra in arrays of complex numbers: real and imaginary parts interleave, and nothing changes.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "ops/faraday/faraday_views.hpp"
#include "tessera/faraday_clean.hpp"
#include "tessera/faraday_maps.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/faraday_cubes.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

template <class T>
struct ComplexCube {
  explicit ComplexCube(Size s) : size(s), values(static_cast<std::size_t>(s.samples())) {}
  AnyMutableView part(int which) {
    T* first = reinterpret_cast<T*>(values.data()) + which;
    const long long row = 2LL * size.width;
    return View<T>{first, size, 2, row, row * size.height};
  }
  AnyMutableView real() { return part(0); }
  AnyMutableView imaginary() { return part(1); }
  void expect_is(const Image& wanted_real, const Image& wanted_imaginary) const {
    for (int p = 0; p < size.planes; ++p)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          const auto& value =
              values[(static_cast<std::size_t>(p) * size.height + y) * size.width + x];
          ASSERT_EQ(value.real(), wanted_real.as<T>().at(x, y, 0, p)) << p << ' ' << y << ' ' << x;
          ASSERT_EQ(value.imag(), wanted_imaginary.as<T>().at(x, y, 0, p));
        }
  }

  Size size;
  std::vector<std::complex<T>> values;
};

template <class T>
void compare_all() {
  const Type type = TypeOf<T>::value;
  const testing::FaradayCubes in({37, 5, 1, 40}, type, 3);
  const FaradayAxes axes =
      faraday_axes(testing::some_channels(40, 1), FaradayOptions{.phi_max = 300, .dphi = 20});
  for (const FaradayMethod& method : faraday_methods()) {
    FaradayProblem problem{in.q.info(), in.q.info(), axes};
    if (method.backend != Backend::cpu || !method.refuses(problem).empty()) continue;
    const FaradaySynth plan(in.q.info(), axes, {.backend = Backend::cpu, .method = method.name});
    Image real(plan.output()), imaginary(plan.output());
    plan(in.q.view(), in.u.view(), real.view(), imaginary.view());
    ComplexCube<T> cube(plan.output().size);
    plan(in.q.view(), in.u.view(), cube.real(), cube.imaginary());
    cube.expect_is(real, imaginary);
  }
}

TEST(FaradayComplex, SynthesisHasTheSameBits) {
  compare_all<float>();
  compare_all<double>();
}

TEST(FaradayComplex, CleanAndMapsHaveTheSameBitsInPlaceToo) {
  const testing::FaradayCubes in({9, 4, 1, 31}, Type::f32, 5);
  const FaradayAxes axes =
      faraday_axes(testing::some_channels(40, 1), FaradayOptions{.phi_max = 300, .dphi = 20});
  const ImageInfo info = in.q.info();
  ASSERT_EQ(axes.depths(), info.size.planes);
  const FaradayClean clean(info, faraday_rmsf(axes), {.cutoff = 0.5, .backend = Backend::cpu});
  const FaradayMaps maps(info, axes, axes.fwhm, {FaradayMap::rm, FaradayMap::noise},
                         {.backend = Backend::cpu});
  Image real(info), imaginary(info), found(maps.output()), found_too(maps.output());
  clean({in.q.view(), in.u.view()}, {real.view(), imaginary.view()});
  ComplexCube<float> cube(info.size);
  copy_samples(in.q.view(), cube.real());
  copy_samples(in.u.view(), cube.imaginary());
  maps(in.q.view(), in.u.view(), found.view());
  maps(cube.real(), cube.imaginary(), found_too.view());
  EXPECT_EQ(std::memcmp(found.view().data, found_too.view().data,
                        static_cast<std::size_t>(bytes_of(found.info()))),
            0);
  clean({cube.real(), cube.imaginary()}, {cube.real(), cube.imaginary()});
  cube.expect_is(real, imaginary);
}

TEST(FaradayComplex, PartsThatMeetAreRefused) {
  constexpr const char* kText =
      "faraday: input and output share memory; give the output its own memory";
  ComplexCube<float> cube({8, 6, 1, 9});
  check_parts_apart("faraday", cube.real(), cube.imaginary());
  AnyMutableView later = cube.real();
  later.data = later.address(1, 0);  // the real parts of the next pixels
  AnyMutableView every = cube.imaginary();
  every.pixel = 1;
  expect_refused({{[&] { check_parts_apart("faraday", cube.real(), cube.real()); }, kText},
                  {[&] { check_parts_apart("faraday", cube.real(), later); }, kText},
                  {[&] { check_parts_apart("faraday", cube.real(), every); }, kText}});
}

}  // namespace
}  // namespace tessera
