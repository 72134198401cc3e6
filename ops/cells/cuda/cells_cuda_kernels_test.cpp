// SPDX-License-Identifier: Apache-2.0
// Every kernel of cells against the plain loops in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/cells/scene/cells_still_scene.hpp"
#include "tests/support/cells_kernel_case.hpp"
#include "tests/support/cells_on_cuda.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::clear_film;
using testing::expect_near;
using testing::fetched;
using testing::floats;
using testing::sent;
using Case = testing::CellsKernelCase;
using Gradients = testing::DeviceGradients;
using CellsKernelsOnCuda = testing::OnCuda;

TEST_F(CellsKernelsOnCuda, SmoothsEveryTypeAndTheRing) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Size size : {Size{67, 45}, Size{33, 32}, Size{5, 70}, Size{1, 1}}) {
      constexpr int kSlots = 3;
      const Image ring = testing::random_image({size.width, size.height, 1, kSlots}, type, 3);
      Case one(ring.info());
      const auto bytes = static_cast<std::size_t>(bytes_of(ring.info()));
      const auto* data = static_cast<const unsigned char*>(ring.view().data);
      const Scratch frames = sent(std::vector<unsigned char>(data, data + bytes), one.stream);
      const Scratch out = one.stream.scratch(2 * one.pixels() * sizeof(float));
      // Frames 5 and 6 lie in slots 2 and 0.
      one.kernels.smooth({frames.data(), kSlots, 1, 5, 1, size.width, size.height}, 2,
                         out.as<float>(), one.stream);
      const auto made = fetched<float>(out, 2 * one.pixels(), one.stream);
      for (const int k : {0, 1}) {
        const auto expected = one.plain_smooth(ring.view().only_plane((5 + k) % kSlots));
        double most = 1e-30;
        for (const double v : expected) most = std::max(most, std::abs(v));
        const auto begin = made.begin() + static_cast<long>(one.pixels()) * k;
        expect_near({begin, begin + static_cast<long>(one.pixels())}, expected, 2e-6 * most,
                    std::to_string(size.width));
      }
    }
}

TEST_F(CellsKernelsOnCuda, TakesTheSceneAwayAndMakesGradients) {
  for (const Size size : {Size{70, 41}, Size{32, 64}, Size{9, 3}, Size{2, 2}}) {
    const Image frame = testing::random_image(size, Type::f32, 1);
    Case one(frame.info());
    const auto smooth = one.plain_smooth(frame.view());
    StillScene<double> scene{smooth, std::vector<unsigned char>(one.pixels(), 1)};
    for (std::size_t i = 0; i < one.pixels(); ++i) scene.value[i] *= 0.5;
    scene.known[one.pixels() / 2] = 0;
    CellPlane<double> moving, across, down;
    one.parts.subtract(smooth, scene, 1.25, -0.5, moving, one.host);
    const double mean = one.parts.gradients(moving, across, down, one.host);

    const Scratch planes = sent(floats(smooth), one.stream);
    const Scratch value = sent(floats(scene.value), one.stream);
    const Scratch known = sent(scene.known, one.stream);
    const Scratch drift = sent(std::vector<CellsPlace>{{4.25, 1.5}}, one.stream);
    const Scratch canvas = sent(std::vector<CellsCanvas>{{3, 2}}, one.stream);
    const CellsPlaces places{drift.as<CellsPlace>(), canvas.as<CellsCanvas>(), 1, 1, 1};
    const Scratch gx = one.stream.scratch(one.pixels() * 4),
                  gy = one.stream.scratch(one.pixels() * 4), floor = one.stream.scratch(4);
    one.kernels.subtract({places,
                          {planes.as<float>(), 0, 1, size.width, size.height},
                          {value.as<float>(), known.as<unsigned char>()},
                          0,
                          gx.as<float>(),
                          gy.as<float>()},
                         one.stream);
    one.kernels.floors({gx.as<float>(), gy.as<float>(), size.width, size.height, floor.as<float>()},
                       1, one.stream);
    expect_near(fetched<float>(gx, one.pixels(), one.stream), across, 2e-6, "across");
    expect_near(fetched<float>(gy, one.pixels(), one.stream), down, 2e-6, "down");
    EXPECT_NEAR(fetched<float>(floor, 1, one.stream)[0], score_floor(mean),
                1e-5 * score_floor(mean));
  }
}

