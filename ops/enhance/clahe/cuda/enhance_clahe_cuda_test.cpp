// SPDX-License-Identifier: Apache-2.0
// clahe on a GPU against its definition: whole images without asking the host, and pieces.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/machine.hpp"
#include "ops/enhance/clahe/cuda/enhance_clahe_cuda.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::random_image;
using Bytes = std::vector<unsigned char>;

class EnhanceClaheCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }

  static EnhanceProblem problem_for(const ImageInfo& image, Point tiles, double clip,
                                    bool together) {
    EnhanceProblem p;
    p.image = p.output = image;
    p.tiles = tiles;
    p.clip = clip;
    p.together = together;
    p.stages = {{EnhanceStep::clahe, image, image, 0, clahe_sweeps(p)}};
    return p;
  }

  static Bytes by_reference(const EnhanceProblem& p, const Image& in) {
    Image out(in.info());
    clahe_reference(p, p.stages[0], in.view(), out.view());
    return bytes_of_view(out.view());
  }

  static Bytes whole(const EnhanceProblem& p, const Image& in) {
    Stream stream(0);
    const DeviceImage device_in = testing::upload(in, stream);
    const DeviceImage out =
        testing::upload(random_image(in.info().size, in.info().type, 9), stream);
    ClaheCuda(p, p.stages[0]).run(device_in.view, out.view, stream);
    return bytes_of_view(testing::short_view(download(out, stream)));
  }

  static Bytes in_strips(const EnhanceProblem& p, const Image& in, int strip) {
    Stream stream(0);
    const ClaheCuda clahe(p, p.stages[0]);
    const DeviceImage device_in = testing::upload(in, stream);
    const DeviceImage out(in.info(), stream);
    const int height = in.info().size.height;
    const auto each_strip = [&](auto work) {
      for (int first = 0; first < height; first += strip)
        work(Rows{first, std::min(first + strip, height)});
    };
    StageFinding finding;
    for (int sweep = 0; sweep < clahe_sweeps(p); ++sweep) {
      SweepCounts counts;
      each_strip([&](Rows rows) {
        const Piece piece{AnyView(device_in.view).rows(rows.first, rows.count()), rows.first};
        clahe.look(finding, sweep, piece, rows, counts, stream);
      });
      finding.sweeps.push_back(counts);
      clahe_finish(p, p.stages[0], sweep, finding);
    }
    each_strip([&](Rows rows) {
      clahe.make(finding, {AnyView(device_in.view).rows(rows.first, rows.count()), rows.first},
                 {out.view.rows(rows.first, rows.count()), rows.first}, stream);
    });
    return bytes_of_view(testing::short_view(download(out, stream)));
  }

  static void expect_reference(const Image& in, Point tiles, double clip, bool together) {
    const EnhanceProblem p = problem_for(in.info(), tiles, clip, together);
    const Bytes truth = by_reference(p, in);
    const Size s = in.info().size;
    EXPECT_EQ(whole(p, in), truth)
        << s.width << "x" << s.height << "x" << s.channels << "x" << s.planes << ", tiles "
        << tiles.x << "," << tiles.y << ", clip " << clip << ", together " << together;
    EXPECT_EQ(in_strips(p, in, std::max(1, s.height / 3)), truth) << "in strips";
  }
};

/// Few values, so that bins are clipped and much is handed out.
Image few_values(Size size, Type type) {
  Image image = random_image(size, type, 4);
  const auto few = [&](auto* samples, int most) {
    for (long long k = 0; k < size.samples(); ++k)
      samples[k] = static_cast<std::remove_reference_t<decltype(samples[k])>>(
          most / 3 + samples[k] % 5 * (k % 97 == 0 ? 20 : 1));
  };
  if (type == Type::u8)
    few(image.as<unsigned char>().data, 255);
  else
    few(image.as<unsigned short>().data, 65535);
  return image;
}

TEST_F(EnhanceClaheCuda, DeviceImagesGiveTheBytesOfTheDefinition) {
  const std::vector<Size> sizes{{1, 1},      {1, 9},       {9, 1},         {33, 31, 3},
                                {16, 17, 2}, {131, 67, 4}, {61, 130, 1, 2}};
  for (const Type type : {Type::u8, Type::u16})
    for (const Size size : sizes) {
      expect_reference(random_image(size, type, 1), {8, 8}, 0.01, true);
      expect_reference(few_values(size, type), {8, 8}, 0.01, false);
      expect_reference(few_values(size, type), {1, 3}, 0.1, true);
      expect_reference(random_image(size, type, 2), {5, 2}, 0.0, true);
    }
}

TEST_F(EnhanceClaheCuda, LargeImagesGiveTheBytesOfTheDefinition) {
  if (testing::run_small()) GTEST_SKIP() << "the reference takes seconds";
  expect_reference(random_image({1101, 907}, Type::u8, 1), {8, 8}, 0.01, true);
  expect_reference(few_values({1101, 907}, Type::u8), {8, 8}, 0.01, true);
  expect_reference(few_values({640, 480, 3}, Type::u16), {8, 8}, 0.02, false);
}

TEST_F(EnhanceClaheCuda, FlatImagesStayAsTheyAre) {
  Image flat({30, 20, 2}, Type::u16);
  for (int k = 0; k < 1200; ++k)
    flat.as<unsigned short>().data[k] = static_cast<unsigned short>(k % 2 == 0 ? 777 : k);
  expect_reference(flat, {8, 8}, 0.01, true);
  EXPECT_EQ(whole(problem_for(flat.info(), {8, 8}, 0.01, true), flat), bytes_of_view(flat.view()));
}

}  // namespace
}  // namespace tessera
