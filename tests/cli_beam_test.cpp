// SPDX-License-Identifier: Apache-2.0
// Cubes of channels with their own beams: how many were convolved, and how many copied.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/mpi_runs.hpp"
#include "tests/support/test_files.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

constexpr int kSide = 24;

std::string big_word(std::uint32_t word) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xff);
  return bytes;
}
std::string big_float(float value) { return big_word(std::bit_cast<std::uint32_t>(value)); }

/// A cube with circular beams of these sizes in arcsec, in a table; 0: the channel has none.
std::string cube_with_beams(const std::vector<float>& beams) {
  const auto channels = static_cast<long long>(beams.size());
  std::string data, table;
  for (long long i = 0; i < channels * kSide * kSide; ++i)
    data += big_float(static_cast<float>(i % 7));
  for (std::uint32_t k = 0; k < beams.size(); ++k)
    table += big_float(beams[k]) + big_float(beams[k]) + big_float(0) + big_word(k) + big_word(0);
  std::vector<std::string> cards{card("XTENSION= 'BINTABLE'"),
                                 card("BITPIX", "8"),
                                 card("NAXIS", "2"),
                                 card("NAXIS1", "20"),
                                 card("NAXIS2", std::to_string(channels)),
                                 card("PCOUNT", "0"),
                                 card("GCOUNT", "1"),
                                 card("TFIELDS", "5"),
                                 card("EXTNAME = 'BEAMS'")};
  const char* const columns[][3] = {{"BMAJ", "1E", "arcsec"},
                                    {"BMIN", "1E", "arcsec"},
                                    {"BPA", "1E", "deg"},
                                    {"CHAN", "1J", ""},
                                    {"POL", "1J", ""}};
  for (int n = 1; n <= 5; ++n) {
    const auto& [name, form, unit] = columns[n - 1];
    cards.push_back(card(fmt::format("TTYPE{}  = '{}'", n, name)));
    cards.push_back(card(fmt::format("TFORM{}  = '{}'", n, form)));
    cards.push_back(card(fmt::format("TUNIT{}  = '{}'", n, unit)));
  }
  return fits_bytes(-32, {kSide, kSide, channels},
                    {card("CASAMBM", "T"), card("BUNIT   = 'Jy/beam'"), card("CDELT1", "-0.001"),
                     card("CDELT2", "0.001"), card("CTYPE3  = 'FREQ'"), card("CRVAL3", "1E9"),
                     card("CRPIX3", "1"), card("CDELT3", "1E6")},
                    data) +
         header_bytes(cards) + to_block(table, '\0');
}

class CliBeam : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  }
  Outcome run(const std::vector<float>& beams, const std::vector<std::string>& more = {}) {
    write_bytes(folder_.path("Q.fits"), cube_with_beams(beams));
    std::vector<std::string> words{"beam", folder_.path("Q.fits"), "-o", folder_.path("out.fits"),
                                   "--force"};
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  void expect_said(const std::vector<float>& beams, const std::string& part) {
    const std::string said = run(beams).out;
    EXPECT_NE(said.find(part), std::string::npos) << said << "\nwanted: " << part;
    EXPECT_EQ(said.find("equal, copied"), std::string::npos) << said;
  }
  TemporaryFolder folder_;
};

TEST_F(CliBeam, CountsChannelsConvolvedAndCopied) {
  expect_said({14, 12, 11}, "; 2 channels convolved, 1 copied\n");
  expect_said({12, 14, 14}, "; 1 channel convolved, 2 copied\n");
  expect_said({14, 14}, "nothing had to be convolved; 2 channels copied\n");
  expect_said({14, 12, 0}, "; 1 channel convolved, 1 copied\n");
  expect_said({14, 12, 0}, "note: 1 channel has no beam and is blank");
  expect_said({0, 12, 0}, "note: 2 channels have no beam and are blank");
  const auto json = nlohmann::json::parse(run({14, 12, 11}, {"--json"}).out);
  EXPECT_EQ(json["files"][0]["copied_channels"], 1);
  EXPECT_NE(json["ran"].get<std::string>().find(" times "), std::string::npos) << json["ran"];
}

// Channels that are convolved, copied and blank.
TEST_F(CliBeam, RanksMakeTheFileOfOneProcess) {
  run({14, 12, 0, 11});
  const std::string out = folder_.path("out.fits"), whole = read_bytes(out);
  const std::vector<std::string> words{TESSERA_CLI, "beam", folder_.path("Q.fits"),
                                       "-o",        out,    "--force"};
  for (const Launcher& launcher : usable_launchers()) {
    write_bytes(out, "old");
    const Outcome outcome = run_ranks(launcher, 3, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("does this alone"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("; 2 channels convolved, 1 copied"), std::string::npos)
        << outcome.out;
    EXPECT_TRUE(read_bytes(out) == whole) << launcher.mpi;
  }
}

TEST_F(CliBeam, OthersSayThatTheTableIsNotCopied) {
  write_bytes(folder_.path("Q.fits"), cube_with_beams({14, 12, 11}));
  const std::string in = folder_.path("Q.fits"), out = folder_.path("o.fits");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"convert", in, out},
           {"convolve", in, "box:3x3", out},
           {"noise", in, "-o", folder_.path("n"), "--box", "8"}}) {
    std::vector<std::string> all = words;
    all.emplace_back("--force");
    EXPECT_NE(run_tool(all).out.find("in a table (CASAMBM) that is not copied"), std::string::npos)
        << words[0];
  }
}

// The beam of noise --like bane is that of the header, which a table replaces.
TEST_F(CliBeam, NoiseSaysThatItsGridDoesNotFollowATable) {
  write_bytes(folder_.path("Q.fits"), cube_with_beams({14, 12, 11}));
  const std::vector<std::string> words{
      "noise", folder_.path("Q.fits"), "-o", folder_.path("n"), "--like", "bane", "--force"};
  const Outcome outcome = run_tool(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("note: --like bane takes steps of 16 pixels, because every channel "
                             "has its own beam, in a table (CASAMBM); give --grid"),
            std::string::npos)
      << outcome.out;
  std::vector<std::string> with_grid = words;
  with_grid.insert(with_grid.end(), {"--grid", "8"});
  EXPECT_EQ(run_tool(with_grid).out.find("note: --like"), std::string::npos);
}

}  // namespace
}  // namespace tessera::testing
