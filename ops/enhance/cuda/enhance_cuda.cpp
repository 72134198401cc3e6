// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cuda/enhance_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/device.hpp"
#include "core/staging.hpp"
#include "ops/enhance/enhance_state.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Pieces need not be larger: at this size their kernels take far longer than their launches.
constexpr long long kEnoughBytes = 256LL << 20;

/// Copies rows of an image on the stream's device.
DeviceRows uploaded(const Piece& in, Rows rows, Stream& stream) {
  const AnyView from = in.view.rows(rows.first - in.first_row, rows.count());
  ImageInfo info = from.info();
  info.device = stream.device();
  DeviceRows held;
  held.memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  held.view = packed(held.memory.data(), info);
  held.piece = {held.view, rows.first};
  device_stream(stream).copy(from, held.view);
  return held;
}

/// A caller who gets an error may free the images: enqueued work that uses them is finished first.
template <class Work>
void done_even_if_it_fails(Stream& stream, Work work) {
  try {
    work();
  } catch (...) {
    stream.wait();
    throw;
  }
}

}  // namespace

/// A run, or a part of one.
struct EnhanceCuda::Work {
  const EnhanceTables& tables;
  const MutablePiece* out;  ///< destination of the last pass that writes; null: none
  bool counts;              ///< the whole image is there: counts become curves in the same run
  Stream& stream;
};

EnhanceCuda::EnhanceCuda(const EnhanceProblem& problem, EnhancePasses passes)
    : problem_(problem), plan_(std::move(passes)), curves_(problem) {
  for (std::size_t k = 0; k < plan_.list.size(); ++k) {
    passes_.push_back(make_pass(problem, plan_.list[k]));
    if (plan_.list[k].writes) last_writer_ = k;
  }
  for (const EnhanceStage& stage : problem.stages)
    clahe_.push_back(stage.step == EnhanceStep::clahe
                         ? std::make_unique<const ClaheCuda>(problem, stage)
                         : nullptr);
}

std::string EnhanceCuda::describe() const {
  std::string text = fmt::format("device {}", problem_.device);
  for (const EnhancePassPointer& pass : passes_) text += "; " + pass->describe();
  return text;
}

bool EnhanceCuda::has_clahe() const {
  return std::any_of(clahe_.begin(), clahe_.end(), [](const auto& one) { return one != nullptr; });
}

/// `rows` of the image after a number of passes.
DeviceRows EnhanceCuda::after(const Work& work, const Piece& in, Rows rows,
                              std::size_t passes) const {
  if (passes == 0) return {in, {}, {}};
  const std::size_t k = passes - 1;
  const EnhancePass& pass = plan_.list[k];
  DeviceRows before = after(work, in, reads_by(problem_, pass, rows), k);
  if (!pass.writes && !work.counts) return before;
  DeviceRows made;
  MutablePiece to;
  if (pass.writes && k == last_writer_ && work.out) {
    to = *work.out;
  } else if (pass.writes) {
    made = passes_[k]->room(before.piece, rows, work.stream);
    to = {made.view, rows.first};
  }
  passes_[k]->launch(before.piece, rows, pass.writes ? &to : nullptr, work.tables, work.stream);
  if (work.counts && pass.counts >= 0) work.tables.make_curves(curves_, pass.counts, work.stream);
  if (!pass.writes) return before;
  made.piece = {AnyView(to.view), to.first_row};
  return made;
}

void EnhanceCuda::run_on_device(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                                Stream& stream) const {
  EnhanceTables tables(problem_, plan_.counted_with, stream);
  tables.clear(curves_, stream);
  const MutablePiece to{out, 0};
  after({tables, &to, true, stream}, {in, 0}, to.rows(), passes_.size());
  if (!found) return;
  start_sweeps(problem_, *found);
  tables.download(found->findings, stream);
  found->sweep = problem_.sweeps();
  found->counts.values.clear();
}

void EnhanceCuda::run_whole(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                            Stream& stream) const {
  if (in.device != kHost) return run_on_device(in, out, found, stream);
  const DeviceRows held = uploaded({in, 0}, {0, in.size.height}, stream);
  ImageInfo info = problem_.output;
  info.device = stream.device();
  const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  const AnyMutableView result = packed(memory.data(), info);
  run_on_device(held.view, result, found, stream);
  device_stream(stream).copy(result, out);
}

/// Device memory per row in all passes, including a host image's copies.
long long EnhanceCuda::bytes_a_row() const {
  const auto row = [](ImageInfo info) {
    info.size.height = 1;
    return bytes_of(info);
  };
  long long bytes = row(problem_.image) + row(problem_.output);
  for (const EnhancePass& pass : plan_.list)
    if (pass.writes) bytes += row(pass.out);
  return std::max(1LL, bytes);
}

