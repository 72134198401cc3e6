// SPDX-License-Identifier: Apache-2.0
// Recordings that are turned to a phase centre, from samples to files.
#include "jobs/xengine/tracked_voltages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <numbers>

#include "jobs/xengine/xengine_job.hpp"
#include "tests/support/files.hpp"
#include "tests/support/voltage_memory.hpp"

namespace tessera {
namespace {

using testing::MemoryVoltages;
using testing::read_bytes;

constexpr long long kNpyHeader = 256;

/// A recording with a gap of many samples after its first ones.
class GapVoltages : public MemoryVoltages {
 public:
  GapVoltages(const VoltageInfo& info, std::vector<signed char> data, long long before,
              long long gap)
      : MemoryVoltages(info, std::move(data)), before_(before), gap_(gap) {}
  VoltageBlock read(long long most) override {
    if (before_ > 0) most = std::min(most, before_);
    const VoltageBlock block = MemoryVoltages::read(most);
    before_ -= block.samples;
    return block;
  }
  long long skip_missing(long long most) override {
    if (before_ > 0) return 0;
    const long long skipped = std::min(gap_, most);
    gap_ -= skipped;
    return skipped;
  }

 private:
  long long before_, gap_;
};

class TrackedVoltagesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_.path("array.txt")) << "a -2559454 5095372 -2849057\n"
                                                "b -2559154 5095372 -2849057\n"
                                                "c -2559454 5095672 -2849057\n";
  }
  VoltageInfo info() const {
    VoltageInfo info;
    info.shape = shape_;
    info.frequency = {1.4e8, 1.41e8};
    info.sample_rate = 1000;
    info.set_start(60389, 0.6 * 86400);
    return info;
  }
  XEngineJob job(const std::string& output) const {
    XEngineJob made;
    made.inputs = {"memory"};
    made.output = folder_.path(output);
    made.choices.array = folder_.path("array.txt");
    made.choices.phase_centre = "123.4,-31.2";
    return made;
  }
  std::vector<std::complex<double>> values(const std::string& name) const {
    const std::string bytes = read_bytes(folder_.path(name)).substr(kNpyHeader);
    std::vector<std::complex<double>> list(bytes.size() / 16);
    std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
  }

  testing::TemporaryFolder folder_;
  XEngineShape shape_{3, 1, 2};
  std::vector<signed char> data_ = testing::noise_voltages(shape_, 900);
};

// Delays of 300 m are 0.001 of these samples: only phases turn, by the delays of the antennas.
TEST_F(TrackedVoltagesTest, SumsAreThoseOfTurnedSamples) {
  MemoryVoltages source(info(), data_);
  const XEngineResult result = job("v.npy").run_on(source);
  EXPECT_EQ(result.phase_centre, "123.4, -31.2 (ICRS), turned here");
  EXPECT_NE(result.ran.find("delays removed on the host: phase"), std::string::npos) << result.ran;
  const auto found = values("v.npy");
  const AntennaList antennas{read_antennas(folder_.path("array.txt")), true};
  const PhaseCentre centre("123.4,-31.2", Tracked::automatic, info(), antennas);
  std::size_t at = 0;
  for (int c = 0; c < 2; ++c)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b, ++at) {
        std::complex<double> sum;
        for (int t = 0; t < 900; ++t) {
          const auto delays = centre.delays(60389.6 + t / 1000.0 / 86400);
          const double turns = -(c ? 1.41e8 : 1.4e8) * (delays[static_cast<std::size_t>(a)] -
                                                        delays[static_cast<std::size_t>(b)]);
          sum += testing::expected_visibility(data_, shape_, c, a, b, t, t + 1) *
                 std::polar(1.0, 2 * std::numbers::pi * turns);
        }
        const double power = testing::expected_visibility(data_, shape_, c, a, a, 0, 900).real();
        EXPECT_LT(std::abs(found[at] - sum), 1e-5 * power) << at;
      }
  EXPECT_NE(read_bytes(folder_.path("v.json")).find("turned here"), std::string::npos);
}

// Without a phase centre nothing is turned: integers, exact.
TEST_F(TrackedVoltagesTest, NothingTurnsWithoutAPhaseCentre) {
  XEngineJob plain = job("a.npy");
  plain.choices.phase_centre = "auto";
  MemoryVoltages source(info(), data_);
  plain.run_on(source);
  const std::string bytes = read_bytes(folder_.path("a.npy"));
  std::vector<long long> values(2);
  std::memcpy(values.data(), bytes.data() + kNpyHeader + 16, 16);  // baseline (1, 0)
  const auto wanted = testing::expected_visibility(data_, shape_, 0, 1, 0, 0, 900);
  EXPECT_EQ(static_cast<double>(values[0]), wanted.real());
  EXPECT_EQ(static_cast<double>(values[1]), wanted.imag());
}

TEST_F(TrackedVoltagesTest, SameBytesHoweverItIsRead) {
  std::string wanted;
  for (const DelayWay way : {DelayWay::phase, DelayWay::shift}) {
    int runs = 0;
    for (const long long at_once : {1000, 7, 300})
      for (const int threads : {1, 3}) {
        XEngineJob made = job("v.npy");
        made.force = true;
        made.choices.delays = way;
        made.choices.integrate.samples = 400;
        made.settings.threads = threads;
        if (at_once == 7) made.settings.memory_limit.bytes = 7 * 48 * 600;
        MemoryVoltages source(info(), data_);
        source.most_at_once = at_once;
        source.masked_stretch = 150;
        made.run_on(source);
        const std::string bytes =
            read_bytes(folder_.path("v.npy")) + read_bytes(folder_.path("v_weights.npy"));
        if (runs++ == 0) wanted = bytes;
        EXPECT_EQ(bytes, wanted) << at_once << " " << threads;
      }
  }
}

// A gap of a day takes no time, and what comes after it is turned to its own time.
TEST_F(TrackedVoltagesTest, GapsAreSkipped) {
  constexpr long long kGap = 86'400'000;
  for (const DelayWay way : {DelayWay::phase, DelayWay::shift}) {
    XEngineJob gap = job("gap.npy"), later = job("later.npy");
    for (XEngineJob* made : {&gap, &later}) {
      made->force = true;
      made->choices.delays = way;
    }
    gap.choices.integrate.samples = 400 + kGap;
    GapVoltages source(info(), data_, 400, kGap);
    const XEngineResult result = gap.run_on(source);
    EXPECT_EQ(result.samples, 900 + kGap);
    EXPECT_EQ(result.integrations, 2);
    VoltageInfo next = info();
    next.set_start(60390, 0.6 * 86400 + 0.4);
    MemoryVoltages rest(next, {data_.begin() + 400LL * 12, data_.end()});
    later.run_on(rest);
    const auto all = values("gap.npy"), second = values("later.npy");
    ASSERT_EQ(all.size(), 2 * second.size());
    for (std::size_t k = 0; k < second.size(); ++k)
      EXPECT_LT(std::abs(all[second.size() + k] - second[k]), 1e-4 * std::abs(second[0])) << k;
    if (way == DelayWay::phase) {
      EXPECT_NEAR(result.invalid, kGap / (900.0 + kGap), 1e-9);
    }
  }
}

}  // namespace
}  // namespace tessera
