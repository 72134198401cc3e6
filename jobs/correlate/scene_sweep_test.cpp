// SPDX-License-Identifier: Apache-2.0
// Sweeps: every setting has the bytes of a run of its own; one table over all.
#include "jobs/correlate/scene_sweep.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/compare.hpp"
#include "core/machine.hpp"
#include "io/formats.hpp"
#include "jobs/correlate/correlate_job.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"

namespace tessera::testing {
namespace {

TEST(SceneSweep, HasEveryCombination) {
  const SceneSweep sweep =
      parse_sweep("gradient-scale=1,2.50,strength=energy,coherence", {.texture_scale = 7});
  EXPECT_EQ(sweep.options, (std::vector<std::string>{"gradient-scale", "strength"}));
  ASSERT_EQ(sweep.settings.size(), 4U);
  EXPECT_EQ(sweep.name_of(2), "gradient-scale 2.5, strength energy");
  EXPECT_EQ(sweep.settings[2].scene.gradient_scale, 2.5);
  EXPECT_EQ(sweep.settings[2].scene.strength, OrientationStrength::energy);
  EXPECT_EQ(sweep.settings[2].scene.texture_scale, 7);
  EXPECT_EQ(sweep.settings[3].scene.strength, OrientationStrength::coherence);
  const SceneSweep none = parse_sweep("", {.texture_scale = 7});
  ASSERT_EQ(none.settings.size(), 1U);
  EXPECT_EQ(none.settings[0].scene.texture_scale, 7);
  EXPECT_EQ(none.name_of(0), "");
}

TEST(SceneSweep, RefusesWhatItCannotDo) {
  const auto refused = [](const std::string& text, const char* why) {
    expect_error([&] { parse_sweep(text, {}); }, ErrorKind::usage, why);
  };
  refused("gradient=1", "gradient-scale");
  refused("1,2", "has no values");
  refused("gradient-scale=", "lacks a value");
  refused("gradient-scale=1,,2", "lacks a value");
  refused("gradient-scale=1,", "ends with nothing");
  refused("gradient-scale=one", "gradient-scale");
  refused("gradient-scale=0.01", "0.1 to 1000");
  refused("gradient-scale=1,1.0", "has 1 twice");
  refused("texture-scale=1,texture-scale=2", "is given twice");
  std::string many = "texture-scale=1";
  for (int k = 2; k <= 17; ++k) many += "," + std::to_string(k);
  std::string more = many;
  refused(many + ",gradient-scale=" + more.substr(14), "more than 256");
}

struct SweepStop {};

class CorrelateSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 10; ++i)
      write_image(folder_.path(std::to_string(i) + ".png"),
                  short_view(random_image({40, 30, 3}, Type::u8, 1U + i)));
  }
  CorrelateJob job(const std::string& output, const std::string& sweep) const {
    CorrelateJob job;
    job.inputs = {folder_.path("*.png")};
    job.output = folder_.path(output);
    job.options.max_shift = 12;
    job.options.sums = "pairs";
    job.ensemble.sweep = sweep;
    job.settings.threads = 2;
    return job;
  }
  Image maps(const std::string& output) const { return read_image(folder_.path(output)); }
  std::string text(const std::string& name) const { return read_bytes(folder_.path(name)); }

  TemporaryFolder folder_;
};

TEST_F(CorrelateSweep, EverySettingIsARunOfItsOwn) {
  const CorrelateResult swept = job("swept.npy", "texture-scale=2,4,gradient-scale=1,1.5").run();
  EXPECT_EQ(swept.images, 10);
  ASSERT_EQ(swept.sweep.size(), 8U) << "four settings, two maps";
  EXPECT_EQ(swept.maps[3], "x1:x1+x2:x2 at texture-scale 2, gradient-scale 1.5");
  const Image all = maps("swept.npy");
  ASSERT_EQ(all.info().size.planes, 16) << "means, then errors";
  const std::string table = text("swept.csv");
  EXPECT_EQ(table.rfind("texture-scale,gradient-scale,map,profile,shift,mean,", 0), 0U) << table;
  int setting = 0;
  for (const double texture : {2.0, 4.0})
    for (const double gradient : {1.0, 1.5}) {
      CorrelateJob one = job("one.npy", "");
      one.scene.texture_scale = texture;
      one.scene.gradient_scale = gradient;
      one.writing.force = true;
      const CorrelateResult alone = one.run();
      const Image own = maps("one.npy");
      for (int map = 0; map < 2; ++map)
        for (const int part : {0, 1}) {
          const AnyView a = all.view().only_plane(8 * part + 2 * setting + map);
          EXPECT_EQ(bytes_of_view(a), bytes_of_view(own.view().only_plane(2 * part + map)));
        }
      // The rows of its table are those of the sweep, behind its values.
      std::istringstream rows(text("one.csv"));
      std::string row;
      std::getline(rows, row);
      while (std::getline(rows, row))
        ASSERT_TRUE(has(table, fmt::format("\n{},{},{}\n", texture, gradient, row))) << row;
      EXPECT_EQ(swept.sweep[static_cast<std::size_t>(2 * setting)].at_zero, alone.mean_at_zero[0]);
      ++setting;
    }
  EXPECT_TRUE(has(swept.describe(), "texture-scale 4, gradient-scale 1.5  x1:x1+x2:x2"))
      << swept.describe();
}

