// SPDX-License-Identifier: Apache-2.0
// Recordings with false headers, recordings that end early, and other files.
#include <functional>

#include "io/header_card.hpp"
#include "io/voltages/vdif_header.hpp"
#include "tests/support/files.hpp"
#include "tests/support/recordings.hpp"

namespace tessera::testing {
namespace {

/// A recording of 3 blocks or files, as bytes for tests to damage.
std::string good(const std::string& ending) {
  const TemporaryFolder folder;
  Voltages made = random_voltages({2, 2, 4}, SampleType::ci8, 3000);
  const std::string file = folder.path("a." + ending);
  write_voltages(file, made);
  return read_bytes(file);
}

/// Blocks of GUPPI RAW with these cards before the usual ones.
std::string guppi(const std::vector<std::pair<std::string, std::string>>& cards, int blocks = 1,
                  int step = 15) {
  std::string bytes;
  for (int block = 0; block < blocks; ++block) {
    std::vector<std::pair<std::string, std::string>> all = cards;
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"BLOCSIZE", "1024"},
                                                          {"OBSNCHAN", "4"},
                                                          {"NPOL", "4"},
                                                          {"NBITS", "8"},
                                                          {"PKTSIZE", "64"},
                                                          {"PKTIDX", std::to_string(block * step)}})
      if (std::ranges::count(cards, key, &std::pair<std::string, std::string>::first) == 0)
        all.emplace_back(key, value);
    for (const auto& [key, value] : all) bytes += fits_card(key, value, "");
    bytes += std::string("END").append(77, ' ');
    bytes += std::string(1024, static_cast<char>('a' + block));
  }
  return bytes;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// VDIF with one word of the header of a frame changed.
std::string vdif(int frame, int word, std::uint32_t clear, std::uint32_t set) {
  std::string bytes = good("vdif");
  const std::size_t at = static_cast<std::size_t>(frame) * (32 + 8000) + 4u * word;
  for (std::size_t k = 0; k < 4; ++k)
    bytes[at + k] =
        static_cast<char>((static_cast<unsigned char>(bytes[at + k]) & ~(clear >> 8 * k & 0xff)) |
                          (set >> 8 * k & 0xff));
  return bytes;
}

/// Two frames of 4 samples at the highest possible rate, 34 years apart.
std::string far_away() {
  VdifHeader header{.complex = true, .epoch = 40, .extension = 1, .frame_bytes = 40};
  header.rate = 1e6 * ((1 << 23) - 1);
  std::string bytes;
  for (const long long seconds : {0, (1 << 30) - 1}) {
    header.seconds = seconds;
    bytes += vdif_header_bytes(header) + "abcdefgh";
  }
  return bytes;
}

struct BadFile {
  const char* name;
  std::string bytes;
  const char* message;
};

