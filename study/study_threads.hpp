// SPDX-License-Identifier: Apache-2.0
/// The numbers of threads on which a study's rungs of the CPU run: one rung for each.
///
/// Rungs with a series of their own ("simd.1", "simd.2" …) ask thread_counts(). A rung whose work
/// is shared among the threads of its stream sets Rung::threaded; with a list of the user's it is
/// followed by "cpu.direct.1", "cpu.direct.2" … Lists of rungs are made once per list of threads by
/// rungs_by_threads.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "study/rung.hpp"

namespace tessera {

struct StudyThreads {
  std::vector<int> counts;  ///< in order; none: no list was given
  bool pin = false;         ///< one thread per core
  bool operator==(const StudyThreads&) const = default;
};

/// "1,2,8" or "auto"; in order, each once. Throws Error(usage).
std::vector<int> parse_threads(const std::string& text);

/// Those of the study that runs on this thread.
const StudyThreads& study_threads();

class ScopedStudyThreads {
 public:
  explicit ScopedStudyThreads(StudyThreads threads);
  ScopedStudyThreads(const ScopedStudyThreads&) = delete;
  ScopedStudyThreads& operator=(const ScopedStudyThreads&) = delete;
  ~ScopedStudyThreads();

 private:
  StudyThreads before_;
};

/// The list of the user; without one 1, 2, 4 … and all.
std::vector<int> thread_counts();

/// "threads bound to one core each, in this order: 0 1 2"; "" if they are not.
std::string pinned_text();

/// "on all threads" becomes "on 4 threads"; other titles get ", 4 threads".
std::string title_on_threads(const std::string& title, int threads);

/// A threaded rung on that many threads.
template <class Case>
Rung<Case> on_threads(const Rung<Case>& rung, int threads) {
  Rung<Case> made = rung;
  made.id += fmt::format(".{}", threads);
  made.title = title_on_threads(rung.title, threads);
  made.threads = threads;
  made.prepare = [prepare = rung.prepare, threads](const Case& problem, Stream&) {
    const auto own = std::make_shared<Stream>(kHost, threads);
    PreparedRung prepared = prepare(problem, *own);
    if (prepared.run) prepared.run = [own, run = prepared.run](Stream&) { run(*own); };
    return prepared;
  };
  return made;
}

/// The rungs that `make` returns, with those on the user's numbers of threads after each threaded
/// one. The list lives as long as the process.
template <class Rung>
const std::vector<Rung>& rungs_by_threads(std::vector<Rung> (*make)()) {
  using Key = std::pair<std::vector<Rung> (*)(), std::vector<int>>;
  static std::map<Key, std::vector<Rung>> lists;
  const auto [found, fresh] = lists.try_emplace({make, study_threads().counts});
  if (!fresh) return found->second;
  for (const Rung& rung : make()) {
    found->second.push_back(rung);
    if (!rung.threaded) continue;
    for (const int threads : study_threads().counts)
      found->second.push_back(on_threads(rung, threads));
  }
  return found->second;
}

}  // namespace tessera
