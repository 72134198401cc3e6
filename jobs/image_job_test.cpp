// SPDX-License-Identifier: Apache-2.0
// If a device runs out of memory in the middle of an image, the CPU computes all of it.
#include "jobs/image_job.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/machine.hpp"
#include "jobs/convolve/convolve_job.hpp"
#include "tessera/convolve.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

struct FakeOptions {
  Backend backend = Backend::automatic;
  std::string method = "auto";
  static constexpr auto fields() {
    return std::tuple{field("backend", &FakeOptions::backend, "where it runs"),
                      field("method", &FakeOptions::method, "how it runs")};
  }
};

/// Fills rows with the mark of its backend. As "cuda", the choice of backend auto, it runs out of
/// memory after `strips` strips; the CPU has no method "odd".
class FakePlan {
 public:
  FakePlan(const ImageInfo& image, const FakeOptions& options, int strips)
      : image_(image),
        options_(options),
        strips_left_(std::make_shared<int>(strips)),
        on_cpu_(options.backend == Backend::cpu) {
    if (on_cpu_ && options.method == "odd") throw Error(ErrorKind::usage, "fake: no method odd");
  }
  const ImageInfo& input() const { return image_; }
  const ImageInfo& output() const { return image_; }
  Rows needs(Rows out) const { return out; }
  int source_row(int row) const { return row; }
  Backend backend() const { return on_cpu_ ? Backend::cpu : Backend::cuda; }
  std::string method() const { return options_.method; }
  int device() const { return kHost; }
  std::string describe() const { return on_cpu_ ? "fake on the cpu" : "fake on cuda"; }
  void operator()(const Piece&, const MutablePiece& out, Stream&) const {
    if (!on_cpu_ && (*strips_left_)-- == 0)
      throw Error(ErrorKind::resources, "fake: the device has no memory left");
    for (int y = 0; y < out.view.size.height; ++y)
      for (int x = 0; x < out.view.size.width; ++x)
        out.view.as<float>().at(x, y) = on_cpu_ ? 1.0F : 2.0F;
  }

 private:
  ImageInfo image_;
  FakeOptions options_;
  std::shared_ptr<int> strips_left_;
  bool on_cpu_;
};

class ImageJobs : public ::testing::Test {
 protected:
  static constexpr int kStrips = 10;
  ImageJobs() {
    write_image(in_, testing::short_view(random_image({32, kStrips}, Type::f32, 1)));
    job_ = {.input = in_, .output = folder_.path("out.npy")};
    job_.settings.memory_limit.bytes = std::size_t{3} * 2 * 32 * 4;  // strips of one row
  }
  ImageResult run(const FakeOptions& options, int strips) {
    const ImageOperation<FakePlan, FakeOptions> operation{
        "fake",
        options,
        [&](const ImageInfo& image, const FakeOptions& with) {
          return FakePlan(image, with, strips);
        },
        [](const FakePlan&) { return Point{}; },
        [](FakeOptions same) { return same; },
        [](const FakePlan&, AnyView) { return 0.0; },
        1};
    const auto source = open_input(in_, {}, job_.settings);
    return run_image_job(job_, operation, *source, {});
  }
  /// The marks of the rows that were written.
  std::vector<float> marks() const {
    const Image image = read_image(job_.output);
    std::vector<float> rows;
    for (int y = 0; y < image.info().size.height; ++y) rows.push_back(image.as<float>().at(0, y));
    return rows;
  }

  TemporaryFolder folder_;
  std::string in_ = folder_.path("in.npy");
  ImageJob job_;
};

TEST_F(ImageJobs, OneMethodMakesTheWholeImage) {
  const ImageResult undisturbed = run({}, kStrips);
  EXPECT_EQ(undisturbed.ran, "fake on cuda");
  EXPECT_EQ(marks(), std::vector<float>(kStrips, 2));
  for (const int strips : {0, 1, 6, kStrips - 1}) {
    std::filesystem::remove(job_.output);
    const ImageResult result = run({}, strips);
    EXPECT_EQ(marks(), std::vector<float>(kStrips, 1)) << strips;
    EXPECT_EQ(result.ran,
              "fake on the cpu; the device ran out of memory, so the CPU made the whole image");
  }
}

TEST_F(ImageJobs, ABackendThatWasAskedForIsKept) {
  expect_error([&] { run({.backend = Backend::cuda}, 4); }, ErrorKind::resources, "no memory left");
  expect_error([&] { run({.method = "odd"}, 4); }, ErrorKind::resources, "no memory left");
  EXPECT_FALSE(std::filesystem::exists(job_.output));
}

/// Takes all free memory of a device, down to pieces of one megabyte.
std::vector<Scratch> all_device_memory(Stream& stream) {
  std::vector<Scratch> held;
  for (std::size_t bytes = std::size_t{8} << 30; bytes >= std::size_t{1} << 20;) {
    try {
      held.push_back(stream.scratch(bytes));
    } catch (const Error&) {
      bytes /= 2;
    }
  }
  return held;
}

TEST_F(ImageJobs, ADeviceThatIsFilledMeanwhileLeavesTheImageToTheCpu) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  if (run_small()) GTEST_SKIP() << "too large for the sanitizer";
  const Size size{1 << 20, 48};  // one row is more than what is left of the device
  const Image filter = random_image({3, 3}, Type::f64, 2);
  write_image(in_, testing::short_view(random_image(size, Type::f32, 1)), {.force = true});
  job_.settings.memory_limit.bytes = std::size_t{3} * (10 + 8) * 4 * size.width;
  const ImageOperation<Convolve, ConvolveOptions> operation{
      "convolve",
      {},
      [&](const ImageInfo& image, ConvolveOptions with) {
        if (with.backend == Backend::automatic)
          with.backend = Backend::cuda;  // whichever is faster
        return Convolve(image, filter.view(), with);
      },
      [](const Convolve&) { return Point{}; },
      [](ConvolveOptions same) { return same; },
      [](const Convolve&, AnyView) { return 0.0; },
      9};
  Stream stream(0);
  std::vector<Scratch> held;
  const auto source = open_input(in_, {}, job_.settings);
  const ImageResult result = run_image_job(job_, operation, *source, [&](long long, long long) {
    if (held.empty()) held = all_device_memory(stream);
  });
  held.clear();
  EXPECT_NE(result.ran.find("the CPU made the whole image"), std::string::npos) << result.ran;
  const Image truth =
      convolve(testing::short_view(read_image(in_)), filter.view(), {.backend = Backend::cpu});
  EXPECT_EQ(bytes_of_view(testing::short_view(read_image(job_.output))),
            bytes_of_view(truth.view()));
}

}  // namespace
}  // namespace tessera::testing
