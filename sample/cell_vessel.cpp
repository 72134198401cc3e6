// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_vessel.hpp"

#include <algorithm>
#include <cmath>

#include "sample/exact_math.hpp"
#include "sample/random.hpp"

namespace tessera {
namespace {

/// Frames from one breath to the next.
constexpr double kBreath = 45;
/// Fraction of the frame's extent across the flow; beyond each wall a strip of tissue stays
/// visible.
constexpr double kHalfWidth = 0.36, kBend = 0.02;

}  // namespace

CellVessel::CellVessel(Size frame, std::uint64_t seed, const CellFilmOptions& o)
    : frame_(frame),
      middle_{(frame.width - 1) / 2.0, (frame.height - 1) / 2.0},
      flow_{cosine_of_turns(*o.flow / 360), sine_of_turns(*o.flow / 360)},
      frames_(*o.frames),
      middle_frame_((*o.frames - 1) / 2.0) {
  Random random{seed, 10};
  const double across = std::abs(flow_.y) * frame.width + std::abs(flow_.x) * frame.height;
  length_ = std::abs(flow_.x) * frame.width + std::abs(flow_.y) * frame.height;
  half_width_ = kHalfWidth * across;
  amplitude_ = kBend * across * random.between(0.5, 1);
  wave_ = length_ * random.between(0.9, 1.5);
  phase_ = random.unit();
  const double direction = random.unit();
  drift_ = {*o.drift * cosine_of_turns(direction), *o.drift * sine_of_turns(direction)};
  const double jump_direction = random.unit(), sway_direction = random.unit();
  jump_ = {*o.jump * cosine_of_turns(jump_direction), *o.jump * sine_of_turns(jump_direction)};
  sway_ = {*o.sway * cosine_of_turns(sway_direction), *o.sway * sine_of_turns(sway_direction)};
}

double CellVessel::bend(double along) const {
  return amplitude_ * sine_of_turns(along / wave_ + phase_);
}

Place CellVessel::at(double along, double across) const {
  const double side = across + bend(along);
  return {middle_.x + along * flow_.x - side * flow_.y,
          middle_.y + along * flow_.y + side * flow_.x};
}

double CellVessel::along(Place p) const {
  return (p.x - middle_.x) * flow_.x + (p.y - middle_.y) * flow_.y;
}

double CellVessel::across(Place p) const {
  return (p.y - middle_.y) * flow_.x - (p.x - middle_.x) * flow_.y - bend(along(p));
}

Place CellVessel::drift(int frame, double row) const {
  const double away = frame - middle_frame_, jumps = frame > middle_frame_ ? 0.5 : -0.5;
  const double breath = sine_of_turns(frame / kBreath) * (0.5 + row / frame_.height);
  return {drift_.x * away + jump_.x * jumps + sway_.x * breath,
          drift_.y * away + jump_.y * jumps + sway_.y * breath};
}

// The row depends on the displacement, which changes by a few pixels over the whole frame: two
// rounds are exact to a thousandth of a pixel.
Place CellVessel::seen(Place scene, int frame) const {
  double row = scene.y;
  for (int round = 0; round < 2; ++round) row = scene.y + drift(frame, row).y;
  const Place moved = drift(frame, row);
  return {scene.x + moved.x, scene.y + moved.y};
}

double CellVessel::farthest_drift() const {
  double farthest = 0;
  for (int frame = 0; frame < frames_; ++frame)
    for (const double row : {0.0, frame_.height - 1.0}) {
      const Place place = drift(frame, row);
      farthest = std::max({farthest, std::abs(place.x), std::abs(place.y)});
    }
  return farthest;
}

bool CellVessel::in_frame(Place p) const {
  return p.x >= 0 && p.y >= 0 && p.x <= frame_.width - 1 && p.y <= frame_.height - 1;
}

}  // namespace tessera
