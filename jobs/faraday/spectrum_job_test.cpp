// SPDX-License-Identifier: Apache-2.0
// One spectrum compared with the answers of RM-Tools, key by key; bad files in a table.
#include "jobs/faraday/spectrum_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "io/child_process.hpp"
#include "report/json.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

const std::string kData = TESSERA_SOURCE_DIR "/tests/data/rmtools/";

/// The run that gave the reference values.
FaradaySpectrumJob reference_job(const TemporaryFolder& folder) {
  FaradaySpectrumJob job{.input = kData + "RMsynth1D_testdata.dat"};
  job.output = folder.path("source");
  job.options.phi_max = 600;
  job.options.dphi = 3;
  job.choices.ignore_i = true;
  return job;
}

Json read_json(const std::string& path) { return Json::parse(read_bytes(path)); }

/// Numbers within `bound`, or their own bound; the keys and their order are the same. RM-Tools had
/// its input and result in float, and its sums from FINUFFT to 1e-6.
void expect_values(const Json& expected, const Json& got, double bound,
                   const std::map<std::string, double>& bounds) {
  auto key = got.begin();
  for (const auto& [name, value] : expected.items()) {
    ASSERT_NE(key, got.end()) << name;
    EXPECT_EQ(key.key(), name);
    if (name == "polyCoefferr") {  // to first order in RM-Tools: see spectrum_job.hpp
      EXPECT_EQ(key.value().get<std::string>().substr(0, 21), "0.0,0.0,0.0,19.157488");
    } else if (value.is_string()) {
      EXPECT_EQ(key.value(), value) << name;
    } else {
      const auto own = bounds.find(name);
      const double allowed = own != bounds.end() ? own->second : bound;
      EXPECT_NEAR(key.value().get<double>(), value.get<double>(), allowed) << name;
    }
    ++key;
  }
  // Ours comes last: dF / (2 intensity sd of lambda^2), smaller than by the width of the RMSF.
  EXPECT_EQ(key.key(), "dRM_rm2");
  EXPECT_NEAR(key.value().get<double>(), 0.228, 5e-4);
  EXPECT_EQ(++key, got.end());
}

TEST(FaradaySpectrum, HasTheReferenceValuesOfRmsynth1d) {
  const TemporaryFolder folder;
  const FaradaySpectrumResult result = reference_job(folder).run();
  EXPECT_NEAR(result.synth.phiPeakPIfit_rm2, 200.2900, 0.0005);
  EXPECT_NEAR(result.synth.ampPeakPIfit, 0.69967, 1e-4);
  EXPECT_NEAR(result.synth.fwhmRMSF, 58.91, 0.005);
  // Frequencies in float are good to 32 Hz, and their steps to 64.
  expect_values(read_json(kData + "RMsynth1D_referencevalues.json"),
                read_json(folder.path("source_RMsynth.json")), 1e-4,
                {{"dFDFcorMAD", 2e-6},
                 {"dFDFth", 1e-9},
                 {"dAmpPeakPIfit", 1e-9},
                 {"ampPeakPIfit", 1e-5},
                 {"snrPIfit", 2e-3},
                 {"lam0Sq_m2", 1e-7},
                 {"freq0_Hz", 100},
                 {"max_freq", 32},
                 {"min_freq", 32},
                 {"median_channel_width", 64}});
}

TEST(FaradaySpectrum, HasTheReferenceValuesOfRmclean1d) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  job.choices.cutoff = -3;
  job.choices.iterations = 11;
  const FaradaySpectrumResult result = job.run();
  EXPECT_NEAR(result.clean->phiPeakPIfit_rm2, 200.3287, 0.001);
  EXPECT_NEAR(result.clean->ampPeakPIfit, 0.69962, 1e-4);
  EXPECT_EQ(result.clean->nIter, 11);
  expect_values(read_json(kData + "RMclean1D_referencevalues.json"),
                read_json(folder.path("source_RMclean.json")), 1e-4,
                {{"dFDFcorMAD", 2e-6}, {"cleanCutoff", 1e-8}, {"mom2CCFDF", 1e-5}});
}

// The figures below are those of RM-Tools 1.5.0 in double, its NUFFT replaced by the sum itself.
TEST(FaradaySpectrum, CleansToTheEndAndInWindowsAsRmclean1dDoes) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  job.choices.clean = true;
  const SpectrumCleanValues whole = job.run().clean.value();
  EXPECT_EQ(whole.nIter, 50);
  EXPECT_NEAR(whole.phiPeakPIfit_rm2, 200.35049422, 1e-5);
  EXPECT_NEAR(whole.ampPeakPIfit, 0.699328561, 1e-7);
  EXPECT_NEAR(whole.mom2CCFDF, 34.428573, 1e-4);
  job.choices.window = -1.5;
  job.outputs.force = true;
  const SpectrumCleanValues windowed = job.run().clean.value();
  EXPECT_EQ(windowed.nIter, 83);
  EXPECT_NEAR(windowed.phiPeakPIfit_rm2, 200.45115537, 1e-5);
  EXPECT_NEAR(windowed.ampPeakPIfit, 0.697325678, 1e-7);
}

