// SPDX-License-Identifier: Apache-2.0
// What is written comes back, from every format, type and order, in parts of any length.
#include "io/voltages/voltage_file.hpp"

#include <cmath>
#include <cstring>

#include "io/voltages/vdif_header.hpp"
#include "tests/support/files.hpp"
#include "tests/support/recordings.hpp"

namespace tessera::testing {
namespace {

struct Case {
  const char* ending;
  SampleType type;
};
const std::vector<Case> kCases{
    {"raw", SampleType::ci8},  {"raw", SampleType::ci4},   {"raw", SampleType::ci16},
    {"dada", SampleType::ci8}, {"dada", SampleType::ci16}, {"dada", SampleType::cf32},
    {"vdif", SampleType::ci8}, {"npy", SampleType::ci8},   {"npy", SampleType::ci4},
    {"npy", SampleType::ci16}, {"npy", SampleType::cf16},  {"npy", SampleType::cf32},
    {"bin", SampleType::ci8},  {"bin", SampleType::cf32}};

TEST(VoltageFile, EveryFormatAndTypeComesBack) {
  const TemporaryFolder folder;
  for (const Case& test : kCases)
    for (const XEngineShape shape : {XEngineShape{5, 2, 4}, {1, 1, 2}, {3, 1, 1}, {1, 2, 8}})
      for (const long long most : {1, 7, 1000, 1 << 30}) {
        SCOPED_TRACE(::testing::Message() << test.ending << " " << name_of(test.type) << " "
                                          << shape.antennas << " " << most);
        const Voltages made = random_voltages(shape, test.type, 4000);
        const std::string file = folder.path(std::string("a.") + test.ending);
        write_voltages(file, made);
        const ReadVoltages read = read_voltages(
            {file}, most,
            {.polarisations = std::string(test.ending) == "vdif" ? shape.polarisations : 0});
        const VoltageInfo& info = read.voltages.info;
        EXPECT_EQ(info.shape, shape);
        EXPECT_EQ(info.samples, test.type);
        EXPECT_EQ(read.voltages.samples, 4000);
        EXPECT_TRUE(read.voltages.bytes == made.bytes);
        EXPECT_FALSE(read.truncated);
        EXPECT_TRUE(read.warnings.empty());
        EXPECT_DOUBLE_EQ(*info.sample_rate, 1e6);
        EXPECT_EQ(info.start_day, 60123);
        EXPECT_NEAR(info.start_second, 45678, 1e-9);
      }
}

TEST(VoltageFile, HeadersKeepWhatIsKnown) {
  const TemporaryFolder folder;
  for (const char* const name : {"a.raw", "a.dada", "a.npy", "a.bin"}) {
    SCOPED_TRACE(name);
    Voltages made = random_voltages({2, 2, 3}, SampleType::ci8, 10);
    made.info.set_start(60000, 0.123456789);
    made.info.antenna_names = {"m000", "m001"};
    made.info.antenna_positions = {{1, 2, 3}, {4, 5.5, 6}};
    write_voltages(folder.path(name), made);
    const VoltageInfo info = open_voltages({folder.path(name)})->info();
    ASSERT_EQ(info.frequency.size(), 3u);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(info.frequency[c], made.info.frequency[c], 1e-3);
    EXPECT_NEAR(*info.channel_width, 1e6, 1e-6);
    EXPECT_NEAR(info.start_second, 0.123456789, 1e-10);
    EXPECT_EQ(info.telescope, "Here");
    EXPECT_EQ(info.source, "J0000+00");
    EXPECT_NEAR(*info.right_ascension, 272.655, 1e-6);
    EXPECT_NEAR(*info.declination, -17.7437, 1e-6);
    if (info.format != "NPY" && info.format != "raw") continue;
    EXPECT_EQ(info.antenna_names, made.info.antenna_names);
    EXPECT_EQ(info.antenna_positions, made.info.antenna_positions);
  }
}

TEST(VoltageFile, GuppiHoldsQuotesAndCutsLongNames) {
  const TemporaryFolder folder;
  Voltages made = random_voltages({2, 2, 3}, SampleType::ci8, 10);
  made.info.telescope = "Here's one";
  made.info.source = std::string(67, 'x') + "''\n";
  write_voltages(folder.path("a.raw"), made);
  const ReadVoltages read = read_voltages({folder.path("a.raw")});
  EXPECT_EQ(read.voltages.info.telescope, made.info.telescope);
  EXPECT_EQ(read.voltages.info.source, std::string(67, 'x'));
  EXPECT_TRUE(read.voltages.bytes == made.bytes);
}

// Where a sample lies, by its definition and not by strides.
using Place = long long (*)(const XEngineShape& s, long long n, int c, int a, int p, long long t,
                            int part);
struct Layout {
  const char* name;
  Place place;
};
const std::vector<Layout> kLayouts{
    {"tci",
     [](const XEngineShape& s, long long, int c, int a, int p, long long t, int part) -> long long {
       return (((t * s.channels + c) * s.antennas + a) * s.polarisations + p) * 2 + part;
     }},
    {"cti",
     [](const XEngineShape& s, long long n, int c, int a, int p, long long t,
        int part) -> long long {
       return (((c * n + t) * s.antennas + a) * s.polarisations + p) * 2 + part;
     }},
    {"cit",
     [](const XEngineShape& s, long long n, int c, int a, int p, long long t,
        int part) -> long long {
       return (((1LL * c * s.antennas + a) * s.polarisations + p) * n + t) * 2 + part;
     }},
    {"act",
     [](const XEngineShape& s, long long n, int c, int a, int p, long long t,
        int part) -> long long {
       return (((1LL * a * s.channels + c) * n + t) * s.polarisations + p) * 2 + part;
     }},
    {"tcc",
     [](const XEngineShape& s, long long n, int c, int a, int p, long long t,
        int part) -> long long {
       const long long group = (c * (n / 16) + t / 16) * s.antennas + a;
       return ((group * s.polarisations + p) * 16 + t % 16) * 2 + part;
     }},
    {"dp4a",
     [](const XEngineShape& s, long long, int c, int a, int p, long long t, int part) -> long long {
       const long long input = (t / 4 * s.channels + c) * s.antennas + a;
       return ((input * s.polarisations + p) * 2 + part) * 4 + t % 4;
     }}};

TEST(VoltageFile, EveryLayoutIsReadInParts) {
  const TemporaryFolder folder;
  const XEngineShape shape{3, 2, 5};
  const long long n = 96;
  const Voltages made = random_voltages(shape, SampleType::ci8, n);
  for (const Layout& layout : kLayouts)
    for (const long long most : {1, 5, 16, 40, 1000})
      for (const long long skip : {0, 7}) {
        SCOPED_TRACE(::testing::Message() << layout.name << " " << most << " " << skip);
        std::string bytes(made.bytes.size(), '\0');
        for (long long t = 0; t < n; ++t)
          for (int c = 0; c < shape.channels; ++c)
            for (int i = 0; i < shape.inputs(); ++i)
              for (int part = 0; part < 2; ++part)
                bytes[static_cast<std::size_t>(layout.place(shape, n, c, i / 2, i % 2, t, part))] =
                    static_cast<char>(made.bytes[static_cast<std::size_t>(
                        ((t * shape.channels + c) * shape.inputs() + i) * 2 + part)]);
        write_bytes(folder.path("a.bin"), bytes);
        write_bytes(folder.path("a.bin.json"),
                    R"({"antennas": 3, "polarisations": 2, "channels": 5, "layout": ")" +
                        std::string(layout.name) + "\"}");
        const ReadVoltages read = read_voltages({folder.path("a.bin")}, most, {.skip = skip});
        ASSERT_EQ(read.voltages.samples, n - skip);
        EXPECT_EQ(std::memcmp(read.voltages.bytes.data(),
                              made.bytes.data() + skip * made.order().bytes_a_sample(),
                              read.voltages.bytes.size()),
                  0);
      }
}

TEST(VoltageFile, FilesFollowEachOther) {
  const TemporaryFolder folder;
  Voltages made = random_voltages({2, 2, 4}, SampleType::ci8, 4096);
  for (const char* const ending : {"raw", "dada", "vdif", "npy"}) {
    SCOPED_TRACE(ending);
    const VoltageOptions options{.polarisations = std::string(ending) == "vdif" ? 2 : 0};
    std::vector<std::string> files;
    for (int k = 0; k < 3; ++k) {  // 2 and 4 follow, between 4 and 6 units a gap is left
      Voltages part = made;
      const long long unit = 1024, first = k == 0 ? 0 : k == 1 ? 2 : 3;
      part.samples = (k == 0 ? 2 : 1) * unit;
      part.bytes.erase(part.bytes.begin(),
                       part.bytes.begin() + first * unit * made.order().bytes_a_sample());
      // Frames of 1000 samples do not divide these VDIF files: seconds do.
      part.info.sample_rate = 1024;
      part.info.set_start(60123, 45678 + static_cast<double>(first + (k == 2 ? 2 : 0)));
      files.push_back(folder.path(std::to_string(k) + "." + ending));
      write_voltages(files.back(), part);
    }
    const VoltageInfo told = open_voltages(files, options)->info();
    EXPECT_FALSE(told.length);
    EXPECT_NEAR(static_cast<double>(told.expected_length), 4096, 0.15 * 4096);  // without the gap
    EXPECT_EQ(told.bits_of_all(), 4 * 4 * 16);
    const ReadVoltages read = read_voltages(files, 333, options);
    EXPECT_EQ(read.voltages.samples, 6 * 1024);
    const long long bytes = made.order().bytes_a_sample();
    EXPECT_EQ(std::memcmp(read.voltages.bytes.data(), made.bytes.data(),
                          static_cast<std::size_t>(3 * 1024 * bytes)),
              0);
    EXPECT_EQ(
        std::memcmp(read.voltages.bytes.data() + 5 * 1024 * bytes,
                    made.bytes.data() + 3 * 1024 * bytes, static_cast<std::size_t>(1024 * bytes)),
        0);
    for (long long t = 0; t < 6 * 1024; ++t)
      for (int i = 0; i < 4; ++i)
        ASSERT_EQ(read.valid[static_cast<std::size_t>(4 * t + i)], t < 3072 || t >= 5120) << t;
    EXPECT_FALSE(read.truncated);
  }
}

TEST(VoltageFile, VdifFlagsFramesWithInvalidSamples) {
  const TemporaryFolder folder;
  const Voltages made = random_voltages({3, 1, 4}, SampleType::ci8, 4000);
  std::vector<unsigned char> valid(4000 * 3, 1);
  valid[3 * 1500 + 1] = 0;
  VoltageBlock block = made.block(0, 4000);
  block.valid = valid;
  block.valid_samples = 1;
  const auto sink = create_voltages(folder.path("a.vdif"), "vdif", false);
  sink->begin(made.info);
  sink->write(block);
  sink->finish();
  const ReadVoltages read = read_voltages({folder.path("a.vdif")}, 700);
  for (long long t = 0; t < 4000; ++t)  // 1000 samples are a frame
    for (int i = 0; i < 3; ++i)
      ASSERT_EQ(read.valid[static_cast<std::size_t>(3 * t + i)], !(i == 1 && t >= 1000 && t < 2000))
          << t;
}

// The last second of 2016 is a leap second, 15897600 after the middle of the year.
TEST(VoltageFile, VdifGoesOnInANewEpoch) {
  const TemporaryFolder folder;
  VdifHeader header{.complex = true, .extension = 0, .frame_bytes = 32 + 8};
  std::string bytes;
  for (const auto& [epoch, seconds] :
       {std::pair{33, 15897599LL}, {33, 15897600LL}, {34, 0LL}, {34, 1LL}}) {
    header.epoch = epoch;
    header.seconds = seconds;
    for (header.frame = 0; header.frame < 3; ++header.frame)
      bytes += vdif_header_bytes(header) + std::string(8, static_cast<char>(bytes.size() / 40));
  }
  write_bytes(folder.path("a.vdif"), bytes);
  const ReadVoltages read = read_voltages({folder.path("a.vdif")});
  EXPECT_TRUE(read.warnings.empty());
  ASSERT_EQ(read.voltages.samples, 4 * 3 * 4);
  for (std::size_t t = 0; t < 48; ++t) {
    EXPECT_NE(read.valid[t], 0);
    EXPECT_EQ(read.voltages.bytes[2 * t], (t / 4) ^ 0x80) << t;
  }
}

TEST(VoltageFile, BlocksAreBoundedWhateverIsAskedFor) {
  const TemporaryFolder folder;
  const Voltages made = random_voltages({64, 2, 256}, SampleType::ci8, 2048);  // 128 MiB
  write_voltages(folder.path("a.dada"), made);
  const auto source = open_voltages({folder.path("a.dada")});
  long long samples = 0;
  while (const long long count = source->read(1LL << 60).samples) {
    EXPECT_LE(count * made.order().bytes_a_sample(), 64LL << 20);
    samples += count;
  }
  EXPECT_EQ(samples, 2048);
}

}  // namespace
}  // namespace tessera::testing
