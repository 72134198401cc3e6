// SPDX-License-Identifier: Apache-2.0
// The fit to Stokes I, and the scatter that errors do not explain.
#include "jobs/faraday/stokes_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "jobs/faraday/spectrum_scatter.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

StokesPoints points_of(const StokesModel& model, int count, double error) {
  StokesPoints points;
  for (int n = 0; n < count; ++n) {
    points.frequency.push_back(8e8 + 1e6 * n);
    points.value.push_back(model.at(points.frequency.back()));
    points.error.push_back(error);
  }
  return points;
}

TEST(StokesModel, FindsTheCurveItIsGiven) {
  for (const StokesCurve curve : {StokesCurve::log, StokesCurve::linear})
    for (int order = 0; order <= kMostStokesOrder; ++order) {
      StokesModel truth{.curve = curve, .reference = 9e8, .order = order};
      for (int k = 0; k <= order; ++k)
        truth.coefficient[static_cast<std::size_t>(k)] = 2.0 / (1 + k) * (k % 2 ? -0.7 : 1);
      const StokesModel found = fit_stokes_model(points_of(truth, 300, 0.01), curve, order, 9.2e8);
      for (const double frequency : {8e8, 8.5e8, 1.05e9})
        EXPECT_NEAR(found.at(frequency), truth.at(frequency), 1e-9) << order;
      EXPECT_NEAR(found.chi_squared, 0, 1e-8);
      EXPECT_LE(found.status, 4);
    }
}

TEST(StokesModel, IsTheWeightedMeanAtOrderZero) {
  StokesPoints points{{1e9, 2e9, 3e9}, {1, 2, 4}, {1, 0.5, 2}};
  const StokesModel found = fit_stokes_model(points, StokesCurve::linear, 0, 1e9);
  EXPECT_NEAR(found.coefficient[0], (1 + 2 * 4 + 4 * 0.25) / (1 + 4 + 0.25), 1e-13);
  EXPECT_NEAR(found.error[0], 1 / std::sqrt(5.25), 1e-13);
  // Channels without value or error do not count, nor do errors of 0 among others.
  points = {{1e9, 2e9, 3e9, 4e9, 5e9, 6e9}, {1, 2, 4, NAN, 9, 9}, {1, 0.5, 2, 1, NAN, 0}};
  EXPECT_NEAR(fit_stokes_model(points, StokesCurve::log, 0, 1e9).coefficient[0],
              found.coefficient[0], 1e-12);
}

TEST(StokesModel, ErrorsAreThoseOfAStraightLine) {
  StokesModel truth{.curve = StokesCurve::linear, .reference = 1e9, .order = 1};
  truth.coefficient = {1, 2};
  const StokesPoints points = points_of(truth, 101, 0.3);
  const StokesModel found = fit_stokes_model(points, StokesCurve::linear, 1, 1e9);
  double sum = 0, squares = 0;
  for (const double f : points.frequency) {
    sum += f / 1e9;
    squares += f / 1e9 * f / 1e9;
  }
  const double spread = squares - sum * sum / 101;
  EXPECT_NEAR(found.error[1], 0.3 / std::sqrt(spread), 1e-9);
  EXPECT_NEAR(found.error[0], 0.3 * std::sqrt(squares / 101 / spread), 1e-9);
}

TEST(StokesModel, TakesAsHighAnOrderAsPays) {
  StokesModel truth{.curve = StokesCurve::log, .reference = 9e8, .order = 2};
  truth.coefficient = {1.5, -0.8, 3};
  StokesPoints points = points_of(truth, 300, 0.01);
  std::mt19937 random(4);
  std::normal_distribution<double> noise(0, 0.01);
  for (double& value : points.value) value += noise(random);
  const StokesModel found = fit_stokes_model(points, StokesCurve::log, -5, 9e8);
  EXPECT_EQ(found.order, 2);
  EXPECT_NEAR(found.coefficient[1], -0.8, 5 * found.error[1]);
}

TEST(StokesModel, RefusesWhatCannotBe) {
  const StokesPoints same{{1e9, 1e9, 1e9}, {1, 2, 3}, {1, 1, 1}};
  expect_error([&] { fit_stokes_model(same, StokesCurve::linear, 1, 1e9); }, ErrorKind::usage,
               "do not tell the 2 coefficients of order 1 apart");
  expect_error([&] { fit_stokes_model(same, StokesCurve::linear, 3, 1e9); }, ErrorKind::usage,
               "3 channels have a Stokes I with its error, and order 3 needs 4");
  expect_error([&] { fit_stokes_model(same, StokesCurve::linear, -6, 1e9); }, ErrorKind::usage,
               "the order of Stokes I is -6; it can be -5 to 5");
  const StokesPoints nothing{{1e9, 2e9, 3e9}, {0, 0, 0}, {1, 1, 1}};
  for (const StokesCurve curve : {StokesCurve::log, StokesCurve::linear})
    expect_error([&] { fit_stokes_model(nothing, curve, 1, 1e9); }, ErrorKind::usage,
                 "Stokes I is 0 in all 3 channels");
  const StokesPoints both{{1e9, 2e9}, {1, -1}, {1, 1}};
  expect_error([&] { fit_stokes_model(both, StokesCurve::log, 0, 1e9); }, ErrorKind::usage,
               "the mean of Stokes I is 0 over 2 channels");
}

TEST(StokesModel, CountsTheChannelsThatWereFitted) {
  const StokesPoints points{{1e9, 2e9, 3e9, 4e9}, {1, NAN, 3, 2}, {1, 1, 1, 0}};
  EXPECT_EQ(fit_stokes_model(points, StokesCurve::linear, 0, 1e9).channels, 2);
}

TEST(AddedScatter, FindsWhatWasAdded) {
  std::mt19937 random(1);
  std::normal_distribution<double> unit;
  std::vector<double> quiet, loud{NAN, INFINITY};
  for (int n = 0; n < 4000; ++n) {
    quiet.push_back(unit(random));
    loud.push_back(std::sqrt(5) * unit(random));
  }
  const AddedScatter found = added_scatter(loud), nothing = added_scatter(quiet);
  EXPECT_NEAR(found.value, 2, 3 * found.plus);
  EXPECT_NEAR(found.plus, std::sqrt(5) / std::sqrt(8000) * std::sqrt(5) / 2, 0.01);
  EXPECT_NEAR(found.plus, found.minus, 0.2 * found.plus);
  EXPECT_LT(nothing.value, 0.2);
  EXPECT_TRUE(std::isnan(added_scatter({NAN}).value));
}

}  // namespace
}  // namespace tessera::testing
