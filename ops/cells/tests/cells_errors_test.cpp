// SPDX-License-Identifier: Apache-2.0
// Bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <new>

#include "ops/cells/cells_check.hpp"
#include "ops/cells/cells_pipeline.hpp"
#include "ops/cells/cells_plain_parts.hpp"
#include "tessera/cells.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const ImageInfo kFrame{{64, 48}, Type::u8};

Cells plan_of(CellsOptions options, const ImageInfo& frame = kFrame) {
  options.backend = Backend::cpu;
  return Cells(frame, options);
}

TEST(CellsErrors, BadFramesAndOptionsAreRefused) {
  expect_refused({
      {[] {
         plan_of({}, {{64, 48, 3}, Type::u8});
       },
       "cells: the frame has 3 channels and 1 plane; it can have one of each: make colours grey "
       "first, and give frames one by one"},
      {[] {
         plan_of({}, {{0, 48}, Type::u8});
       },
       "cells: the frame is 0x48; it can have 1x1 pixels or more"},
      {[] { plan_of({.relief = "east"}); },
       "cells: relief is \"east\"; it can be auto, none or an angle in degrees"},
      {[] { plan_of({.relief = "nan"}); },
       "cells: relief is \"nan\"; it can be auto, none or an angle in degrees"},
      {[] { plan_of({.min_radius = 1}); }, "cells: min-radius is 1; it can be 2 to 100 pixels"},
      {[] { plan_of({.max_radius = 5}); },
       "cells: max-radius is 5; it can be min-radius, 6 pixels, or more"},
      {[] { plan_of({.max_radius = std::numeric_limits<double>::quiet_NaN()}); },
       "cells: max-radius is nan; it can be 2 to 100 pixels"},
      {[] { plan_of({.max_radius = 100, .radius_step = 0.5}); },
       "cells: radii 6 to 100 by 0.5 are 189 circles; there can be up to 64"},
      {[] { plan_of({.samples = 7}); }, "cells: samples is 7; it can be 8 to 1024"},
      {[] { plan_of({.speed = 2}); },
       "cells: speed is given without flow; say which way cells roll"},
      {[] { plan_of({.detect_where = DetectWhere::entry}); },
       "cells: detect-where entry needs flow; say which way cells roll"},
      {[] { plan_of({.threshold = -1}); }, "cells: threshold is -1; it can be 0 or more"},
      {[] { plan_of({.gap = -1}); }, "cells: gap is -1; it can be 0 to 1000 frames"},
      {[] { plan_of({.min_frames = 0}); }, "cells: min-frames is 0; it can be 1 or more frames"},
      {[] { plan_of({.max_cells = 0}); }, "cells: max-cells is 0; it can be 1 to 4096"},
      {[] { plan_of({.crop = "1,2,3"}); },
       "cells: crop: '1,2,3' is not a part of an image; write X,Y,WIDTHxHEIGHT, or "
       "WIDTHxHEIGHT for the centre"},
      {[] { plan_of({.crop = "0,0,65x48"}); },
       "cells: crop 0,0,65x48 reaches outside the frame, which is 64x48; it can begin at 0,0 and "
       "must end inside"},
      {[] { plan_of({.crop = "-1,0,8x8"}); },
       "cells: crop -1,0,8x8 reaches outside the frame, which is 64x48; it can begin at 0,0 and "
       "must end inside"},
      {[] { plan_of({.crop = "a,0,8x8"}); },
       "cells: crop: 'a,0,8x8' is not a part of an image; write X,Y,WIDTHxHEIGHT, or "
       "WIDTHxHEIGHT for the centre"},
      {[] { plan_of({.model = CellsModel::classic, .threshold = 2}); },
       "cells: the classic model decides threshold itself; leave it out, or choose the corrected "
       "model"},
      {[] { plan_of({.model = CellsModel::classic, .min_frames = 3}); },
       "cells: the classic model decides min-frames itself; leave it out, or choose the corrected "
       "model"},
  });
}

