// SPDX-License-Identifier: Apache-2.0
/// The loops of a study: prepare and test a rung, then time it.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "core/median_time.hpp"
#include "core/pinning.hpp"
#include "study/code_lines.hpp"
#include "study/rung.hpp"
#include "study/study_result.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// Seconds per call by wall-clock time, until all of it is done, one figure per repeat.
std::vector<double> time_by_wall(Stream& stream, const DeviceTiming& timing,
                                 const std::function<void()>& work);

/// The same by the device's own clock; on the host there is only wall-clock time.
std::vector<double> time_calls(Stream& stream, const DeviceTiming& timing,
                               const std::function<void()>& work);

/// The number of calls that take long enough for the clock, if one takes `once` seconds.
int calls_a_batch(double once);

/// Median and spread of batches that are long enough for the clock: the device's own, or wall-clock
/// time on the host. `tested` is the time of the run that tested the rung, if there was one: for a
/// very slow rung it is the result, and others get fewer batches the slower they
/// are.
MedianTime time_rung(const PreparedRung& rung, Stream& stream, double tested = 0);

/// Adds the kernels' own time and their number to the row of a rung on a device.
void add_kernel_time(StudyRow& row, const PreparedRung& rung, Stream& stream);

/// Binds threads to cores as the study asks, for rungs of the CPU; null: they are not bound.
std::unique_ptr<ScopedPinning> pinned_for(const Stream& stream);

/// The figures of a rung that ran.
StudyRow filled_row(StudyRow row, const PreparedRung& rung, const MedianTime& time,
                    const DeviceCeilings& ceilings);

/// min(peak, intensity times bandwidth): the limit for a kernel of that intensity.
double roofline_flops(const DeviceCeilings& ceilings, double intensity);

/// Prepares a rung; one that cannot run says why. Other errors are thrown: a broken rung is not
/// a result.
template <class Case>
PreparedRung prepare_rung(const Rung<Case>& rung, const Case& problem, Stream& stream) {
  try {
    return rung.prepare(problem, stream);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::failure) throw;
    return {.absent = error.what()};
  }
}

/// Runs a rung once on an output of NaN. A fast wrong answer is not a result: throws Error(failure)
/// with the first pixel that is wrong. Returns the seconds of the run.
template <class Case>
double test_rung(const Rung<Case>& rung, const PreparedRung& prepared, const Case& problem,
                 Stream& stream) {
  problem.poison(prepared, stream);
  stream.wait();
  const auto start = std::chrono::steady_clock::now();
  prepared.run(stream);
  stream.wait();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (const std::string wrong = problem.disagreement(prepared, stream); !wrong.empty())
    throw Error(ErrorKind::failure, fmt::format("rung {} ({}) on {} is wrong: {}", rung.id,
                                                rung.title, problem.name(), wrong));
  return taken.count();
}

/// A row of the table: prepared, tested, timed. `after(prepared, row)` completes one that ran.
template <class Case, class After>
StudyRow run_rung(const Rung<Case>& rung, const Case& problem, Stream& stream,
                  const DeviceCeilings& ceilings, After after) {
  StudyRow row{.case_name = problem.name(), .rung = rung.id, .title = rung.title};
  if (const int lines = code_lines_of(rung.files); lines > 0) row.lines = lines;
  const PreparedRung prepared = prepare_rung(rung, problem, stream);
  row.absent = prepared.absent;
  if (!row.absent.empty()) return row;
  if (rung.threads > 0) row.threads = rung.threads;
  const std::unique_ptr<ScopedPinning> pinned = pinned_for(stream);
  const double tested = test_rung(rung, prepared, problem, stream);
  row = filled_row(row, prepared, time_rung(prepared, stream, tested), ceilings);
  add_kernel_time(row, prepared, stream);
  after(prepared, row);
  return row;
}

template <class Case>
StudyRow run_rung(const Rung<Case>& rung, const Case& problem, Stream& stream,
                  const DeviceCeilings& ceilings) {
  return run_rung(rung, problem, stream, ceilings, [](const PreparedRung&, StudyRow&) {});
}

}  // namespace tessera