TEST(BadVoltages, AreRefusedWithWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string dada = good("dada");
  const std::vector<BadFile> files{
      {"empty.raw", "", "it is empty"},
      {"junk.raw", std::string(10000, '\xff'), "does not begin like"},
      {"a.raw", guppi({{"BLOCSIZE", "-16"}}), "BLOCSIZE is -16 at byte 0; it must be a multiple"},
      {"a.raw", guppi({{"BLOCSIZE", "1000"}}), "BLOCSIZE is 1000"},
      {"a.raw", guppi({{"BLOCSIZE", "9000000000000000"}}),
       "has 1024 of its 9000000000000000 bytes"},
      {"a.raw", guppi({{"BLOCSIZE", "1e300"}}), "BLOCSIZE is 1e300; it must be a whole number"},
      {"a.raw", guppi({{"BLOCSIZE", "'many'"}}), "BLOCSIZE is 'many'; it must be a number"},
      {"a.raw", guppi({{"NBITS", "7"}}), "NBITS is 7; 4, 8 and 16"},
      {"a.raw", guppi({{"NANTS", "3"}}), "OBSNCHAN is 4 and NANTS is 3"},
      {"a.raw", guppi({{"NANTS", "0"}}), "NANTS is 0"},
      {"a.raw", guppi({{"OBSNCHAN", "2000000000"}}), "2000000000 channels; there can be 1 to"},
      {"a.raw", guppi({{"NPOL", "9"}}), "9 polarisations; there can be 1 to 4"},
      {"a.raw", guppi({{"OVERLAP", "64"}}), "OVERLAP is 64 and a block has 64 samples"},
      {"a.raw", guppi({{"OVERLAP", "-1"}}), "OVERLAP is -1"},
      {"a.raw", guppi({}).substr(0, 400), "has no END card; the file ends there"},
      {"a.raw", changed(guppi({}), "END ", "NON "), "there should be a card"},
      {"a.raw", guppi({}).substr(0, 1000), "has 440 of its 1024 bytes and is left out"},
      {"a.dada", changed(dada, "HDR_SIZE 4096", "HDR_SIZE 0   "), "HDR_SIZE is 0; it can be"},
      {"a.dada", changed(dada, "HDR_SIZE 4096", "HDR_SIZE 1e99"), "it must be a whole number"},
      {"a.dada", changed(dada, "NBIT 8", "NBIT 3"), "NBIT is 3; 8 and 16"},
      {"a.dada", changed(dada, "NDIM 2", "NDIM 5"), "NDIM is 5; 1 (real) and 2"},
      {"a.dada", changed(dada, "NBIT 8", "NBIT 32\nENCODING OFFSETBINARY"),
       "ENCODING is OFFSETBINARY, which is not possible for floats"},
      {"a.dada", changed(dada, "ORDER TFAP", "ORDER TFXP"), "ORDER TFXP has 'X'"},
      {"a.dada", changed(dada, "ORDER TFAP", "ORDER TTTT"), "ORDER TTTT has A 0 times"},
      {"a.dada", changed(dada, "ORDER TFAP", "ORDER TFAPCC"),
       "ORDER TFAPCC has C 2 times; it can be there at most once"},
      {"a.dada", changed(changed(dada, "NDIM 2", "NDIM 1"), "ORDER TFAP", "ORDER TFAPC"),
       "ORDER TFAPC has C 1 times; these samples have no parts"},
      {"a.dada", dada.substr(0, 2000), "ends inside the header"},
      {"a.dada", dada.substr(0, 4096 + 7), "7 bytes of samples follow byte 4096"},
      {"a.vdif", good("vdif").substr(0, 20), "a VDIF frame has at least 24"},
      {"a.vdif", good("vdif").substr(0, 5000), "its first VDIF frame has 5000 of its 8032 bytes"},
      {"a.vdif", vdif(0, 2, 0xffffff, 0), "claims to be 0 bytes long"},
      {"a.vdif", vdif(0, 3, 0x1fu << 26, 4u << 26), "have 5 bits; 1, 2, 4, 8 and 16"},
      {"a.vdif", vdif(0, 2, 0x1f000000, 0x1f000000), "that is not a whole number of samples"},
      {"a.npy", "\x93NUMPY", "NPY header needs at least 10"}};
  for (const BadFile& bad : files) {
    SCOPED_TRACE(bad.message);
    write_bytes(folder.path(bad.name), bad.bytes);
    expect_error([&] { read_voltages({folder.path(bad.name)}); }, ErrorKind::input, bad.message);
  }
  expect_error([&] { open_voltages({folder.path()}); }, ErrorKind::input, "is a folder");
  expect_error([&] { open_voltages({folder.path("none")}); }, ErrorKind::input, "cannot be opened");
  expect_error([&] { open_voltages({}); }, ErrorKind::usage, "there are no files");
}