/// Rows per piece so that the data in flight fits the stream's memory limit and leaves some of it
/// free: more rows are read than are made.
int EnhanceCuda::rows_at_once(const Stream& stream) const {
  const auto limit = static_cast<long long>(stream.memory_limit());
  const long long fit = std::min(limit / 4, kEnoughBytes) / bytes_a_row();
  return static_cast<int>(std::clamp<long long>(fit, 1, problem_.image.size.height));
}

void EnhanceCuda::run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                      Stream& stream) const {
  const long long bytes = bytes_a_row() * in.size.height;
  const bool fits = in.device != kHost || bytes <= static_cast<long long>(stream.memory_limit());
  // A state holds the counts of clahe's sweeps, which a run over the whole image never needs.
  if (fits && !(found && has_clahe())) {
    try {
      return done_even_if_it_fails(stream, [&] { run_whole(in, out, found, stream); });
    } catch (const Error& error) {
      // Others may have taken memory that was counted on: pieces may still fit.
      if (error.kind() != ErrorKind::resources) throw;
    }
  }
  EnhanceState::Impl own;
  run_in_pieces(in, out, found ? *found : own, rows_at_once(stream), stream);
}

void EnhanceCuda::run_in_pieces(AnyView in, AnyMutableView out, EnhanceState::Impl& state, int rows,
                                Stream& stream) const {
  start_sweeps(problem_, state);
  while (state.sweep < problem_.sweeps()) {
    look_at_all(state, in, rows, stream);
    finish_sweep(problem_, state, stream.threads());
  }
  if (in.device == kHost) return make(state, {in, 0}, {out, 0}, stream);
  for (int first = 0; first < out.size.height; first += rows) {
    const int count = std::min(rows, out.size.height - first);
    make(state, {in, 0}, {out.rows(first, count), first}, stream);
  }
}

void EnhanceCuda::look_at_all(EnhanceState::Impl& state, AnyView in, int rows,
                              Stream& stream) const {
  for (int first = 0; first < in.size.height;) {
    const Rows some{first, std::min(first + rows, in.size.height)};
    try {
      look(state, {in, 0}, some, state.counts, stream);
      first = some.end;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::resources || rows == 1) throw;
      rows = std::max(1, rows / 4);
    }
  }
}

void EnhanceCuda::look(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                       SweepCounts& counts, Stream& stream) const {
  done_even_if_it_fails(stream, [&] {
    if (in.view.device != kHost) return look_on_device(state, in, rows, counts, stream);
    const Rows needed = problem_.reads(rows, stage_of_sweep(problem_, state.sweep));
    const DeviceRows held = uploaded(in, needed, stream);
    look_on_device(state, held.piece, rows, counts, stream);
  });
}

void EnhanceCuda::look_on_device(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                                 SweepCounts& counts, Stream& stream) const {
  const std::size_t stage = stage_of_sweep(problem_, state.sweep);
  EnhanceTables tables(problem_, plan_.counted_with, stream);
  tables.upload(state, stream);
  // The pass that counts, and the image before it.
  std::size_t k = 0;
  while (plan_.list[k].clahe != static_cast<int>(stage) &&
         (plan_.list[k].counts < 0 || plan_.list[k].counts != plan_.counted_with[stage]))
    ++k;
  const DeviceRows before = after({tables, nullptr, false, stream}, in, rows, k);
  if (clahe_[stage])
    return clahe_[stage]->look(state.findings[stage],
                               state.sweep - problem_.stages[stage].first_sweep, before.piece, rows,
                               counts, stream);
  tables.clear(curves_, stream);
  passes_[k]->launch(before.piece, rows, nullptr, tables, stream);
  tables.add_counts(static_cast<int>(stage), counts, stream);
}

void EnhanceCuda::make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
                       Stream& stream) const {
  EnhanceTables tables(problem_, plan_.counted_with, stream);
  tables.upload(state, stream);  // the state's memory is pageable: copied when this returns
  const auto on_device = [&](const Piece& from, const MutablePiece& to, Stream& lane) {
    after({tables, &to, false, lane}, from, to.rows(), passes_.size());
  };
  if (in.view.device != kHost)
    return done_even_if_it_fails(stream, [&] { on_device(in, out, stream); });
  const RowRule rule{"enhance",
                     [this](Rows rows) { return problem_.reads(rows, problem_.stages.size()); },
                     problem_.image.size.height, Border::inside};
  done_even_if_it_fails(stream, [&] { run_staged(in, out, rule, stream, on_device); });
}

EnhanceRunnerPointer make_enhance_steps_cuda(const EnhanceProblem& p) {
  return std::make_unique<EnhanceCuda>(p, passes_of_steps(p));
}
EnhanceRunnerPointer make_enhance_fused_cuda(const EnhanceProblem& p) {
  return std::make_unique<EnhanceCuda>(p, fused_passes(p));
}

}  // namespace tessera
