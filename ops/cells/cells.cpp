// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/cells.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/cells/cells_binned.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/look/cells_doubts.hpp"
#include "ops/cells/look/cells_relief.hpp"
#include "ops/cells/look/cells_sides.hpp"
#include "ops/cells/look/cells_sizes.hpp"
#include "ops/cells/look/cells_tissue.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "cells";

/// Large cells are followed in frames with larger pixels, in which the smallest must be seen.
double least_radius(const CellsProblem& p) { return 2.0 * bins_of(p).factor; }
bool can_be_followed(const CellsProblem& p) { return p.radii.front() >= least_radius(p); }

void check_followed(const CellsProblem& p) {
  if (!can_be_followed(p))
    refuse("cells", fmt::format("min-radius is {}; with a max-radius of {} it can be {} pixels or "
                                "more: follow small and large cells one after the other",
                                p.radii.front(), *p.options.max_radius, least_radius(p)));
}

/// One plane per film, each of the size and type planned.
void check_frames(const AnyView& given, const ImageInfo& planned, int films) {
  ImageInfo frame = given.info();
  if (frame.size.planes != films)
    refuse("cells", fmt::format("{} {} given for {}; give one frame per film",
                                counted(frame.size.planes, "plane"),
                                frame.size.planes == 1 ? "is" : "are", counted(films, "film")));
  frame.size.planes = 1;
  if (frame.size.height != planned.size.height)
    refuse("cells", fmt::format("the frame has {}; the plan was made for {}",
                                counted(frame.size.height, "row"), planned.size.height));
  check_piece(kName, "frame", frame, planned);
}

/// Runs a step of a film. A step that fails has changed the film in part, which cannot be undone:
/// later frames would be counted and placed wrongly.
template <class Step>
void wholly(CellsState::Impl& film, Step step) {
  if (film.half_done)
    refuse("cells", fmt::format("the film failed after {} and cannot go on; start another",
                                counted(film.given, "frame")));
  film.half_done = true;
  step();
  film.half_done = false;
}

struct CellsPlan final : PlanOf<CellsProblem, CellsRunner> {
  /// For single frames, often with another threshold.
  std::shared_ptr<const CellsRunner> alone;
  std::shared_ptr<const CellsRunner> film;
  bool min_frames_given;

  CellsPlan(const ImageInfo& frame, const CellsOptions& options)
      : PlanOf(kName, make_cells_problem(frame, options), cells_methods(), options),
        alone(runner),
        film(runner),
        min_frames_given(options.min_frames.has_value()) {
    if ((problem.relief || bins_of(problem).change_frames()) && can_be_followed(problem))
      film = film_runner(problem);
    if (problem.threshold_alone == problem.threshold) return;
    CellsProblem own = problem;
    own.threshold = own.threshold_alone;
    alone = method.make(own);
  }

  std::string problem_text() const override {
    const std::string radii =
        problem.radii_open
            ? "radii as measured"
            : fmt::format("radii {} to {}", problem.radii.front(), problem.radii.back());
    return fmt::format("cells {}, {}, {}", image_text(problem.frame),
                       name_of(problem.options.model), radii);
  }
  void check_state(const CellsState& state) const {
    if (state.impl().runner != runner)
      refuse("cells", "the state was started by another plan; make it with plan.start()");
  }
  void check_film(const CellsState& state, int number) const {
    check_state(state);
    if (number < 0 || number >= state.films())
      refuse("cells", fmt::format("film {} is asked for; there are {}, counted from 0", number,
                                  state.films()));
  }
  std::shared_ptr<const CellsRunner> film_runner(const CellsProblem& other) const {
    CellsProblem own = other;
    if (own.relief) own.frame = {own.frame.size, Type::f32};  // as they are after integration
    const CellsBins bins = bins_of(own);
    if (!bins.change_frames()) return method.make(own);
    return make_binned(method.make(binned_problem(own, bins)), bins, own.frame.size);
  }
  /// A film from its first frame on: all of its frames are samples.
  static void begin(CellsState::Impl& state, std::shared_ptr<const CellsRunner> runner,
                    const CellsProblem& other, Stream& stream) {
    state.problem = other;
    state.used = std::move(runner);
    state.work = state.used->start(state.films);
    for (const CellsSamples::Sample& sample : state.samples.kept())
      state.used->add(*state.work, std::as_const(sample.planes).view(), stream);
  }
  /// The problem as the samples show it, which become those of the frames that are searched.
  CellsProblem measured(CellsState::Impl& state, Stream& stream) const {
    CellsProblem found = problem;
    if (found.relief_open)
      found = problem_with_relief(problem, measure_relief(problem, state.samples, stream));
    begin_relief(state, found);
    if (state.relief)
      state.samples = state.samples.each(
          [&](AnyView frames) { return state.relief->integrated(frames, stream); });
    if (!found.radii_open) return found;
    state.sizes = measure_sizes(found, state.samples, stream);
    const auto radii = radii_to_search(state.sizes);
    return radii ? problem_with_radii(found, radii->first, radii->second) : found;
  }
  static void begin_relief(CellsState::Impl& state, const CellsProblem& found) {
    if (found.relief)
      state.relief = std::make_shared<const CellsRelief>(found.frame.size, *found.relief);
  }
  bool waits() const { return problem.radii_open || problem.relief_open; }
  /// Tracks, and how many became part of others. None do while a film runs: what was asked for
  /// then would no longer be so.
  std::pair<std::vector<CellTrack>, int> whole_tracks(const CellsState::Impl& state,
                                                      int film_number) const {
    if (!state.used) return {};
    std::vector<CellTrack> found = state.used->tracks(*state.work, film_number);
    const bool merges = state.finished && problem.options.model == CellsModel::corrected;
    const int merged = merges ? merge_sides(found) : 0;
    return {std::move(found), merged};
  }
  /// The published program takes values as they are.
  AnyView in_scale(AnyView frames, CellsScale& scale, Image& scaled) const {
    return problem.options.model == CellsModel::classic ? frames : scale.of(frames, scaled);
  }
};

}  // namespace

