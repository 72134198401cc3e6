// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN on a GPU: every value of the reference, in float too, for host and device spectra.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/faraday_clean.hpp"
#include "tests/support/clean_results.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/polarised_spectra.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::CleanResults;
using testing::DeviceImage;
using testing::random_spectra;
using testing::Spectra;

class FaradayCleanOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

FaradayClean plan_of(const FaradayDirty& in, const FaradayRmsf& rmsf, FaradayCleanOptions options,
                     const std::string& method) {
  options.backend = method == "reference" ? Backend::cpu : Backend::cuda;
  options.method = method;
  return FaradayClean(in.real.info(), rmsf, options);
}

FaradayDirty dirty_of(const Spectra& s) { return {s.real.view(), s.imaginary.view()}; }

/// One depth has no axis to make an RMSF of.
FaradayRmsf rmsf_for(const FaradayAxes& axes) {
  if (axes.depths() > 1) return faraday_rmsf(axes, true);
  return {{-12, 0, 12}, {0.3, 1, 0.3}, 30};
}

FaradayAxes axes_of(int depths, double step = 12) {
  std::vector<double> phi;
  FaradayChannels channels;
  for (int k = 0; k < 40; ++k) channels.frequency.push_back(8e8 + 7.5e6 * k);
  if (depths == 1) return faraday_axes(channels, std::vector<double>{-240});
  return faraday_axes(channels, {.phi = "-240," + std::to_string(-240 + step * (depths - 1)) + "," +
                                        std::to_string(step)});
}

template <class Real>
void expect_reference(const FaradayDirty& in, const FaradayRmsf& rmsf,
                      const FaradayCleanOptions& options, const std::string& method, int gap = 0) {
  const CleanResults expected(in.real.size, TypeOf<Real>::value),
      made(in.real.size, TypeOf<Real>::value, gap);
  plan_of(in, rmsf, options, "reference")(in, expected.views());
  const FaradayClean plan = plan_of(in, rmsf, options, method);
  SCOPED_TRACE(plan.describe());
  plan(in, made.views());
  testing::expect_equal_values<Real>(expected, made);
}

template <class Real>
void sweep() {
  for (const int depths : {1, 2, 31, 32, 33, 70, 401, 1001, 1024, 1500})
    for (const char* method : {"warps", "blocks"}) {
      if (depths > 1024 && std::string(method) == "warps") continue;
      const FaradayAxes axes = axes_of(depths);
      const Spectra dirty = random_spectra<Real>(axes, depths < 100 ? 37 : 5, 3, 5);
      expect_reference<Real>(dirty_of(dirty), rmsf_for(axes),
                             {.cutoff = 0.1, .iterations = 40, .window = 0.05}, method, depths % 3);
    }
}

TEST_F(FaradayCleanOnCuda, AllSizesAreTheReferenceInFloat) { sweep<float>(); }
TEST_F(FaradayCleanOnCuda, AllSizesAreTheReferenceInDouble) { sweep<double>(); }

TEST_F(FaradayCleanOnCuda, ThousandSpectraInDoubleAreTheReferences) {
  const FaradayAxes axes = testing::test_axes(60, "-300,300,3");
  const Spectra dirty = random_spectra<double>(axes, 50, testing::run_small() ? 2 : 20, 7);
  for (const std::optional<double> window : {std::optional<double>(), std::optional(0.03)})
    expect_reference<double>(dirty_of(dirty), faraday_rmsf(axes, true),
                             {.cutoff = 0.0775, .window = window}, "warps");
}

/// Kernels of both origins give the same values; this number of pixels is compiled for anyway.
TEST_F(FaradayCleanOnCuda, CompiledAtRunTimeTheSame) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const char* const before = std::getenv("TESSERA_KERNELS");
  const std::string kept = before ? before : "";
  setenv("TESSERA_KERNELS", "run-time", 1);
  for (const int depths : {2, 33, 401}) {
    const FaradayAxes axes = axes_of(depths);
    const Spectra dirty = random_spectra<float>(axes, 9, 2, 6);
    for (const char* method : {"warps", "blocks"})
      expect_reference<float>(dirty_of(dirty), rmsf_for(axes), {.cutoff = 0.1, .window = 0.05},
                              method);
  }
  kept.empty() ? unsetenv("TESSERA_KERNELS") : setenv("TESSERA_KERNELS", kept.c_str(), 1);
}