TEST(FaradaySpectrum, DividesByAModelOfStokesIAsRmsynth1dDoes) {
  struct Expected {
    StokesCurve curve;
    int order;
    SpectrumWeights weights;
    double rm, amplitude, i_reference, chi_squared, lambda2_0, sigma_add;
    int order_found;
  };
  const Expected all[] = {
      {StokesCurve::log, 2, SpectrumWeights::variance, 200.2768534, 0.69367485, 0.99639636,
       1.03336598, 0.1054668132, 0.0738950, 2},
      {StokesCurve::linear, 3, SpectrumWeights::variance, 200.2775982, 0.69557228, 0.99928948,
       1.02939498, 0.1054666459, 0.0846392, 3},
      {StokesCurve::log, 5, SpectrumWeights::variance, 200.2784597, 0.68981060, 0.99095288,
       1.03059192, 0.1054675866, 0.0768510, 5},
      {StokesCurve::log, -5, SpectrumWeights::variance, 200.2778878, 0.69511977, 0.99864711,
       1.02789681, 0.1054672951, 0.0846383, 3},
      {StokesCurve::log, 1, SpectrumWeights::uniform, 200.2965676, 0.70139250, 1.00917914,
       1.06178604, 0.1032748626, 0.0606021, 1},
  };
  for (const Expected& expected : all) {
    const TemporaryFolder folder;
    FaradaySpectrumJob job = reference_job(folder);
    job.choices.ignore_i = false;
    job.choices.curve = expected.curve;
    job.choices.order = expected.order;
    job.choices.weights = expected.weights;
    const SpectrumSynthValues got = job.run().synth;
    EXPECT_NEAR(got.phiPeakPIfit_rm2, expected.rm, 2e-5);
    EXPECT_NEAR(got.ampPeakPIfit, expected.amplitude, 1e-6);
    EXPECT_NEAR(got.Ifreq0, expected.i_reference, 1e-6);
    EXPECT_NEAR(got.IfitChiSqRed, expected.chi_squared, 1e-6);
    EXPECT_NEAR(got.lam0Sq_m2, expected.lambda2_0, 1e-8);
    EXPECT_NEAR(got.sigmaAddC, expected.sigma_add, 1e-5);
    EXPECT_EQ(got.polyOrd, expected.order_found);
    EXPECT_GE(got.IfitStat, 1);
    EXPECT_LE(got.IfitStat, 4);
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << "\n";
}

TEST(FaradaySpectrum, WritesTheFilesOfRmTools) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  job.choices.clean = true;
  const FaradaySpectrumResult result = job.run();
  const std::map<std::string, std::size_t> lines{
      {"_FDFdirty.dat", 401}, {"_RMSF.dat", 803},     {"_weight.dat", 288}, {"_RMsynth.dat", 42},
      {"_FDFclean.dat", 401}, {"_FDFmodel.dat", 401}, {"_RMclean.dat", 22}};
  for (const auto& [name, count] : lines)
    EXPECT_EQ(lines_of(folder.path("source" + name)).size(), count) << name;
  EXPECT_EQ(result.files.size(), lines.size() + 2);
  // Depth, real and imaginary part; zero in the middle.
  double phi = 1, real = 0, imaginary = 0;
  std::istringstream(lines_of(folder.path("source_RMSF.dat"))[401]) >> phi >> real >> imaginary;
  EXPECT_EQ(phi, 0);
  EXPECT_NEAR(real, 1, 1e-14);
  EXPECT_NEAR(imaginary, 0, 1e-14);
  EXPECT_EQ(lines_of(folder.path("source_RMsynth.dat"))[14], "Ifreq0=1.0");
  EXPECT_EQ(lines_of(folder.path("source_RMclean.dat"))[15], "nIter=50");
  EXPECT_NE(result.describe().find("RM 200.2900 +- 0.2280 rad/m^2"), std::string::npos)
      << result.describe();
}

TEST(FaradaySpectrum, TakesFiveColumnsCommentsAndMissingValues) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  std::vector<std::string> five{"# frequency Q U dQ dU", ""}, holes, fewer;
  int n = 0;
  for (const std::string& line : lines_of(job.input)) {
    std::istringstream words(line);
    std::string f, i, q, u, di, dq, du;
    words >> f >> i >> q >> u >> di >> dq >> du;
    five.push_back(f + ",\t" + q + " " + u + " " + dq + " +" + du + "  # channel");
    const bool missing = n % 7 == 3;
    holes.push_back(f + " " + i + " " + (missing ? "nan" : q) + " " + u + " " + di + " " + dq +
                    " " + du);
    if (!missing) fewer.push_back(line);
    ++n;
  }
  const auto rm_of = [&](const std::vector<std::string>& lines) {
    job.input = folder.path("own.dat");
    job.outputs.force = true;
    write_lines(job.input, lines);
    return job.run().synth;
  };
  const SpectrumSynthValues seven = job.run().synth;
  EXPECT_EQ(rm_of(five).phiPeakPIfit_rm2, seven.phiPeakPIfit_rm2);
  const SpectrumSynthValues with_holes = rm_of(holes), without = rm_of(fewer);
  EXPECT_EQ(with_holes.N_channels, without.N_channels);
  EXPECT_NEAR(with_holes.phiPeakPIfit_rm2, without.phiPeakPIfit_rm2, 1e-9);
  EXPECT_NEAR(with_holes.lam0Sq_m2, without.lam0Sq_m2, 1e-15);
  EXPECT_NEAR(with_holes.dFDFth, without.dFDFth, 1e-15);
  EXPECT_NEAR(with_holes.sigmaAddC, without.sigmaAddC, 1e-9);
}