// Whole blocks before the damage are kept.
TEST(BadVoltages, EndWithAWarningAfterTheFirstBlock) {
  const TemporaryFolder folder;
  struct Cut {
    const char* name;
    std::string bytes;
    long long samples;
    const char* warning;
  };
  const std::string two = guppi({}, 2, 16), dada = good("dada");
  const long long frames = 8032;
  const std::vector<Cut> cuts{
      {"a.raw", two.substr(0, two.size() - 1), 64, "has 1023 of its 1024 bytes and is left out"},
      {"a.raw", two.substr(0, two.size() - 1200), 64, "has no END card"},
      {"a.raw", guppi({}, 1) + guppi({{"NBITS", "4"}}, 1), 64, "NBITS changes from 8 to 4"},
      {"a.raw", guppi({}, 1) + guppi({{"PKTIDX", "900000000000"}}), 64, "samples are missing"},
      {"a.raw", guppi({}, 1) + std::string(100, 'x'), 64, "there should be a card"},
      {"a.dada", dada.substr(0, 4096 + 32 * 1000 + 5), 1000, "1000 whole samples are used"},
      {"a.vdif", good("vdif").substr(0, 9 * frames), 3000, ""},
      {"a.vdif", good("vdif").substr(0, 8 * frames + 100), 2000, "has 100 of its 8032 bytes"},
      {"a.vdif", vdif(4, 2, 0xffffff, 500), 1000, "bytes per frame are 8032 and 4000"},
      {"a.vdif", vdif(4, 3, 0x1fu << 26, 3u << 26), 1000, "bits per sample are 8 and 4"},
      {"a.vdif", vdif(4, 0, 0x3fffffff, 0x3fffffff), 1000, "samples are missing"},
      {"a.vdif", far_away(), 4, "frames per second; up to 9e+15 samples can be counted"}};
  for (const Cut& cut : cuts) {
    SCOPED_TRACE(cut.warning);
    write_bytes(folder.path(cut.name), cut.bytes);
    const ReadVoltages read = read_voltages({folder.path(cut.name)}, 50);
    EXPECT_EQ(read.voltages.samples, cut.samples);
    EXPECT_EQ(read.truncated, *cut.warning != '\0');
    EXPECT_EQ(read.warnings.size(), *cut.warning ? 1u : 0u);
    if (!read.warnings.empty()) {
      EXPECT_NE(read.warnings[0].find(cut.warning), std::string::npos) << read.warnings[0];
    }
  }
}

TEST(BadVoltages, GuppiOverlapsGapsAndCountersThatStand) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.raw");
  const auto letters = [&] {  // the first byte of every sample
    const ReadVoltages read = read_voltages({file}, 10);
    std::string text;
    for (long long t = 0; t < read.voltages.samples; ++t)
      text += read.valid[static_cast<std::size_t>(2 * t)]
                  ? static_cast<char>(read.voltages.bytes[static_cast<std::size_t>(16 * t)])
                  : '.';
    return text;
  };
  // 64 samples per block; PKTIDX counts 4 of them.
  write_bytes(file, guppi({{"OVERLAP", "4"}}, 3));
  EXPECT_EQ(letters(), std::string(64, 'a') + std::string(60, 'b') + std::string(60, 'c'));
  write_bytes(file, guppi({}, 2, 18));
  EXPECT_EQ(letters(), std::string(64, 'a') + std::string(8, '.') + std::string(64, 'b'));
  write_bytes(file, guppi({}, 2, 0));
  EXPECT_EQ(letters(), std::string(64, 'a') + std::string(64, 'b'));
  write_bytes(file, guppi({{"PIPERBLK", "64"}}, 2, 64));
  EXPECT_EQ(letters(), std::string(64, 'a') + std::string(64, 'b'));
  write_bytes(file, guppi({{"DIRECTIO", "1"}}, 1));  // 8 cards: 640 bytes, padded to 1024
  expect_error([&] { letters(); }, ErrorKind::input, "has 640 of its 1024 bytes");
}

// Each gap is small enough, but a few kB would become a thousand million samples.
TEST(BadVoltages, GapsAreLimitedByTheData) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.raw");
  write_bytes(file, guppi({}, 4, 62500016));
  const auto source = open_voltages({file});
  EXPECT_EQ(source->read(1000).samples, 64);
  EXPECT_EQ(source->read(1000).samples, 0);
  EXPECT_TRUE(source->truncated());
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find(
                "a.raw: with 250000000 before its next block, 250000000 samples are missing and "
                "about 396 are there; max-gap allows 100"),
            std::string::npos)
      << source->warnings()[0];
  // Gaps add up: 3 of 32000 samples each, and room for 39600 or for 118800.
  write_bytes(file, guppi({}, 4, 8016));
  EXPECT_EQ(read_voltages({file}).voltages.samples, 64 + 32000 + 64);
  EXPECT_EQ(read_voltages({file}, 1000, {.max_gap = 300}).voltages.samples, 4 * 64 + 3 * 32000);
  EXPECT_EQ(read_voltages({file}, 1000, {.max_gap = 0}).voltages.samples, 64);
}