TEST_F(FaradayCleanOnCuda, OddPixels) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const FaradayAxes axes = axes_of(40);
  Spectra dirty = random_spectra<float>(axes, 7, 3, 12);
  const auto re = dirty.real.as<float>(), im = dirty.imaginary.as<float>();
  im.at(1, 0, 0, 39) = kNan;
  re.at(2, 1, 0, 0) = std::numeric_limits<float>::infinity();
  for (int p = 0; p < 40; ++p) {
    re.at(3, 0, 0, p) *= 1e-27F;
    im.at(3, 0, 0, p) *= 1e-27F;
    re.at(4, 2, 0, p) *= p % 2 ? 1e30F : 1e-30F;
    re.at(6, 0, 0, p) = im.at(6, 0, 0, p) = 0;
  }
  Image cutoffs(Size{7, 3}, Type::f32);
  for (int i = 0; i < 21; ++i) cutoffs.as<float>().data[i] = 0.02F * static_cast<float>(i);
  cutoffs.as<float>().at(3, 0) = 1e-28F;
  cutoffs.as<float>().at(4, 2) = 1e33F;
  cutoffs.as<float>().at(5, 0) = kNan;
  cutoffs.as<float>().at(5, 1) = -1;
  std::vector<unsigned char> flags(40);
  for (std::size_t k = 0; k < 40; k += 3) flags[k] = 1;
  const std::vector<FaradayRmsf> own{faraday_rmsf(axes, true, flags), faraday_rmsf(axes)};
  std::vector<int> of_pixel(21);
  for (int i = 0; i < 21; ++i) of_pixel[static_cast<std::size_t>(i)] = i % 3 - 1;
  const FaradayDirty in{dirty.real.view(), dirty.imaginary.view(), cutoffs.view(), own, of_pixel};
  for (const char* method : {"warps", "blocks"})
    expect_reference<float>(in, faraday_rmsf(axes), {.iterations = 30, .window = 0.05}, method);
}

TEST_F(FaradayCleanOnCuda, TakesTheFirstOfEquals) {
  const testing::EqualDepths equal(100);
  for (const char* method : {"warps", "blocks"})
    expect_reference<float>({equal.real.view(), equal.imaginary.view()}, equal.rmsf,
                            {.gain = 1, .iterations = 37}, method);
}

TEST_F(FaradayCleanOnCuda, PiecesAndMemoryLimitsChangeNothing) {
  const FaradayAxes axes = axes_of(41);
  const Spectra dirty = random_spectra<float>(axes, 37, 23, 6);
  std::vector<unsigned char> flags(40);
  flags[7] = 1;
  const std::vector<FaradayRmsf> own{faraday_rmsf(axes, true, flags)};
  std::vector<int> of_pixel(37 * 23, -1);
  for (std::size_t i = 0; i < of_pixel.size(); i += 2) of_pixel[i] = 0;
  const FaradayDirty in{dirty.real.view(), dirty.imaginary.view(), {}, own, of_pixel};
  const FaradayClean plan = plan_of(in, faraday_rmsf(axes), {.cutoff = 0.1}, "warps");
  const CleanResults whole(in.real.size, Type::f32), strips(in.real.size, Type::f32);
  plan(in, whole.views());
  Stream little(plan.device(), 2, std::size_t{1} << 18);  // a few rows at a time
  plan(in, strips.views(), little);
  little.wait();
  const CleanResults pieces(in.real.size, Type::f32);
  for (int y = 0; y < 23; y += 4) {
    const int rows = std::min(4, 23 - y);
    const std::span<const int> mine(of_pixel.data() + 37 * y, static_cast<std::size_t>(37 * rows));
    plan({in.real.rows(y, rows), in.imaginary.rows(y, rows), {}, own, mine}, pieces.views(y, rows));
  }
  for (std::size_t i = 0; i < whole.all().size(); ++i) {
    EXPECT_EQ(bytes_of_view(whole.all()[i]->view()), bytes_of_view(strips.all()[i]->view()));
    EXPECT_EQ(bytes_of_view(whole.all()[i]->view()), bytes_of_view(pieces.all()[i]->view()));
  }
}

TEST_F(FaradayCleanOnCuda, SpectraOnTheDeviceInPlace) {
  const FaradayAxes axes = axes_of(100);
  const Spectra dirty = random_spectra<float>(axes, 35, 3, 8);
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  const CleanResults expected(dirty.real.info().size, Type::f32);
  plan_of(dirty_of(dirty), rmsf, {.cutoff = 0.1}, "reference")(dirty_of(dirty), expected.views());
  Stream stream(0);
  for (const char* method : {"warps", "blocks"}) {
    const DeviceImage again_re = testing::upload(dirty.real, stream),
                      again_im = testing::upload(dirty.imaginary, stream);
    const FaradayDirty in{again_re.view, again_im.view};
    const FaradayClean plan = plan_of(in, rmsf, {.cutoff = 0.1}, method);
    plan(in, {again_re.view, again_im.view}, stream);
    const Image made_re = testing::download(again_re, stream),
                made_im = testing::download(again_im, stream);
    for (long long i = 0; i < made_re.info().size.samples(); ++i) {
      const int p = static_cast<int>(i / 105), y = static_cast<int>(i / 35 % 3),
                x = static_cast<int>(i % 35);
      ASSERT_EQ(made_re.as<float>().data[i], expected.real.view().as<float>().at(x, y, 0, p));
      ASSERT_EQ(made_im.as<float>().data[i], expected.imaginary.view().as<float>().at(x, y, 0, p));
    }
  }
}

}  // namespace
}  // namespace tessera
