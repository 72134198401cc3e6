// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/parallel.hpp"
#include "ops/convolve/study/ladder_args.cuh"
#include "tessera/error.hpp"

namespace tessera {
namespace {

LadderShape shape_of(const SearchTask& task, const LadderCandidate& candidate) {
  return task.rung->shape(task.filter, candidate);
}

// The compiler's work grows faster than the multiply-adds it unrolls.
int unrolled_adds(const SearchTask& task, const LadderCandidate& candidate) {
  const int all = task.filter.width * task.filter.height * candidate.tiles;
  return all <= kMostUnrolled ? all : task.filter.width * candidate.tiles;
}

long long candidates_of(const std::vector<SearchTask>& tasks) {
  long long all = 0;
  for (const SearchTask& task : tasks) all += std::ssize(task.rung->candidates);
  return all;
}

}  // namespace

std::vector<SearchTask> search_tasks(const std::vector<std::string>& rungs,
                                     const std::vector<StudySize>& sizes) {
  std::vector<SearchTask> tasks;
  for (const StudySize& size : sizes)
    for (const SearchedRung& rung : searched_rungs()) {
      if (std::find(rungs.begin(), rungs.end(), rung.id) == rungs.end()) continue;
      const StudySize filter = rung.filter(size);
      const bool known = std::any_of(tasks.begin(), tasks.end(), [&](const SearchTask& task) {
        return task.rung == &rung && task.filter == filter;
      });
      if (!known) tasks.push_back({&rung, filter});
    }
  return tasks;
}

long long run_search(const std::vector<SearchTask>& tasks, int shared_bytes, LadderJournal& journal,
                     CandidateTimer& timer, const StudyProgress& progress) {
  const long long all = candidates_of(tasks);
  long long done = 0, added = 0;
  const auto add = [&](const LadderRecord& record) {
    journal.add(record);
    ++added;
    if (progress) progress(++done, all);
  };
  for (const SearchTask& task : tasks) {
    std::vector<LadderCandidate> feasible;
    for (const LadderCandidate& candidate : task.rung->candidates) {
      const std::string reason = why_no_tile(shape_of(task, candidate), shared_bytes);
      if (journal.find(task.rung->id, task.filter, candidate))
        ++done;
      else if (!reason.empty())
        add({task.rung->id, task.filter, candidate, {}, {}, "infeasible: " + reason});
      else
        feasible.push_back(candidate);
    }
    if (feasible.empty()) continue;
    timer.prepare(task, feasible);
    for (const LadderCandidate& candidate : feasible) add(timer.time(task, candidate));
  }
  return added;
}

SearchCounts count_candidates(const std::vector<SearchTask>& tasks, const LadderJournal& journal,
                              int shared_bytes) {
  SearchCounts counts;
  for (const SearchTask& task : tasks)
    for (const LadderCandidate& candidate : task.rung->candidates) {
      const LadderRecord* const found = journal.find(task.rung->id, task.filter, candidate);
      const bool too_large = !why_no_tile(shape_of(task, candidate), shared_bytes).empty();
      ++counts.all;
      counts.infeasible += too_large || (found && found->infeasible());
      if (!found || too_large) continue;
      counts.verified += found->verified();
      counts.failed += found->outcome.starts_with("failed");
      counts.wrong += found->outcome.starts_with("wrong");
    }
  return counts;
}

std::vector<KernelName> kernels_to_compile(const SearchTask& task,
                                           std::vector<LadderCandidate> candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const LadderCandidate& a, const LadderCandidate& b) {
                     return unrolled_adds(task, a) > unrolled_adds(task, b);
                   });
  std::vector<KernelName> kernels;
  for (const LadderCandidate& candidate : candidates) {
    KernelName name = task.rung->kernel(task.filter, shape_of(task, candidate));
    if (!name.body.empty()) kernels.push_back(std::move(name));
  }
  return kernels;
}

CompiledCandidates compile_candidates(const std::vector<SearchTask>& tasks,
                                      const std::string& architecture, int shared_bytes,
                                      const StudyProgress& progress) {
  if (!run_time_compiler_found())
    throw Error(ErrorKind::failure, "convolve: the run-time compiler (NVRTC) is not found");
  if (cache_folder().empty())
    throw Error(ErrorKind::failure,
                "convolve: there is no cache folder to keep kernels in; set TESSERA_CACHE");
  std::vector<KernelName> kernels;
  for (const SearchTask& task : tasks) {
    std::vector<LadderCandidate> feasible = task.rung->candidates;
    std::erase_if(feasible, [&](const LadderCandidate& candidate) {
      return !why_no_tile(shape_of(task, candidate), shared_bytes).empty();
    });
    for (KernelName& name : kernels_to_compile(task, std::move(feasible)))
      kernels.push_back(std::move(name));
  }
  CompiledCandidates compiled{.kernels = std::ssize(kernels)};
  std::mutex mutex;
  long long done = 0;
  parallel_for(static_cast<int>(compiled.kernels), available_threads(), [&](int k) {
    const bool fresh = compile_kernel(kernels[static_cast<std::size_t>(k)], architecture);
    const std::lock_guard lock(mutex);
    compiled.fresh += fresh;
    if (progress) progress(++done, compiled.kernels);
  });
  return compiled;
}

}  // namespace tessera