TEST(BadVoltages, MissingSamplesAreSkippedAtOnce) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.raw");
  write_bytes(file, guppi({}, 3, 62500016));
  const auto source = open_voltages({file}, {.max_gap = 1e9});
  constexpr long long kAll = 1LL << 60;
  EXPECT_EQ(source->skip_missing(kAll), 0);
  EXPECT_EQ(source->read(1000).samples, 64);
  EXPECT_EQ(source->skip_missing(100), 100);
  const VoltageBlock silent = source->read(50);
  EXPECT_EQ(silent.samples, 50);
  EXPECT_EQ(std::ranges::count(silent.valid, 0), std::ssize(silent.valid));
  EXPECT_EQ(source->skip_missing(kAll), 250000000 - 150);
  EXPECT_EQ(source->skip_missing(kAll), 0);
  EXPECT_EQ(source->read(1000).samples, 64);
  EXPECT_EQ(source->skip_missing(kAll), 250000000);
  EXPECT_EQ(source->read(1000).samples, 64);
  EXPECT_EQ(source->skip_missing(kAll), 0);
  EXPECT_EQ(source->read(1000).samples, 0);
  EXPECT_FALSE(source->truncated());
}

// Times without any frame are gaps, inside of a window (of 4 times here) and beyond it.
TEST(BadVoltages, MissingVdifFramesAreGaps) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.vdif");
  for (const int times : {1, 7}) {
    std::string bytes = good("vdif");
    const std::size_t frame = 8032, threads = bytes.size() / frame / 3;
    for (std::size_t k = threads; k < 3 * threads; ++k)
      bytes[k * frame + 4] = static_cast<char>(bytes[k * frame + 4] + times);
    write_bytes(file, bytes);
    const auto source = open_voltages({file});
    EXPECT_EQ(source->read(5000).samples, 1000) << times;
    EXPECT_EQ(source->skip_missing(1LL << 60), 1000 * times);
    EXPECT_EQ(source->read(5000).samples, 2000) << times;
    EXPECT_EQ(source->read(5000).samples, 0) << times;
  }
}

TEST(BadVoltages, DescriptionsSayWhichKeyIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.bin");
  write_bytes(file, std::string(960, 'x'));
  const std::string start = R"({"antennas": 2, "polarisations": 2, "channels": 3)";
  const std::vector<std::pair<std::string, const char*>> texts{
      {"[]", "it is not a JSON object"},
      {"{", "it is not a JSON object"},
      {R"({"antennas": 2})", "it has no \"polarisations\""},
      {R"({"antennas": 0, "polarisations": 1, "channels": 1})", "\"antennas\" is 0; it must be"},
      {R"({"antennas": 1e9, "polarisations": 1, "channels": 1})", "\"antennas\" is 1000000000.0"},
      {start + R"(, "samples": "ci7"})", "\"samples\" is \"ci7\"; it must be ci8"},
      {start + R"(, "layout": "xyz"})", "\"layout\" is \"xyz\" of ci8"},
      {start + R"(, "layout": "dp4a", "samples": "ci16"})", "or dp4a of ci8"},
      {start + R"(, "frequency": [1, 2]})", "a list of 3 numbers in hertz"},
      {start + R"(, "sample_rate": -1})", "it must be positive"},
      {start + R"(, "start": "today"})", "it must be a number"},
      {start + R"(, "antenna_positions": [[1, 2]]})", "a list of 2 [x, y, z]"},
      {start + R"(, "antenna_names": [1, 2]})", "a list of 2 texts"},
      {start + R"(, "colour": 1})", "\"colour\" is not known; there are antennas"},
      {start + R"(, "layout": "cit", "samples": "cf32"})", ""},
      {start + R"(, "layout": "tcc"})", "in groups of 16 time samples"}};
  for (const auto& [text, message] : texts) {
    SCOPED_TRACE(text);
    write_bytes(file + ".json", text);
    if (*message)
      expect_error([&] { open_voltages({file}); }, ErrorKind::input, message);
    else
      EXPECT_NO_THROW(open_voltages({file}));
  }
}

