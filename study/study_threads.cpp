// SPDX-License-Identifier: Apache-2.0
#include "study/study_threads.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "core/pinning.hpp"
#include "study/studies.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMostThreads = 1024;

thread_local StudyThreads of_this_study;

}  // namespace

std::vector<int> parse_threads(const std::string& text) {
  std::vector<int> counts;
  if (text == "auto") return counts;
  for (const std::string& word : split_text(text, ',')) {
    int count = 0;
    from_text("--threads", word, count);
    if (count < 1 || count > kMostThreads)
      throw Error(ErrorKind::usage,
                  fmt::format("--threads: {} is not a number from 1 to {}", word, kMostThreads));
    counts.push_back(count);
  }
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

const StudyThreads& study_threads() { return of_this_study; }

ScopedStudyThreads::ScopedStudyThreads(StudyThreads threads)
    : before_(std::exchange(of_this_study, std::move(threads))) {}
ScopedStudyThreads::~ScopedStudyThreads() { of_this_study = std::move(before_); }

std::vector<int> thread_counts() {
  if (!study_threads().counts.empty()) return study_threads().counts;
  std::vector<int> counts;
  for (int threads = 1; threads < available_threads(); threads *= 2) counts.push_back(threads);
  counts.push_back(available_threads());
  return counts;
}

std::string pinned_text() {
  if (!study_threads().pin) return "";
  const ScopedPinning pinned;
  std::string text = "threads bound to one core each, in this order:";
  for (const int cpu : *pinned_cpus()) text += fmt::format(" {}", cpu);
  return text;
}

std::string title_on_threads(const std::string& title, int threads) {
  const std::string all = "all threads",
                    word = threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
  const std::size_t at = title.find(all);
  return at == std::string::npos ? title + ", " + word
                                 : std::string(title).replace(at, all.size(), word);
}

}  // namespace tessera
