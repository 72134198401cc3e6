// SPDX-License-Identifier: Apache-2.0
// Delays removed on a GPU: the bits of the host's vectors, for any blocks.
#include <gtest/gtest.h>

#include <complex>

#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tessera/fringe_tracker.hpp"
#include "tests/support/files.hpp"
#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::lay_out;
using testing::Voltages;

FringeSetup cuda_setup(const XEngineShape& shape, SampleType type, bool shift) {
  FringeSetup setup{.shape = shape, .samples = type, .sample_rate = 1000, .most_delay = 0.02};
  setup.shift = shift;
  for (int c = 0; c < shape.channels; ++c) setup.frequency.push_back(1.4e8 + 1e3 * c);
  setup.delays = [antennas = shape.antennas](long long sample) {
    std::vector<double> delays;
    for (int a = 0; a < antennas; ++a)
      delays.push_back((a % 2 ? 1 : -1) * (0.0013 * a + 1e-6 * static_cast<double>(sample)));
    return delays;
  };
  return setup;
}

/// All outputs, [channel][input][time], `most` at a time.
std::vector<std::vector<std::complex<float>>> track(FringeSetup setup, const std::string& method,
                                                    const Voltages& v, long long most) {
  setup.method = method;
  FringeTracker tracker(setup);
  const auto laid = lay_out(v, "tci", 0, v.samples);
  tracker.add(laid.block);
  tracker.end();
  std::vector<std::vector<std::complex<float>>> rows(
      static_cast<std::size_t>(v.shape.channels * v.shape.inputs()));
  while (tracker.ready() > 0) {
    const VoltageBlock block = tracker.take(most);
    const auto* from = static_cast<const std::complex<float>*>(block.data);
    for (auto& row : rows) {
      row.insert(row.end(), from, from + block.samples);
      from += block.samples;
    }
  }
  return rows;
}

TEST(XEngineTrackCuda, HasTheBitsOfTheVectors) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const XEngineShape shape{5, 2, 3};
  for (const auto type : {SampleType::ci8, SampleType::ci4, SampleType::cf32})
    for (const bool shift : {false, true}) {
      Voltages v = testing::random_voltages(shape, type, 900, 11);
      const FringeSetup setup = cuda_setup(shape, type, shift);
      const auto wanted = track(setup, "simd", v, 900);
      for (const long long most : {900, 129, 7}) EXPECT_EQ(track(setup, "cuda", v, most), wanted);
    }
}

TEST(XEngineTrackCuda, WithoutADeviceItSaysSo) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  FringeSetup setup = cuda_setup({2, 1, 1}, SampleType::ci8, true);
  setup.method = "cuda";
  expect_error([&] { FringeTracker tracker(setup); }, ErrorKind::resources, "device");
}

}  // namespace
}  // namespace tessera
