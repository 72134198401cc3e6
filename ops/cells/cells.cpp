// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/cells.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/cells_doubts.hpp"
#include "ops/cells/cells_model.cuh"

namespace tessera {
namespace {

constexpr const char* kName = "cells";

/// Windows of the corrected model have a fixed size: a larger circle would not fit and would never
/// be seen.
void check_followed(const CellsProblem& p) {
  constexpr int kMost = kCells.window - 2;
  if (p.options.model == CellsModel::corrected && p.radii.back() > kMost)
    refuse("cells",
           fmt::format("circles of radius {} are found, but cells are followed in windows of {} "
                       "pixels; in films max-radius can be up to {}: make frames smaller",
                       p.radii.back(), 2 * kCells.window + 1, kMost));
}

/// One plane per film, each of the size and type planned.
void check_frames(const AnyView& given, const ImageInfo& planned, int films) {
  ImageInfo frame = given.info();
  if (frame.size.planes != films)
    refuse("cells", fmt::format("{} planes are given for {} {}; give one frame per film",
                                frame.size.planes, films, films == 1 ? "film" : "films"));
  frame.size.planes = 1;
  if (frame.size.height != planned.size.height)
    refuse("cells", fmt::format("the frame has {} rows; the plan was made for {}",
                                frame.size.height, planned.size.height));
  check_piece(kName, "frame", frame, planned);
}

/// Runs a step of a film. A step that fails has changed the film in part, which cannot be undone:
/// later frames would be counted and placed wrongly.
template <class Step>
void wholly(CellsState::Impl& film, Step step) {
  if (film.half_done)
    refuse("cells", fmt::format("the film failed after {} frames and cannot go on; start another",
                                film.given));
  film.half_done = true;
  step();
  film.half_done = false;
}

struct CellsPlan final : PlanOf<CellsProblem, CellsRunner> {
  /// For single frames, often with another threshold; `runner` is for films.
  std::shared_ptr<const CellsRunner> alone;
  bool min_frames_given;

  CellsPlan(const ImageInfo& frame, const CellsOptions& options)
      : PlanOf(kName, make_cells_problem(frame, options), cells_methods(), options),
        alone(runner),
        min_frames_given(options.min_frames.has_value()) {
    if (problem.threshold_alone == problem.threshold) return;
    CellsProblem own = problem;
    own.threshold = own.threshold_alone;
    alone = method.make(own);
  }

  std::string problem_text() const override {
    return fmt::format("cells {}, {}, radii {} to {}", image_text(problem.frame),
                       name_of(problem.options.model), problem.radii.front(), problem.radii.back());
  }
  void check_state(const CellsState& state) const {
    if (state.impl().runner != runner)
      refuse("cells", "the state was started by another plan; make it with plan.start()");
  }
  /// A film that turned out to be short, from its first frame on: all of its frames are samples.
  void begin_again(CellsState::Impl& film, const CellsProblem& other, Stream& stream) const {
    film.problem = other;
    film.used = method.make(other);
    film.work = film.used->start(film.films);
    for (const CellsSamples::Sample& sample : film.samples.kept())
      film.used->add(*film.work, std::as_const(sample.planes).view(), stream);
  }
  /// The published program takes values as they are.
  AnyView in_scale(AnyView frames, CellsScale& scale, Image& scaled) const {
    return problem.options.model == CellsModel::classic ? frames : scale.of(frames, scaled);
  }
};

}  // namespace

int CellsState::films() const { return impl_->films; }
int CellsState::frames_given() const { return impl_->given; }
int CellsState::frames_done() const { return impl_->used->frames_done(*impl_->work); }

Cells::Cells(const ImageInfo& frame, const CellsOptions& options)
    : Plan(std::make_shared<const CellsPlan>(frame, options)) {}

const ImageInfo& Cells::frame() const { return impl<CellsPlan>().problem.frame; }
const CellsOptions& Cells::options() const { return impl<CellsPlan>().problem.options; }

std::vector<CellDetection> Cells::detect(AnyView frame, Stream& stream) const {
  check_frames(frame, this->frame(), 1);
  check_stream(kName, stream, device());
  const auto& plan = impl<CellsPlan>();
  CellsScale scale;
  Image scaled;
  return plan.alone->detect(plan.in_scale(frame, scale, scaled), stream);
}

CellsState Cells::start(int films) const {
  if (films < 1)
    refuse("cells", fmt::format("{} films cannot be followed; there must be one or more", films));
  const auto& plan = impl<CellsPlan>();
  check_followed(plan.problem);
  auto state = std::make_shared<CellsState::Impl>();
  state->films = films;
  state->runner = state->used = plan.runner;
  state->problem = plan.problem;
  state->work = plan.runner->start(films);
  return CellsState(std::move(state));
}

void Cells::add(CellsState& state, AnyView frames, Stream& stream) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_state(state);
  check_frames(frames, frame(), state.films());
  check_stream(kName, stream, device());
  if (state.impl().finished) refuse("cells", "the film is finished; start another for more frames");
  Image scaled;
  const AnyView in_scale = plan.in_scale(frames, state.impl().scale, scaled);
  wholly(state.impl(), [&] {
    plan.runner->add(*state.impl().work, in_scale, stream);
    state.impl().samples.offer(in_scale, stream);
  });
  ++state.impl().given;
}

void Cells::finish(CellsState& state, Stream& stream) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_state(state);
  check_stream(kName, stream, device());
  if (state.impl().finished) return;
  wholly(state.impl(), [&] {
    CellsState::Impl& film = state.impl();
    const auto other = problem_of_short_film(plan.problem, film.given, plan.min_frames_given);
    if (other) plan.begin_again(film, *other, stream);
    film.used->finish(*film.work, stream);
  });
  state.impl().finished = true;
}

std::vector<CellTrack> Cells::tracks(const CellsState& state, int film) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_state(state);
  if (film < 0 || film >= state.films())
    refuse("cells",
           fmt::format("film {} is asked for; there are {}, counted from 0", film, state.films()));
  return state.impl().used->tracks(*state.impl().work, film);
}

std::vector<std::string> Cells::doubts(const CellsState& state, int film) const {
  const auto& plan = impl<CellsPlan>();
  const std::vector<CellTrack> found = tracks(state, film);
  if (plan.problem.options.model == CellsModel::classic) return {};
  const CellsState::Impl& known = state.impl();
  std::vector<std::string> doubts =
      doubts_of(second_look(known.problem, known.samples, film, found), known.problem.options);
  const int most = known.used->most_at_once(*known.work, film);
  if (most >= options().max_cells)
    doubts.push_back(
        fmt::format("{} cells were followed at once, the most that max-cells allows: others may "
                    "have been left "
                    "out; give more",
                    most));
  return doubts;
}

CellsOptions Cells::used_options(const CellsState& state) const {
  impl<CellsPlan>().check_state(state);
  return state.impl().problem.options;
}

std::vector<CellTrack> track_cells(AnyView film, const CellsOptions& options) {
  ImageInfo frame = film.info();
  frame.size.planes = 1;
  const Cells plan(frame, options);
  Stream& stream = thread_stream(plan.device());
  CellsState state = plan.start();
  for (int k = 0; k < film.size.planes; ++k) plan.add(state, film.only_plane(k), stream);
  plan.finish(state, stream);
  return plan.tracks(state);
}

}  // namespace tessera
