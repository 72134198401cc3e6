// SPDX-License-Identifier: Apache-2.0
// Samples without imaginary parts, sidebands, and samples that are missing in NPY and raw files.
#include <cstring>

#include "io/voltages/voltage_description.hpp"
#include "tests/support/files.hpp"
#include "tests/support/recordings.hpp"

namespace tessera::testing {
namespace {

/// Imaginary parts of zero.
Voltages real_voltages(const XEngineShape& shape, SampleType type, long long samples) {
  Voltages made = random_voltages(shape, type, samples);
  made.info.real = true;
  made.info.frequency = {1.4e9};
  made.info.channel_width = 0.5e6;
  const auto part = static_cast<std::size_t>(bytes_of(type) / 2);
  for (std::size_t at = part; at < made.bytes.size(); at += 2 * part)
    std::memset(made.bytes.data() + at, 0, part);
  return made;
}

TEST(VoltageReal, SamplesComeBackInHalfTheSpace) {
  const TemporaryFolder folder;
  for (const auto& [ending, type] : {std::pair{"npy", SampleType::ci8},
                                     {"npy", SampleType::ci16},
                                     {"npy", SampleType::cf32},
                                     {"bin", SampleType::ci8},
                                     {"dada", SampleType::ci8},
                                     {"dada", SampleType::cf32},
                                     {"vdif", SampleType::ci8}})
    for (const bool lower : {false, true}) {
      SCOPED_TRACE(::testing::Message() << ending << " " << name_of(type) << lower);
      Voltages made = real_voltages({3, 2, 1}, type, 8000);
      made.info.lower_sideband = lower;
      const std::string file = folder.path(std::string("a.") + ending);
      write_voltages(file, made);
      const bool vdif = std::string(ending) == "vdif";
      const ReadVoltages read = read_voltages({file}, 777, {.polarisations = vdif ? 2 : 0});
      EXPECT_TRUE(read.voltages.info.real);
      EXPECT_EQ(read.voltages.info.shape, made.info.shape);
      EXPECT_EQ(read.voltages.info.samples, type);
      EXPECT_DOUBLE_EQ(*read.voltages.info.sample_rate, 1e6);
      EXPECT_EQ(read.voltages.info.bits, 4 * bytes_of(type));
      EXPECT_TRUE(read.voltages.bytes == made.bytes);
      EXPECT_LT(std::filesystem::file_size(file), made.bytes.size() / 2 + 8192);
      if (vdif) continue;
      EXPECT_EQ(read.voltages.info.lower_sideband, lower);
      EXPECT_DOUBLE_EQ(read.voltages.info.frequency[0], 1.4e9);
      EXPECT_DOUBLE_EQ(*read.voltages.info.channel_width, 0.5e6);
    }
}

TEST(VoltageReal, FilesThatDoNotSayWhereTheBandLiesCanBeTold) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.vdif");
  write_voltages(file, real_voltages({2, 1, 1}, SampleType::ci8, 4000));
  const auto upper = open_voltages({file}, {.frequency = 1e9});
  EXPECT_EQ(upper->info().frequency, std::vector{1e9 + 0.25e6});
  const auto lower = open_voltages({file}, {.frequency = 1e9, .sideband = Sideband::lower});
  EXPECT_EQ(lower->info().frequency, std::vector{1e9 - 0.25e6});
  EXPECT_TRUE(lower->info().lower_sideband);
  EXPECT_TRUE(open_voltages({file})->info().frequency.empty());
}

// Several channels that descend say nothing of the samples within them; one channel of a negative
// width is a lower sideband.
TEST(VoltageReal, NegativeWidthsAreTheOrderOfChannelsOrASideband) {
  const TemporaryFolder folder;
  for (const char* const name : {"a.raw", "a.dada"})
    for (const int channels : {1, 4})
      for (const bool falls : {false, true}) {
        SCOPED_TRACE(::testing::Message() << name << channels << falls);
        Voltages made = random_voltages({2, 2, channels}, SampleType::ci8, 64);
        made.info.channel_width = 1e6;
        made.info.frequency.clear();
        for (int c = 0; c < channels; ++c)
          made.info.frequency.push_back(1e9 + (falls ? -1e6 : 1e6) * c);
        made.info.lower_sideband = falls && channels == 1;
        write_voltages(folder.path(name), made);
        const auto info_with = [&](Sideband given) {
          return open_voltages({folder.path(name)}, {.sideband = given})->info();
        };
        const VoltageInfo as_said = info_with(Sideband::automatic);
        EXPECT_EQ(as_said.lower_sideband, falls && channels == 1);
        EXPECT_EQ(as_said.sideband_assumed, falls && channels > 1);
        EXPECT_NEAR(as_said.frequency.back(), made.info.frequency.back(), 1e-3);
        for (const Sideband given : {Sideband::upper, Sideband::lower}) {
          EXPECT_EQ(info_with(given).lower_sideband, given == Sideband::lower);
          EXPECT_FALSE(info_with(given).sideband_assumed);
        }
        std::filesystem::remove(folder.path(name));
      }
}

TEST(VoltageReal, GuppiRefusesThemAndTextsAreChecked) {
  const TemporaryFolder folder;
  expect_error(
      [&] {
        write_voltages(folder.path("a.raw"), real_voltages({2, 1, 1}, SampleType::ci8, 9));
      },
      ErrorKind::usage, "write real ones as VDIF, PSRDADA, NPY or raw");
  const auto refused = [](const std::string& more, const char* part) {
    expect_error(
        [&] {
          parse_voltage_description(
              "a.json", R"({"antennas": 1, "polarisations": 2, "channels": 1, )" + more + "}");
        },
        ErrorKind::input, part);
  };
  refused(R"("samples": "ci4", "real": true)", "false for ci4");
  refused(R"("layout": "dp4a", "real": true)", "false for ci4 and for dp4a");
  refused(R"("sideband": "left")", "upper or lower");
  refused(R"("filter_bank": 3)", "an object");
  for (const char* const missing :
       {"3", "[3]", "[[3]]", "[[-1, 2]]", "[[0, 0]]", "[[5, 2], [6, 1]]", "[[0, 1, []]]",
        "[[0, 1, [2]]]", "[[0, 1, [0], 4]]", "[[0.5, 1]]", R"([[0, 1, "0"]])"})
    refused(R"("missing": )" + std::string(missing), "with inputs from 0 to 1");
}

/// Some samples of some inputs, some of all.
std::vector<unsigned char> pattern_of(long long samples, int inputs) {
  std::vector<unsigned char> valid;
  for (long long t = 0; t < samples; ++t)
    for (int i = 0; i < inputs; ++i)
      valid.push_back((t / 10 % 4 != 2 || i % 2 == 0) && (t < 70 || t >= 93));
  return valid;
}

TEST(VoltageReal, MissingSamplesComeBack) {
  const TemporaryFolder folder;
  for (const char* const name : {"a.npy", "a.bin"})
    for (const long long step : {1, 7, 200}) {
      const Voltages made = random_voltages({2, 2, 3}, SampleType::ci8, 200);
      const std::vector<unsigned char> valid = pattern_of(200, 4);
      const auto sink = create_voltages(folder.path(name), "auto", true);
      EXPECT_EQ(sink->missing(), VoltageSink::Missing::exact);
      sink->begin(made.info);
      for (long long first = 0; first < 200; first += step) {
        VoltageBlock block = made.block(first, std::min(step, 200 - first));
        block.valid = std::span(valid).subspan(static_cast<std::size_t>(4 * first),
                                               static_cast<std::size_t>(4 * block.samples));
        block.valid_samples = 1;
        sink->write(block);
      }
      sink->finish();
      for (const long long most : {1, 9, 1000}) {
        const ReadVoltages read = read_voltages({folder.path(name)}, most);
        EXPECT_TRUE(read.valid == valid) << name << step << most;
        ASSERT_EQ(read.voltages.samples, 200);
        for (std::size_t k = 0; k < valid.size(); ++k)
          for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t at = 2 * ((k / 4 * 3 + c) * 4 + k % 4);
            ASSERT_EQ(read.voltages.bytes[at], valid[k] ? made.bytes[at] : 0);
          }
      }
    }
}

}  // namespace
}  // namespace tessera::testing