TEST_F(CorrelateSweep, IsContinuedAndNeedsPhotographs) {
  job("whole.npy", "texture-scale=2,4").run();
  CorrelateJob again = job("again.npy", "texture-scale=2,4");
  again.settings.threads = 1;
  EXPECT_THROW(again.run([](long long done, long long) {
    if (done >= 4) throw SweepStop();
  }),
               SweepStop);
  EXPECT_GT(again.run().resumed, 0);
  again = job("other.npy", "texture-scale=2,4");
  again.settings.threads = 1;
  EXPECT_THROW(again.run([](long long done, long long) {
    if (done >= 4) throw SweepStop();
  }),
               SweepStop);
  EXPECT_EQ(job("other.npy", "texture-scale=2,5").run().resumed, 0) << "another sweep";
  for (const char* ending : {".npy", ".csv"})
    EXPECT_EQ(text(std::string("again") + ending), text(std::string("whole") + ending));
  CorrelateJob little = job("little.npy", "texture-scale=1,2,3,4,5,6,7,8");
  little.settings.memory_limit.bytes = 1 << 17;
  expect_error([&] { little.run(); }, ErrorKind::resources, "give fewer settings at once");
  CorrelateJob planes = job("planes.npy", "texture-scale=2,4");
  planes.ensemble.planes = PlaneSource::as_is;
  expect_error([&] { planes.run(); }, ErrorKind::usage, "--sweep is of photographs");
  planes = job("planes.npy", "texture-scale=2,4");
  write_image(folder_.path("planes.fits"), short_view(random_image({40, 30, 1, 4}, Type::f32, 9)));
  planes.inputs = {folder_.path("planes.fits")};
  const CorrelateResult none = planes.run();
  EXPECT_EQ(none.images, 0);
  ASSERT_EQ(none.bad.size(), 1U);
  EXPECT_TRUE(has(none.bad[0].error, "--sweep is of photographs")) << none.bad[0].error;
}

/// On a GPU photographs become planes there; a second run from a saved state makes the same.
TEST_F(CorrelateSweep, OnAGpuEverySettingIsARunOfItsOwnToo) {
  if (this_machine().devices.empty()) GTEST_SKIP() << this_machine().no_device_reason;
  const auto on = [&](Backend backend, const std::string& output, const std::string& sweep) {
    CorrelateJob one = job(output, sweep);
    one.options.backend = backend;
    one.options.scale = ShiftScale::energy;
    one.writing.force = true;
    return one;
  };
  on(Backend::cuda, "swept.npy", "texture-scale=2,4").run();
  on(Backend::cpu, "cpu.npy", "texture-scale=2,4").run();
  const Image swept = maps("swept.npy"), cpu = maps("cpu.npy");
  EXPECT_EQ(compare(cpu.view(), swept.view(), 1e-4).disagreement, "");
  CorrelateJob four = on(Backend::cuda, "four.npy", "");
  four.scene.texture_scale = 4;
  four.run();
  const Image alone = maps("four.npy");
  for (int map = 0; map < 2; ++map)
    EXPECT_EQ(bytes_of_view(swept.view().only_plane(2 + map)),
              bytes_of_view(alone.view().only_plane(map)));
  CorrelateJob again = on(Backend::cuda, "again.npy", "texture-scale=2,4");
  again.settings.threads = 1;
  EXPECT_THROW(again.run([](long long done, long long) {
    if (done >= 4) throw SweepStop();
  }),
               SweepStop);
  EXPECT_GT(again.run().resumed, 0);
  EXPECT_EQ(text("again.npy"), text("swept.npy"));
  CorrelateJob with = on(Backend::cuda, "with.npy", "texture-scale=2,4");
  with.ensemble.with = folder_.path("3.png");
  with.run();
  with.options.backend = Backend::cpu;
  with.output = folder_.path("with-cpu.npy");
  with.run();
  const Image with_cpu = maps("with-cpu.npy"), with_cuda = maps("with.npy");
  EXPECT_EQ(compare(with_cpu.view(), with_cuda.view(), 1e-4).disagreement, "");
}

// A profile of known shape: half at a shift between two.
TEST_F(CorrelateSweep, SaysWhereProfilesHaveFallenToHalf) {
  const CorrelateResult swept = job("swept.npy", "texture-scale=2,6").run();
  const std::string table = text("swept.csv");
  for (const SweepLine& line : swept.sweep) {
    ASSERT_TRUE(line.half_shift) << line.setting;
    EXPECT_GT(*line.half_shift, 0);
    EXPECT_LT(*line.half_shift, 12);
  }
  EXPECT_GT(*swept.sweep[3].half_shift, *swept.sweep[1].half_shift)
      << "orientation reaches further when it is averaged over more";
}

}  // namespace
}  // namespace tessera::testing