// Impossible times are left out; an impossible rate is refused.
TEST(BadVoltages, TimesOutOfAllBounds) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.raw"), day = "60000", huge = "1e300";
  const auto start_of = [&](const std::string& bytes) {
    write_bytes(file, bytes);
    return open_voltages({file})->info().start;
  };
  EXPECT_EQ(start_of(guppi({{"STT_IMJD", day}, {"STT_SMJD", "43200"}})), 60000.5);
  EXPECT_EQ(start_of(guppi({{"STT_IMJD", day}, {"STT_SMJD", huge}})), std::nullopt);
  EXPECT_EQ(start_of(guppi({{"STT_IMJD", "9000000000000000"}})), std::nullopt);
  EXPECT_EQ(start_of("HDR_SIZE 512\nNBIT 8\nMJD_START 60000.5e300\n" + std::string(1000, '\0')),
            std::nullopt);
  EXPECT_EQ(start_of("HDR_SIZE 512\nNBIT 8\nUTC_START 2024-01-01-00:00:00\nPICOSECONDS 1e300\n" +
                     std::string(1000, '\0')),
            std::nullopt);
  expect_error(
      [&] {
        start_of(guppi({{"TBIN", "1e-320"}}));
      },
      ErrorKind::input, "its sample rate is inf Hz; it can be up to 1e+15 Hz");
  expect_error([&] { open_voltages({file}, {.sample_rate = 1e300}); }, ErrorKind::usage,
               "sample-rate is 1e+300; it can be 0 to 1000000000000000 Hz");
  // A gap of 27000 years between files is not filled.
  const auto at = [&](const char* first, const char* rate) {
    return guppi({{"STT_IMJD", first}, {"TBIN", rate}});
  };
  write_bytes(file, at("1", "1e-14"));
  write_bytes(folder.path("b.raw"), at("9999999", "1e-14"));
  const ReadVoltages read = read_voltages({file, folder.path("b.raw")});
  EXPECT_EQ(read.voltages.samples, 64);
  EXPECT_TRUE(read.truncated);
}

TEST(BadVoltages, FilesThatAreNotOneRecordingAreNamed) {
  const TemporaryFolder folder;
  write_voltages(folder.path("a.raw"), random_voltages({2, 2, 4}, SampleType::ci8, 100));
  write_voltages(folder.path("b.raw"), random_voltages({2, 2, 3}, SampleType::ci8, 100));
  const ReadVoltages read = read_voltages({folder.path("a.raw"), folder.path("b.raw")});
  EXPECT_EQ(read.voltages.samples, 100);
  EXPECT_TRUE(read.truncated);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_NE(read.warnings[0].find("b.raw: its shape is 2 antennas, 2 polarisations and 3 channels"),
            std::string::npos)
      << read.warnings[0];
}

// Real samples of 4 and of 8 bits are both read as ci8, in other units.
TEST(BadVoltages, FilesInOtherUnitsAreNotOneRecording) {
  const TemporaryFolder folder;
  std::string eight = good("vdif");
  for (std::size_t at = 15; at < eight.size(); at += 8032)
    eight[at] = static_cast<char>(eight[at] & 0x7f);  // not complex
  std::string four = eight;
  for (std::size_t at = 15; at < four.size(); at += 8032)
    four[at] = static_cast<char>((four[at] & ~0x7c) | 3 << 2);
  write_bytes(folder.path("a.vdif"), eight);
  write_bytes(folder.path("b.vdif"), four);
  const ReadVoltages read = read_voltages({folder.path("a.vdif"), folder.path("b.vdif")});
  EXPECT_EQ(read.voltages.samples, 6000);
  EXPECT_TRUE(read.truncated);
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_NE(read.warnings[0].find("its type is ci8 real in units of 0.33898"), std::string::npos)
      << read.warnings[0];
}

TEST(BadVoltages, SinksRefuseWhatAFormatCannotHold) {
  const TemporaryFolder folder;
  const auto begin = [&](const char* name, const std::function<void(VoltageInfo&)>& change) {
    return [&folder, name, change] {
      VoltageInfo info = random_voltages({2, 2, 4}, SampleType::ci8, 1).info;
      change(info);
      create_voltages(folder.path(name), "auto", false)->begin(info);
    };
  };
  const auto refused = [](const std::function<void()>& call, const char* message) {
    expect_error(call, ErrorKind::usage, message);
  };
  refused(begin("a.raw", [](auto& i) { i.samples = SampleType::cf32; }), "holds ci4, ci8 and ci16");
  refused(begin("a.dada", [](auto& i) { i.samples = SampleType::ci4; }), "holds ci8, ci16 and");
  refused(begin("a.raw", [](auto& i) { i.frequency[1] = 0; }), "not evenly spaced");
  refused(begin("a.vdif", [](auto& i) { i.shape.channels = 3; }),
          "a power of 2 as the number of channels");
  refused(begin("a.vdif", [](auto& i) { i.sample_rate = 0.5; }), "a whole number of samples");
  refused(begin("a.vdif", [](auto& i) { i.start_second = 0.12345; }), "give a whole second");
  refused(begin("a.txt", [](auto&) {}), "its extension is not one of a recording");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // nothing is left behind
}

}  // namespace
}  // namespace tessera::testing