int CellsState::films() const { return impl_->films; }
int CellsState::frames_given() const { return impl_->given; }
int CellsState::frames_done() const {
  return impl_->used ? impl_->used->frames_done(*impl_->work) : 0;
}

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
  state->runner = plan.runner;
  state->problem = plan.problem;
  if (!plan.waits()) {
    plan.begin_relief(*state, plan.problem);
    state->used = plan.film;
    state->work = plan.film->start(films);
  }
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
    CellsState::Impl& film = state.impl();
    const Image integrated = film.relief ? film.relief->integrated(in_scale, stream) : Image();
    const AnyView searched = film.relief ? integrated.view() : in_scale;
    if (film.used) film.used->add(*film.work, searched, stream);
    film.samples.offer(searched, stream);
    if (film.used || !film.samples.is_full()) return;
    const CellsProblem found = plan.measured(film, stream);
    plan.begin(film, plan.film_runner(found), found, stream);
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
    const CellsProblem found = film.used ? film.problem : plan.measured(film, stream);
    const auto other = problem_of_short_film(found, film.given, plan.min_frames_given);
    if (other || !film.used) {
      const CellsProblem& now = other ? *other : found;
      plan.begin(film, plan.film_runner(now), now, stream);
    }
    film.used->finish(*film.work, stream);
  });
  state.impl().finished = true;
}

std::vector<CellTrack> Cells::tracks(const CellsState& state, int film) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_film(state, film);
  return plan.whole_tracks(state.impl(), film).first;
}

int Cells::merged_sides(const CellsState& state, int film) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_film(state, film);
  return plan.whole_tracks(state.impl(), film).second;
}

std::vector<CellDrift> Cells::drift(const CellsState& state, int film) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_film(state, film);
  const CellsState::Impl& known = state.impl();
  if (plan.problem.options.model == CellsModel::classic || !known.used || !known.finished)
    return {};
  return place_of_tissue(known.problem, known.samples, film, known.used->tracks(*known.work, film),
                         known.used->drifts(*known.work, film), thread_stream(device()));
}

CellsVerdict Cells::verdict(const CellsState& state, int film) const {
  const auto& plan = impl<CellsPlan>();
  plan.check_film(state, film);
  const CellsState::Impl& known = state.impl();
  if (plan.problem.options.model == CellsModel::classic || !known.used) return {};
  const std::vector<CellTrack> followed = known.used->tracks(*known.work, film);
  const CellsSecondLook look = second_look(known.problem, known.samples, film, followed,
                                           this->drift(state, film), thread_stream(device()));
  CellsVerdict verdict{doubts_of(look, known.problem.options), look.clear, look.missed, ""};
  const CellsLives lives = known.used->lives(*known.work, film);
  if (followed.empty()) verdict.why_no_tracks = why_no_tracks(known.problem, lives);
  if (lives.most_at_once >= options().max_cells)
    verdict.doubts.push_back(
        fmt::format("{} cells were followed at once, the most that max-cells allows: others may "
                    "have been left out; give more",
                    lives.most_at_once));
  return verdict;
}

std::vector<std::string> Cells::doubts(const CellsState& state, int film) const {
  return verdict(state, film).doubts;
}

std::vector<double> Cells::sizes(const CellsState& state) const {
  impl<CellsPlan>().check_state(state);
  return state.impl().sizes;
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
