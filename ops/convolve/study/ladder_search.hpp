// SPDX-License-Identifier: Apache-2.0
/// The paper's search (section 5): every candidate of a rung on every filter, each one verified
/// before it is timed, with a journal that a stopped search continues from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ops/convolve/study/convolve_case.hpp"
#include "ops/convolve/study/ladder_journal.hpp"
#include "study/studies.hpp"

namespace tessera {

/// One rung on one filter: the part of it that the rung applies.
struct SearchTask {
  const SearchedRung* rung = nullptr;
  StudySize filter;
};

/// Every rung at every size, none twice: s1 has one task per width. Rung 1 comes before rung 8,
/// which is compared with it.
std::vector<SearchTask> search_tasks(const std::vector<std::string>& rungs,
                                     const std::vector<StudySize>& sizes);

/// Times candidates; tests replace the one that uses a GPU.
class CandidateTimer {
 public:
  virtual ~CandidateTimer() = default;
  /// These are timed next.
  virtual void prepare(const SearchTask& task, const std::vector<LadderCandidate>& candidates) = 0;
  virtual LadderRecord time(const SearchTask& task, const LadderCandidate& candidate) = 0;
};

/// Compiles the kernels of a task on all cores, and times them on the stream's device. `image` is
/// packed f32 and outlives it.
std::unique_ptr<CandidateTimer> make_cuda_timer(const Image& image, Stream& stream);

/// Tries what the journal does not hold. Candidates whose tile exceeds the shared memory of a block
/// are not tried: they are infeasible. Returns how many lines it added.
long long run_search(const std::vector<SearchTask>& tasks, int shared_bytes, LadderJournal& journal,
                     CandidateTimer& timer, const StudyProgress& progress);

/// Candidates by what became of them.
struct SearchCounts {
  long long all = 0, verified = 0, infeasible = 0, failed = 0, wrong = 0;
  long long missing() const { return all - verified - infeasible - failed - wrong; }
};
/// A candidate whose tile exceeds `shared_bytes` counts as infeasible, whether or not the journal
/// has a time for it.
SearchCounts count_candidates(const std::vector<SearchTask>& tasks, const LadderJournal& journal,
                              int shared_bytes);

/// The kernels of candidates, those that take longest to compile first, so that cores are idle only
/// while the last small ones are compiled. Rung 1 has none: it is compiled already.
std::vector<KernelName> kernels_to_compile(const SearchTask& task,
                                           std::vector<LadderCandidate> candidates);

struct CompiledCandidates {
  long long kernels = 0, fresh = 0;
};
/// Compiles the feasible candidates for an architecture ("sm_90") whose device may be absent, on
/// all cores, into the cache folder. Throws Error(failure) without a run-time compiler or a cache.
CompiledCandidates compile_candidates(const std::vector<SearchTask>& tasks,
                                      const std::string& architecture, int shared_bytes,
                                      const StudyProgress& progress);

}  // namespace tessera