TEST(CellsErrors, BadCallsOfAPlanAreRefused) {
  const Cells plan = plan_of({}), other = plan_of({});
  Stream stream;
  CellsState state = plan.start();
  const Image frame(kFrame), narrow(ImageInfo{{63, 48}, Type::u8}),
      low(ImageInfo{{64, 47}, Type::u8}), two(ImageInfo{{64, 48, 1, 2}, Type::u8}),
      wide(ImageInfo{{64, 48}, Type::u16});
  expect_refused({
      {[&] { plan.add(state, two.view(), stream); },
       "cells: 2 planes are given for 1 film; give one frame per film"},
      {[&] { plan.add(state, low.view(), stream); },
       "cells: the frame has 47 rows; the plan was made for 48"},
      {[&] { other.add(state, frame.view(), stream); },
       "cells: the state was started by another plan; make it with plan.start()"},
      {[&] { plan.start(0); }, "cells: 0 films cannot be followed; there must be one or more"},
      {[] { plan_of({.min_radius = 3, .max_radius = 30}).start(); },
       "cells: min-radius is 3; with a max-radius of 30 it can be 4 pixels or more: follow small "
       "and large cells one after the other"},
      {[&] { plan.tracks(state, 1); }, "cells: film 1 is asked for; there are 1, counted from 0"},
  });
  EXPECT_THROW(plan.add(state, narrow.view(), stream), Error);
  EXPECT_THROW(plan.add(state, wide.view(), stream), Error);
  plan.finish(state, stream);
  expect_refused({{[&] { plan.add(state, frame.view(), stream); },
                   "cells: the film is finished; start another for more frames"}});
}

/// Memory is out in the third frame.
class FailingParts : public PlainCellsParts<double> {
 public:
  using PlainCellsParts<double>::PlainCellsParts;
  double gradients(const CellPlane<double>& in, CellPlane<double>& across, CellPlane<double>& down,
                   Stream& stream) const override {
    if (++calls_ == 3) throw std::bad_alloc();
    return PlainCellsParts<double>::gradients(in, across, down, stream);
  }

 private:
  mutable int calls_ = 0;
};

/// A film of two frames and of one that failed.
CellsState failed_film(const Cells& plan, const CellsProblem& problem, const FailingParts& parts) {
  CellsState state = plan.start();
  auto& films = static_cast<CellsFilms<double>&>(*state.impl().work).films;
  films.front() = std::make_unique<CellsPipeline<double>>(problem, parts);
  const Image frame(kFrame);
  Stream stream;
  for (int k = 0; k < 2; ++k) plan.add(state, frame.view(), stream);
  EXPECT_THROW(plan.add(state, frame.view(), stream), std::bad_alloc);
  return state;
}

TEST(CellsErrors, AFilmThatFailedTakesNoMoreFrames) {
  const CellsOptions options{.max_radius = 14,  // given: the first frames do not wait
                             .background = CellsBackground::none,
                             .relief = "none",
                             .method = "reference"};
  const Cells plan = plan_of(options);
  const CellsProblem problem = make_cells_problem(kFrame, options);
  const FailingParts parts(problem);
  CellsState state = failed_film(plan, problem, parts);
  Stream stream;
  constexpr const char* kSentence =
      "cells: the film failed after 2 frames and cannot go on; start another";
  expect_refused({{[&] { plan.add(state, testing::short_view(Image(kFrame)), stream); }, kSentence},
                  {[&] { plan.finish(state, stream); }, kSentence}});
  EXPECT_EQ(state.frames_given(), 2);
  EXPECT_EQ(state.frames_done(), 2);
  EXPECT_TRUE(plan.tracks(state).empty()) << "what was done before may be asked for";
}

TEST(CellsProblems, OpenOptionsAreFilledIn) {
  const CellsProblem still = make_cells_problem(kFrame, {});
  EXPECT_EQ(still.radii.size(), 9U);
  EXPECT_EQ(still.options.detect_where, DetectWhere::everywhere);
  EXPECT_EQ(still.entry.width, 64);
  const CellsProblem left = make_cells_problem({{640, 480}, Type::u8}, {.flow = 180});
  EXPECT_EQ(left.options.detect_where, DetectWhere::entry);
  EXPECT_EQ(left.entry.width, 84);
  EXPECT_EQ(left.entry.x, 640 - 84);
  const CellsProblem down = make_cells_problem({{640, 480}, Type::u8}, {.flow = 90, .entry = 50});
  EXPECT_EQ(down.entry.height, 50);
  EXPECT_EQ(down.entry.y, 0);
  const CellsProblem classic =
      make_cells_problem({{640, 480}, Type::u8}, {.model = CellsModel::classic});
  EXPECT_EQ(classic.crop.y, 110);
  EXPECT_EQ(classic.crop.height, 219);
  EXPECT_EQ(classic.radii.back(), 20);
}

}  // namespace
}  // namespace tessera