TEST_F(CellsKernelsOnCuda, ScoresMaximaAndFinds) {
  const Image film = clear_film({131, 99}, 1);
  for (const Polarity polarity : {Polarity::both, Polarity::bright, Polarity::dark})
    for (const CellsCrop crop : {CellsCrop{0, 0, 131, 99}, CellsCrop{20, 30, 53, 47}}) {
      CellsOptions options{.polarity = polarity};
      options.crop = std::to_string(crop.x) + "," + std::to_string(crop.y) + "," +
                     std::to_string(crop.width) + "x" + std::to_string(crop.height);
      Case one(film.info(), options);
      const GradientPlanes<double> planes = one.plain_gradients(film.view().only_plane(0));
      const CellsCrop region = centres_of(one.problem, one.problem.crop);
      ScoreMap<double> map;
      one.parts.scores(planes.across, planes.down, planes.floor, region, map, one.host);

      const Gradients gradients(planes, one.stream);
      const CellsDetectMemory memory(one.problem, 1, one.stream);
      one.kernels.detect(gradients.look(), one.problem.crop, memory, 0, one.stream);
      expect_near(fetched<float>(memory.scores, map.score.size(), one.stream), map.score, 2e-4,
                  "scores");
      const auto maxima = score_maxima(map, one.problem);
      EXPECT_EQ(fetched<int>(memory.candidate_counts, 1, one.stream)[0],
                static_cast<int>(maxima.size()));
      const auto expected = find_cells(planes, one.problem.crop, one.problem, one.parts,
                                       outline_tables<double>(), one.host);
      const auto found = memory.download(1, one.stream).front();
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k].x, expected[k].x, 0.02);
        EXPECT_NEAR(found[k].y, expected[k].y, 0.02);
      }
    }
}

// Noise has many maxima, most of them near others.
TEST_F(CellsKernelsOnCuda, MaximaOfNoise) {
  const Image noise = testing::random_image({150, 120}, Type::u8, 2);
  Case one(noise.info(), {.threshold = 0.1});
  const GradientPlanes<double> planes = one.plain_gradients(noise.view());
  const CellsCrop region = centres_of(one.problem, one.problem.crop);
  ScoreMap<double> map;
  one.parts.scores(planes.across, planes.down, planes.floor, region, map, one.host);
  const auto expected = score_maxima(map, one.problem);
  EXPECT_GT(expected.size(), 20U);

  const Gradients gradients(planes, one.stream);
  const CellsDetectMemory memory(one.problem, 1, one.stream);
  one.kernels.scores(gradients.look(), region, memory, one.stream);
  one.kernels.maxima(1, region, memory, one.stream);
  const auto count =
      static_cast<std::size_t>(fetched<int>(memory.candidate_counts, 1, one.stream)[0]);
  ASSERT_EQ(count, expected.size());
  auto found = fetched<CellsCandidate>(memory.candidates, count, one.stream);
  std::sort(found.begin(), found.end(),
            [](const CellsCandidate& a, const CellsCandidate& b) { return a.place < b.place; });
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(region.x + found[k].place % region.width, expected[k].x);
    EXPECT_EQ(region.y + found[k].place / region.width, expected[k].y);
    EXPECT_EQ(one.problem.radii[static_cast<std::size_t>(found[k].radius)], expected[k].radius);
  }
}

/// The plain loops' result for an epoch. The median of one epoch is its mean.
struct PlainEpoch {
  PlainEpoch(Case& one, AnyView film) : mean(one.pixels()), seen(one.pixels()) {
    CellsScene<double> scene(one.problem, one.parts);
    for (int k = 0; k < film.size.planes; ++k) {
      const auto plane = one.plain_smooth(film.only_plane(k));
      drifts.push_back(scene.add(plane, one.host));
      smooth.insert(smooth.end(), plane.begin(), plane.end());
    }
    for (int k = 0; k < film.size.planes; k += kCells.epoch_step) {
      const CellDrift& d = drifts[static_cast<std::size_t>(k)];
      one.parts.accumulate(one.plain_smooth(film.only_plane(k)), d.x, d.y, mean, seen, one.host);
    }
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] = seen[i] >= kCells.known_least ? mean[i] / seen[i] : 0;
  }
  std::vector<CellDrift> drifts;
  std::vector<float> smooth;
  CellPlane<double> mean;
  std::vector<int> seen;
};

