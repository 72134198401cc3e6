// SPDX-License-Identifier: Apache-2.0
// Maps on a GPU: the reference's bits except for angles, for host and device spectra.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/lobes.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::Guarded;
using testing::Lobes;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class FaradayMapsOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

FaradayMaps plan_of(const ImageInfo& spectra, double fwhm, double noise, const char* method) {
  const bool cpu = std::string(method) == "reference";
  return FaradayMaps(
      spectra, testing::lobe_axes(spectra.size.planes, 4), fwhm, testing::all_faraday_maps(),
      {.noise = noise, .backend = cpu ? Backend::cpu : Backend::cuda, .method = method});
}

/// Degrees from one angle to the other, by the shorter way round.
double turn_between(double a, double b) {
  const double away = std::abs(a - b);
  return std::min(away, 180 - away);
}

/// Bits, or NaN both. Angles: CUDA's atan2 is good to two units in the last place, and what that
/// is of 180 degrees and of the 20,000 that are taken from an angle on the way to lambda = 0.
template <class T>
void expect_reference(View<const T> truth, View<const T> made) {
  for (int m = 0; m < truth.size.planes; ++m)
    for (int y = 0; y < truth.size.height; ++y)
      for (int x = 0; x < truth.size.width; ++x) {
        const T a = truth.at(x, y, 0, m), b = made.at(x, y, 0, m);
        const auto map = static_cast<FaradayMap>(m);
        ASSERT_EQ(std::isnan(a), std::isnan(b)) << name_of(map) << " at " << x << ", " << y;
        if (std::isnan(a)) continue;
        if (map == FaradayMap::angle || map == FaradayMap::angle_0) {
          ASSERT_LE(turn_between(a, b),
                    4 * (180 * std::numeric_limits<T>::epsilon() + 2e4 * 2.2e-16))
              << name_of(map) << " at " << x << ", " << y;
        } else {
          ASSERT_EQ(a, b) << name_of(map) << " at " << x << ", " << y;
        }
      }
}

template <class T>
void sweep() {
  for (const int depths : {1, 2, 3, 31, 32, 33, 101, 401, 1001, 1500})
    for (const double noise : {kNan, 0.02})
      for (const double fwhm : {10.0, 4000.0}) {
        const Lobes<T> in({depths < 200 ? 67 : 9, 5, 1, depths}, static_cast<unsigned>(depths));
        const FaradayMaps reference = plan_of(in.real.info(), fwhm, noise, "reference"),
                          columns = plan_of(in.real.info(), fwhm, noise, "columns");
        Image truth(reference.output());
        reference(in.real.view(), in.imaginary.view(), truth.view());
        const Guarded made(columns.output().size, TypeOf<T>::value, depths % 2);
        columns(in.real.view(), in.imaginary.view(), made.view());
        SCOPED_TRACE(columns.describe());
        expect_reference<T>(truth.view().as<const T>(), made.view().as<const T>());
        EXPECT_TRUE(made.untouched_outside());
      }
}

TEST_F(FaradayMapsOnCuda, AllSizesAreTheReferenceInFloat) { sweep<float>(); }
TEST_F(FaradayMapsOnCuda, AllSizesAreTheReferenceInDouble) { sweep<double>(); }

TEST_F(FaradayMapsOnCuda, PiecesStepsMemoryAndPlaceChangeNoBit) {
  const Size size{67, 9, 1, 33};
  const Lobes<float> in(size, 5);
  const FaradayMaps plan = plan_of(in.real.info(), 15, kNan, "columns");
  Image whole(plan.output()), strips(plan.output());
  plan(in.real.view(), in.imaginary.view(), whole.view());
  const auto bits = bytes_of_view(whole.view());
  for (const int rows : {1, 2, 5}) {
    Image pieces(plan.output());
    for (int y = 0; y < size.height; y += rows) {
      const int count = std::min(rows, size.height - y);
      plan(AnyView(in.real.view()).rows(y, count), AnyView(in.imaginary.view()).rows(y, count),
           pieces.view().rows(y, count));
    }
    EXPECT_EQ(bits, bytes_of_view(pieces.view())) << rows;
  }
  Stream little(plan.device(), 2, std::size_t{1} << 17);  // a few rows at a time
  plan(in.real.view(), in.imaginary.view(), strips.view(), little);
  little.wait();
  EXPECT_EQ(bits, bytes_of_view(strips.view()));

  Stream stream(0);
  const testing::DeviceImage re = testing::upload(in.real, stream),
                             im = testing::upload(in.imaginary, stream);
  const FaradayMaps there = plan_of(re.view.info(), 15, kNan, "columns");
  const testing::DeviceImage out(there.output(), stream);
  there(re.view, im.view, out.view, stream);
  EXPECT_EQ(bits, bytes_of_view(testing::short_view(testing::download(out, stream))));
}

}  // namespace
}  // namespace tessera