TEST(FaradaySpectrum, LeavesFilesThatExist) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  write_lines(folder.path("source_RMsynth.dat"), {"mine"});
  expect_error([&] { job.run(); }, ErrorKind::usage,
               "source_RMsynth.dat exists; give the option force");
  EXPECT_EQ(lines_of(folder.path("source_RMsynth.dat")), std::vector<std::string>{"mine"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("source_FDFdirty.dat")));
  job.outputs.force = true;
  EXPECT_EQ(job.run().files.size(), 5u);
}

TEST(FaradaySpectrum, NamesAreThoseOfTheInputUnlessGiven) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  std::filesystem::copy(job.input, folder.path("own.spectrum.dat"));
  job.input = folder.path("own.spectrum.dat");
  job.output = "";
  job.run();
  EXPECT_TRUE(std::filesystem::exists(folder.path("own.spectrum_RMsynth.json")));
}

TEST(FaradaySpectrum, DrawsSpectrumAndRmsf) {
  const TemporaryFolder folder;
  FaradaySpectrumJob job = reference_job(folder);
  job.choices.clean = true;
  job.outputs.picture = folder.path("fdf.svg");
  job.outputs.picture_rmsf = folder.path("rmsf.png");
  const FaradaySpectrumResult result = job.run();
  EXPECT_EQ(lines_of(folder.path("fdf.tsv")).size(), 402u);
  EXPECT_EQ(lines_of(folder.path("rmsf.tsv")).size(), 804u);
  if (find_program("gnuplot", "TESSERA_GNUPLOT").empty()) GTEST_SKIP() << "gnuplot was not found";
  EXPECT_TRUE(result.notes.empty()) << result.notes.front();
  EXPECT_NE(read_bytes(folder.path("fdf.svg")).find("components"), std::string::npos);
  EXPECT_GT(read_bytes(folder.path("rmsf.png")).size(), 5000u);
}

TEST(FaradaySpectrum, SaysWhatIsWrongWithAFile) {
  struct Bad {
    const char* text;
    const char* message;
    ErrorKind kind = ErrorKind::input;
  };
  const Bad table[] = {
      {"", "it contains no numbers"},
      {"# nothing\n", "it contains no numbers"},
      {"1e9 1 2 3\n", "line 1 has 4 columns; it must have 7"},
      {"# a\n1e9 1 2 3 4\n2e9 1 2 3\n", "line 3 has 4 columns, and those before 5"},
      {"1e9 1 2 3 four\n", "line 1: 'four' is not a number"},
      {"1e9 1 2 3 4\n-1 1 2 3 4\n", "line 2: the frequency is -1 Hz; it must be above 0"},
      {"nan 1 2 3 4\n", "line 1: the frequency is nan Hz"},
      {"1e9 1 2 -3 4\n", "errors of Q and U at 1000000000 Hz are -3 and 4"},
      {"1e9 1 2 3 4\n", "at least two frequencies", ErrorKind::usage},
      {"1e9 1 2 3 4\n1e9 1 2 3 4\n", "at least two frequencies", ErrorKind::usage},
      {"1e9 nan 2 3 4\n2e9 1 nan 3 4\n", "none of 2 channels has Q, U and errors",
       ErrorKind::usage},
      {"1e9 1 2 0 0\n2e9 1 2 0 0\n", "give errors or --weights uniform", ErrorKind::usage},
      {"1e9 1 1 2 1 3 4\n2e9 1 1 2 1 3 4\n", "order 2 needs 3", ErrorKind::usage},
  };
  const TemporaryFolder folder;
  for (const Bad& bad : table) {
    std::ofstream(folder.path("bad.dat")) << bad.text;
    FaradaySpectrumJob job{.input = folder.path("bad.dat")};
    expect_error([&] { job.run(); }, bad.kind, bad.message);
  }
  FaradaySpectrumJob job{.input = folder.path("none.dat")};
  expect_error([&] { job.run(); }, ErrorKind::input, "none.dat");
  job.input = kData + "RMsynth1D_testdata.dat";
  job.output = folder.path("x");
  job.choices.order = 6;
  expect_error([&] { job.run(); }, ErrorKind::usage, "faraday: order is 6; it can be -5 to 5");
  job.choices.order = 2;
  job.outputs.picture = folder.path("x.pdf");
  expect_error([&] { job.run(); }, ErrorKind::usage, ".pdf");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace tessera::testing