/// The kernels' result for the smooth planes of an epoch.
struct EpochOnDevice {
  EpochOnDevice(Case& one, const std::vector<float>& smooth, int frames) {
    Stream& stream = one.stream;
    const Scratch planes = sent(smooth, stream);
    const Scratch there = stream.scratch(static_cast<std::size_t>(frames) * sizeof(CellsPlace));
    const Scratch canvases = sent(std::vector<CellsCanvas>{{0, 0}}, stream);
    const Scratch sums = stream.scratch(one.pixels() * 4), counts = stream.scratch(one.pixels());
    const Scratch value = stream.scratch(one.pixels() * 4), seen = stream.scratch(one.pixels());
    const CellsPlaces places{there.as<CellsPlace>(), canvases.as<CellsCanvas>(), frames, 1, 1};
    const CellsPlanes in{planes.as<float>(), 0, frames, one.width(), one.height()};
    const CellsStill out{value.as<float>(), seen.as<unsigned char>()};
    CellsSceneArgs args{.places = places,
                        .sums = sums.as<float>(),
                        .counts = counts.as<unsigned char>(),
                        .width = one.width(),
                        .height = one.height(),
                        .begins = -1,
                        .whole = planes.as<float>(),
                        .out = out};
    one.kernels.scene(args, stream);
    const CellsDriftGrid grid(one.width(), one.height());
    const Scratch samples =
        stream.scratch(static_cast<std::size_t>(grid.samples()) * sizeof(CellsDriftSample));
    const Scratch talk = sent(std::vector<CellsDriftTalk>(1), stream);
    one.kernels.drift(
        {places, in, out, samples.as<CellsDriftSample>(), talk.as<CellsDriftTalk>(), 0}, stream);
    one.kernels.accumulate(
        {places, in, kCells.epoch_step, 0, true, sums.as<float>(), counts.as<unsigned char>()},
        stream);
    args.end = 1;
    args.whole = nullptr;
    one.kernels.scene(args, stream);
    drifts = fetched<CellsPlace>(there, static_cast<std::size_t>(frames), stream);
    mean = fetched<float>(value, one.pixels(), stream);
    known = fetched<unsigned char>(seen, one.pixels(), stream);
  }
  std::vector<CellsPlace> drifts;
  std::vector<float> mean;
  std::vector<unsigned char> known;
};

TEST_F(CellsKernelsOnCuda, DriftsAndTheSceneOfAnEpoch) {
  const Image film = testing::drifting_film({320, 240}, kCells.epoch);
  Case one(film.info());
  const PlainEpoch expected(one, film.view());
  EXPECT_GT(std::hypot(expected.drifts.back().x, expected.drifts.back().y), 1);
  const EpochOnDevice found(one, expected.smooth, kCells.epoch);
  for (std::size_t k = 0; k < found.drifts.size(); ++k) {
    EXPECT_NEAR(found.drifts[k].x, expected.drifts[k].x, 1e-3) << k;
    EXPECT_NEAR(found.drifts[k].y, expected.drifts[k].y, 1e-3) << k;
  }
  expect_near(found.mean, expected.mean, 0.01, "scene");
  for (std::size_t i = 0; i < expected.seen.size(); ++i)
    ASSERT_EQ(found.known[i], expected.seen[i] >= kCells.known_least) << i;
}

/// Four on cells of the film, a pixel or two away, one of these twice; one at the edge where there
/// is none; one free slot; one that is looked for. Their result depends on every step of
/// the field.
std::vector<CellSlot<double>> some_slots() {
  std::vector<CellSlot<double>> slots(7);
  const auto live = [&](std::size_t k, double x, double y, double place) {
    slots[k].motion = motion_start(x, y, 0.5, -0.25, 0.5);
    slots[k].motion.place = place;
    slots[k].radius = 8;
    slots[k].slope = -1;
    slots[k].trust = 1;
    slots[k].track = static_cast<int>(k) + 1;
    slots[k].first = 1;
    slots[k].stage = CellStage::confirmed;
  };
  live(0, 56.5, 33, 0.1);
  live(1, 59.5, 71, 0.1);
  live(2, 3, 60, 0.1);
  live(4, 112, 53.5, 4);
  live(5, 88, 61, 0.1);
  live(6, 63, 69, 0.1);
  return slots;
}

template <class Real>
CellSlot<Real> slot_as(const CellSlot<double>& s) {
  CellSlot<Real> slot{};
  const auto real = [](double v) { return static_cast<Real>(v); };
  slot.motion = motion_start(real(s.motion.x), real(s.motion.y), real(s.motion.vx),
                             real(s.motion.vy), Real(1));
  slot.motion.place = real(s.motion.place);
  slot.motion.both = real(s.motion.both);
  slot.motion.speed = real(s.motion.speed);
  slot.radius = real(s.radius);
  slot.slope = real(s.slope);
  slot.trust = real(s.trust);
  slot.track = s.track;
  slot.first = s.first;
  slot.stage = s.stage;
  return slot;
}

constexpr int kFrame = 4;

using Outlines = std::vector<std::array<float, kSnaxels>>;

