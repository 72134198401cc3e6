// SPDX-License-Identifier: Apache-2.0
// Rotation measures of listed positions: they are those of the maps, row by row, and no row is
// lost.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "jobs/table_files.hpp"
#include "tests/support/cli_faraday.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

class CliFaradayCatalogue : public CliFaraday {
 protected:
  void SetUp() override {
    CliFaraday::SetUp();
    for (int k = 0; k < kChannels; ++k) q_.as<float>().at(5, 6, 0, k) = kNaN;
    for (int k = 0; k < 9; ++k) u_.as<float>().at(2, 3, 0, k) = kNaN;
    write_cubes();
    write_text(positions_,
               "name,x,y\nfirst,0,0\nhalf,2.2,2.8\n\"a, b\",12,10\nempty,5,6\nout,13,2\n"
               "below,-0.6,3\nnone,,4\n");
  }
  Words catalogue(const std::string& output, const Words& more = {}) const {
    Words words{"faraday", "catalogue",          positions_, cube("q"), cube("u"), list_,
                "-o",      folder_.path(output), "-l",       "400",     "-d",      "10"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Table table(const std::string& name) const { return read_table(folder_.path(name), {}); }
  static const TableColumn& column(const Table& table, const std::string& name) {
    for (const TableColumn& each : table.columns)
      if (each.name == name) return each;
    throw std::runtime_error(name);
  }

  std::string positions_ = folder_.path("positions.csv");
};

TEST_F(CliFaradayCatalogue, HasTheValuesOfTheMaps) {
  for (const Words& how : {Words{"-n", "0.2"}, Words{}, Words{"-n", "0.2", "-t"},
                           Words{"-n", "0.2", "--clean", "-c", "-3"}}) {
    Words more = how;
    more.emplace_back("--force");
    const Outcome outcome = run_tool(catalogue("rms.csv", more));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    more.insert(more.end(), {"--maps", "all", "--maps-only", "--rmsf", "pixels"});
    ASSERT_EQ(run_tool(synth("m_", more)).code, 0);
    const Table rms = table("rms.csv");
    ASSERT_EQ(rms.rows(), 7);
    const std::string noise = how.empty() ? "dFDFcorMAD" : "dFDFth";
    const std::pair<const char*, std::string> maps[] = {{"rm", "phiPeakPIfit_rm2"},
                                                        {"rm_err", "dRM_rm2"},
                                                        {"polint", "ampPeakPIfitEff"},
                                                        {"polint_err", noise},
                                                        {"polangle", "polAngleFit_deg"},
                                                        {"derot_polangle", "polAngle0Fit_deg"},
                                                        {"derot_polangle_err", "dPolAngle0Fit_deg"},
                                                        {"rmsf_fwhm", "RMSF_FWHM"},
                                                        {"snr", "snrPIfit"}};
    const Point pixels[] = {{0, 0}, {2, 3}, {12, 10}};
    for (const auto& [name, file] : maps) {
      const Image map = made("m_" + file + ".npy");
      for (std::size_t row = 0; row < 3; ++row)
        EXPECT_EQ(static_cast<float>(column(rms, name).numbers[row]),
                  map.as<float>().at(pixels[row].x, pixels[row].y))
            << name << " " << row;
    }
    EXPECT_EQ(column(rms, "Nchan").numbers[0], kChannels);
    EXPECT_EQ(column(rms, "Nchan").numbers[1], kChannels - 9);
    EXPECT_EQ(column(rms, "minfreq").texts[1],
              fmt::format("{}", static_cast<float>(channels_.frequency[9])));
    EXPECT_EQ(column(rms, "cat_id").texts[2], "a, b");
  }
}

// A fit with its reference at this frequency has the same values as its coefficients.
TEST_F(CliFaradayCatalogue, AFitGivesStokesIAndItsErrors) {
  const Size size = q_.info().size;
  Image i(size, Type::f32);
  unsigned state = 1;
  for (int k = 0; k < kChannels; ++k) {
    const double x = channels_.frequency[static_cast<std::size_t>(k)] / 1.3e9;
    for (int y = 0; y < size.height; ++y)
      for (int x_at = 0; x_at < size.width; ++x_at) {
        state = state * 1664525U + 1013904223U;
        i.as<float>().at(x_at, y, 0, k) = static_cast<float>(
            (3 + 0.1 * x_at) * std::pow(x, -0.8) + 1e-2 * ((state >> 8) / 16777216.0 - 0.5));
      }
  }
  write_image(cube("i"), i.view(), {});
  const Words fit{"-i", cube("i"), "--fit-i", "2", "--noise-i", "0.003"};
  for (const std::string curve : {"log", "linear"}) {
    Words more = fit;
    more.insert(more.end(), {"--fit-curve", curve, "-n", "0.2", "--force"});
    const Outcome outcome = run_tool(catalogue("rms.csv", more));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Table rms = table("rms.csv");
    const auto value = [&](const char* name, std::size_t row) {
      return column(rms, name).numbers[row];
    };
    ASSERT_EQ(
        run_tool({"faraday", "fit-i", cube("i"), list_, "-o", folder_.path("m_"), "--curve", curve,
                  "-n", "0.003", "--reference", column(rms, "reffreq_I").texts[0], "--force"})
            .code,
        0);
    const auto map = [&](const std::string& name, Point at) -> double {
      return testing::short_view(made("m_" + name + ".npy")).as<const float>().at(at.x, at.y);
    };
    const Point pixels[] = {{0, 0}, {2, 3}, {12, 10}};
    for (std::size_t row = 0; row < 3; ++row) {
      const Point at = pixels[row];
      EXPECT_NEAR(value("spectral_index", row), map("alpha", at), 1e-5);
      EXPECT_NEAR(value("spectral_index_err", row) / map("alphaerr", at), 1, 1e-3);
      if (curve == "linear") continue;  // c0 is not I
      // The model is linear between channels that are 2% apart.
      EXPECT_NEAR(value("stokesI", row) / map("coeff0", at), 1, 1e-4);
      EXPECT_NEAR(value("stokesI_err", row) / map("coeff0err", at), 1, 1e-3);
      const double fraction = value("polint", row) / value("stokesI", row);
      EXPECT_NEAR(value("fracpol", row) / fraction, 1, 1e-5);
      EXPECT_NEAR(value("fracpol_err", row),
                  std::hypot(value("polint_err", row), fraction * value("stokesI_err", row)) /
                      value("stokesI", row),
                  1e-6);
    }
    EXPECT_TRUE(std::isnan(value("stokesI", 3)));
  }
  // A model has a slope but no errors.
  ASSERT_EQ(run_tool(catalogue("model.csv", {"-i", cube("m_model.i"), "-n", "0.2"})).code, 0);
  const Table rms = table("model.csv");
  EXPECT_NEAR(column(rms, "spectral_index").numbers[0], -0.8, 0.02);
  EXPECT_TRUE(std::isnan(column(rms, "spectral_index_err").numbers[0]));
  EXPECT_TRUE(std::isnan(column(rms, "stokesI_err").numbers[0]));
}

TEST_F(CliFaradayCatalogue, TheWidthIsThatOfTheComponents) {
  const Words more{"-n", "0.2", "--clean", "-c", "-3"};
  ASSERT_EQ(run_tool(catalogue("rms.csv", more)).code, 0);
  ASSERT_EQ(run_tool(synth("m_", more)).code, 0);
  const Table rms = table("rms.csv");
  const Image heights = made("m_FDF_CC_tot.npy");
  const Point pixels[] = {{0, 0}, {2, 3}, {12, 10}};
  for (std::size_t row = 0; row < 3; ++row) {
    double sums[3] = {};
    for (int p = 0; p < heights.info().size.planes; ++p) {
      const double phi = -400 + 10 * p,
                   height = heights.as<float>().at(pixels[row].x, pixels[row].y, 0, p);
      for (int n = 0; n < 3; ++n) sums[n] += height * std::pow(phi, n);
    }
    const double mean = sums[1] / sums[0];
    EXPECT_NEAR(column(rms, "rm_width").numbers[row], std::sqrt(sums[2] / sums[0] - mean * mean),
                1e-2);
  }
  ASSERT_EQ(run_tool(catalogue("dirty.csv", {"-n", "0.2"})).code, 0);
  EXPECT_TRUE(std::isnan(column(table("dirty.csv"), "rm_width").numbers[0]));
}

TEST_F(CliFaradayCatalogue, SaysWhyAPositionHasNone) {
  const Outcome outcome = run_tool(catalogue("rms.tsv", {"--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["positions"], 7);
  EXPECT_EQ(json["measured"], 3);
  EXPECT_EQ(json["outside"], 2);
  EXPECT_EQ(json["no_data"], 1);
  EXPECT_EQ(json["no_position"], 1);
  const Table rms = table("rms.tsv");
  const std::vector<std::string> flags{"", "", "", "no-data", "outside", "outside", "no-position"};
  EXPECT_EQ(column(rms, "flag").texts, flags);
  for (std::size_t row = 3; row < 7; ++row) EXPECT_TRUE(std::isnan(column(rms, "rm").numbers[row]));
}

TEST_F(CliFaradayCatalogue, ABoxTakesItsBrightestPixel) {
  for (int k = 0; k < kChannels; ++k)
    for (Image* part : {&q_, &u_}) part->as<float>().at(11, 9, 0, k) *= 3;
  write_cubes();
  ASSERT_EQ(run_tool(catalogue("rms.fits", {"--box", "3"})).code, 0);
  const Table rms = table("rms.fits");
  EXPECT_EQ(column(rms, "x").numbers[2], 11);
  EXPECT_EQ(column(rms, "y").numbers[2], 9);
  EXPECT_NEAR(column(rms, "rm").numbers[2], 20.0 * 11 - 15 * 9, 5);
  EXPECT_EQ(column(rms, "flag").texts[3], "") << "a neighbour of the empty pixel has data";
  ASSERT_EQ(run_tool(catalogue("alone.fits", {})).code, 0);
  EXPECT_EQ(column(table("alone.fits"), "x").numbers[2], 12);
}

TEST_F(CliFaradayCatalogue, RowsOfCubesComeInAnyNumber) {
  std::string many = "x,y\n";
  for (int n = 0; n < 700; ++n) many += fmt::format("{},{}\n", n * 7 % 13, n * 5 % 11);
  write_text(positions_, many);
  ASSERT_EQ(run_tool(catalogue("a.csv", {"-n", "0.1"})).code, 0);
  const Outcome outcome =
      run_tool(catalogue("b.csv", {"-n", "0.1", "--memory-limit", "16M", "--threads", "3"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(column(table("a.csv"), "rm").texts, column(table("b.csv"), "rm").texts);
  EXPECT_EQ(column(table("a.csv"), "rm").texts[0], column(table("a.csv"), "rm").texts[143]);
}

TEST_F(CliFaradayCatalogue, MistakesAreSaidInOneSentence) {
  expect_failure(catalogue("rms.dat"), 2, "its ending names no format of tables");
  write_text(positions_, "name,flux\na,1\n");
  expect_failure(catalogue("rms.csv"), 2, "it has no columns of positions; name them ra and dec");
  write_text(positions_, "ra,dec\n10,20\n");
  expect_failure(catalogue("rms.csv"), 2, "give positions as pixels, in columns x and y");
  expect_failure(catalogue("rms.csv", {"--ra-column", "ra"}), 2, "only one column of positions");
  expect_failure(catalogue("rms.csv", {"--ra-column", "a", "--dec-column", "dec"}), 2,
                 "it has no column a; its columns are ra, dec");
  write_text(positions_, "x,y\n1,2,3\n");
  expect_failure(catalogue("rms.csv"), 3, "line 2: it has 3 cells");
  write_text(positions_, "x,y\n1,2\n");
  expect_failure(catalogue("rms.csv", {"-c", "3"}), 2, "give --clean too");
  expect_failure(catalogue("rms.csv", {"--box", "0"}), 2, "box");
  ASSERT_EQ(run_tool(catalogue("rms.csv")).code, 0);
  expect_failure(catalogue("rms.csv"), 2, "exists");
}

TEST_F(CliFaradayCatalogue, ForceReplacesNoInput) {
  const std::string noise = folder_.path("noise.csv");
  std::filesystem::copy_file(list_, noise);
  std::filesystem::create_symlink("positions.csv", folder_.path("link.csv"));
  for (const std::string name : {"positions.csv", "link.csv", "noise.csv"})
    expect_failure(catalogue(name, {"-n", noise, "--force"}), 2,
                   name + " is an input and would be replaced; give another output");
  EXPECT_EQ(table("positions.csv").rows(), 7);
  ASSERT_EQ(run_tool(catalogue("rms.csv")).code, 0);
  EXPECT_EQ(run_tool(catalogue("rms.csv", {"-n", noise, "--force"})).code, 0);
}

}  // namespace
}  // namespace tessera::testing
