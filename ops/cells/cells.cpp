// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/cells.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/cells_model.cuh"

namespace tessera {
namespace {

constexpr const char* kName = "cells";

/// Windows of the corrected model have one size: a larger circle would lie outside and never be
/// seen.
void check_followed(const CellsProblem& p) {
  constexpr int kMost = kCells.window - 2;
  if (p.options.model == CellsModel::corrected && p.radii.back() > kMost)
    refuse("cells",
           fmt::format("circles of radius {} are found, but cells are followed in windows of {} "
                       "pixels; in films max-radius can be up to {}: make frames smaller",
                       p.radii.back(), 2 * kCells.window + 1, kMost));
}

/// A plane a film, and each as planned.
void check_frames(const AnyView& given, const ImageInfo& planned, int films) {
  ImageInfo frame = given.info();
  if (frame.size.planes != films)
    refuse("cells", fmt::format("{} planes are given for {} {}; give a frame of each",
                                frame.size.planes, films, films == 1 ? "film" : "films"));
  frame.size.planes = 1;
  if (frame.size.height != planned.size.height)
    refuse("cells", fmt::format("the frame has {} rows; the plan was made for {}",
                                frame.size.height, planned.size.height));
  check_piece(kName, "frame", frame, planned);
}

/// Runs a step of a film. One that fails has done a part of it that cannot be undone: what came
/// after would be counted and placed wrongly.
template <class Step>
void wholly(CellsState::Impl& film, Step step) {
  if (film.half_done)
    refuse("cells", fmt::format("the film failed after {} frames and cannot go on; start another",
                                film.given));
  film.half_done = true;
  step();
  film.half_done = false;
}

}  // namespace

int CellsState::films() const { return impl_->films; }
int CellsState::frames_given() const { return impl_->given; }
int CellsState::frames_done() const { return impl_->runner->frames_done(*impl_->work); }

struct Cells::Impl {
  CellsProblem problem;
  const CellsMethod* method;
  std::shared_ptr<const CellsRunner> runner;  ///< of films
  std::shared_ptr<const CellsRunner> alone;   ///< of frames alone: often with another threshold

  void check_state(const CellsState& state) const {
    if (state.impl().runner != runner)
      refuse("cells", "the state was started by another plan; make it with plan.start()");
  }
  /// The published program takes values as they are.
  AnyView in_scale(AnyView frames, CellsScale& scale, Image& scaled) const {
    return problem.options.model == CellsModel::classic ? frames : scale.of(frames, scaled);
  }
};

Cells::Cells(const ImageInfo& frame, const CellsOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->problem = make_cells_problem(frame, options);
  impl->method = &choose(kName, cells_methods(), impl->problem, wanted_backend(options.backend),
                         options.method, this_machine());
  impl->runner = impl->alone = impl->method->make(impl->problem);
  if (impl->problem.threshold_alone != impl->problem.threshold) {
    CellsProblem alone = impl->problem;
    alone.threshold = alone.threshold_alone;
    impl->alone = impl->method->make(alone);
  }
  impl_ = std::move(impl);
}

const ImageInfo& Cells::frame() const { return impl_->problem.frame; }
const CellsOptions& Cells::options() const { return impl_->problem.options; }
Backend Cells::backend() const { return impl_->method->backend; }
std::string Cells::method() const { return impl_->method->name; }
int Cells::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}

std::vector<CellDetection> Cells::detect(AnyView frame, Stream& stream) const {
  check_frames(frame, this->frame(), 1);
  check_stream(kName, stream, device());
  CellsScale scale;
  Image scaled;
  return impl_->alone->detect(impl_->in_scale(frame, scale, scaled), stream);
}

CellsState Cells::start(int films) const {
  if (films < 1)
    refuse("cells", fmt::format("{} films cannot be followed; there must be one or more", films));
  check_followed(impl_->problem);
  auto state = std::make_shared<CellsState::Impl>();
  state->films = films;
  state->runner = impl_->runner;
  state->work = impl_->runner->start(films);
  return CellsState(std::move(state));
}

void Cells::add(CellsState& state, AnyView frames, Stream& stream) const {
  impl_->check_state(state);
  check_frames(frames, frame(), state.films());
  check_stream(kName, stream, device());
  if (state.impl().finished) refuse("cells", "the film is finished; start another for more frames");
  Image scaled;
  const AnyView in_scale = impl_->in_scale(frames, state.impl().scale, scaled);
  wholly(state.impl(), [&] { impl_->runner->add(*state.impl().work, in_scale, stream); });
  ++state.impl().given;
}

void Cells::finish(CellsState& state, Stream& stream) const {
  impl_->check_state(state);
  check_stream(kName, stream, device());
  if (state.impl().finished) return;
  wholly(state.impl(), [&] { impl_->runner->finish(*state.impl().work, stream); });
  state.impl().finished = true;
}

std::vector<CellTrack> Cells::tracks(const CellsState& state, int film) const {
  impl_->check_state(state);
  if (film < 0 || film >= state.films())
    refuse("cells",
           fmt::format("film {} is asked for; there are {}, counted from 0", film, state.films()));
  return impl_->runner->tracks(*state.impl().work, film);
}

std::string Cells::describe() const {
  const CellsProblem& p = impl_->problem;
  return fmt::format("cells {}, {}, radii {} to {}: {} {}, {}", image_text(p.frame),
                     name_of(p.options.model), p.radii.front(), p.radii.back(), name_of(backend()),
                     method(), impl_->runner->describe());
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