/// The slots after a frame, by the plain loops; `outlines` are theirs.
std::vector<CellSlot<double>> plainly_followed(std::vector<CellSlot<double>> slots,
                                               const GradientPlanes<double>& planes, Case& one,
                                               Outlines& outlines) {
  outlines.resize(slots.size());
  const auto tables = outline_tables<double>();
  const auto rules = life_rules<double>(one.problem);
  for (CellSlot<double>& slot : slots)
    if (slot.stage != CellStage::free) motion_predict(slot.motion);
  const std::vector<CellSlot<double>> predicted = slots;
  OutlineWindow<double> window;
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (slots[k].stage != CellStage::free)
      take_measure(slots[k],
                   measure_outline(planes.view(one.problem), predicted, k, one.parts, tables,
                                   window, outlines[k].data()),
                   kFrame, rules);
  life_after(slots.data(), static_cast<int>(slots.size()), kFrame, rules);
  return slots;
}

/// The same by the kernel.
struct FollowedOnDevice {
  FollowedOnDevice(const std::vector<CellSlot<float>>& before, const GradientPlanes<double>& planes,
                   Case& one) {
    const Gradients gradients(planes, one.stream);
    const Scratch from = sent(before, one.stream), to = sent(before, one.stream);
    const Scratch lives = sent(std::vector<CellsFilmLife>(1), one.stream);
    const Scratch there = one.stream.scratch(before.size() * sizeof(CellRow<float>));
    CellsFollowArgs args{};
    args.across = gradients.across.as<float>();
    args.down = gradients.down.as<float>();
    args.floors = gradients.floor.as<float>();
    args.frame = kFrame;
    args.frames = args.films = 1;
    args.slots_of[kFrame % 2] = from.as<CellSlot<float>>();
    args.slots_of[(kFrame + 1) % 2] = to.as<CellSlot<float>>();
    args.find_times[0] = -1;
    args.lives = lives.as<CellsFilmLife>();
    args.rows = there.as<CellRow<float>>();
    one.kernels.follow(args, one.stream);
    slots = fetched<CellSlot<float>>(to, before.size(), one.stream);
    rows = fetched<CellRow<float>>(there, before.size(), one.stream);
  }
  std::vector<CellSlot<float>> slots;
  std::vector<CellRow<float>> rows;
};

TEST_F(CellsKernelsOnCuda, FollowsSlotsThroughAFrame) {
  const Image film = clear_film({131, 99}, 1);
  std::vector<CellSlot<float>> before;
  for (const CellSlot<double>& slot : some_slots()) before.push_back(slot_as<float>(slot));
  for (const std::optional<double> flow :
       {std::optional<double>(), std::optional<double>(0.0), std::optional<double>(215.0)}) {
    Case one(film.info(), {.flow = flow, .max_cells = 7});
    const GradientPlanes<double> planes = one.plain_gradients(film.view().only_plane(0));
    Outlines outlines;
    const auto expected = plainly_followed(some_slots(), planes, one, outlines);
    const FollowedOnDevice after(before, planes, one);
    for (std::size_t k = 0; k < before.size(); ++k) {
      const CellSlot<float>& slot = after.slots[k];
      ASSERT_EQ(slot.stage, expected[k].stage) << k;
      if (slot.stage == CellStage::free) continue;
      // Plain loops in float come as near as 1e-5, the score of a non-cell 1.3e-4; 1% on the
      // field's sum moves some by 1e-4, and that score by 3e-3.
      EXPECT_NEAR(slot.motion.x, expected[k].motion.x, 5e-5) << k;
      EXPECT_NEAR(slot.motion.y, expected[k].motion.y, 5e-5) << k;
      EXPECT_NEAR(slot.radius, expected[k].radius, 5e-5) << k;
      EXPECT_NEAR(slot.score, expected[k].score, 1e-3) << k;
      EXPECT_EQ(slot.unseen, expected[k].unseen) << k;
      ASSERT_EQ(after.rows[k].outlined, expected[k].outlined) << k;
      // Parabolas whose bend is small magnify rounding.
      for (int j = 0; j < kSnaxels && expected[k].outlined; ++j)
        EXPECT_NEAR(after.rows[k].radii[j], outlines[k][static_cast<std::size_t>(j)], 5e-3)
            << k << ", " << j;
    }
    EXPECT_TRUE(after.rows[0].outlined);
    EXPECT_EQ(after.rows[3].track, 0);
    EXPECT_EQ(after.rows[1].track, 2);
    EXPECT_EQ(after.rows[1].frame, kFrame);
  }
}

}  // namespace
}  // namespace tessera
