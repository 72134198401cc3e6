// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/convolve_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/machine.hpp"
#include "ops/convolve/study/ladder_learn.hpp"
#include "ops/convolve/study/ladder_report.hpp"
#include "ops/convolve/study/ladder_search.hpp"
#include "study/published.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kEveryTile = std::numeric_limits<int>::max();

std::vector<SearchTask> tasks_wanted(const StudyOptions& options) {
  std::vector<std::string> rungs = chosen_rungs(options.rungs, {"8", "s1", "s2"});
  rungs.emplace_back("1");
  std::vector<SearchTask> tasks = search_tasks(rungs, search_sizes(options.sizes));
  const bool with_8 = std::find(rungs.begin(), rungs.end(), "8") != rungs.end();
  std::erase_if(tasks, [&](const SearchTask& task) { return task.rung->id == "1" && !with_8; });
  return tasks;
}

// "nvidia-h200" for "NVIDIA H200".
std::string name_in_files(const std::string& device) {
  std::string name;
  for (const char letter : device)
    if (std::isalnum(static_cast<unsigned char>(letter)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return name;
}

std::string journal_path(const LadderOptions& own, const std::string& device, int side) {
  if (own.journal != "auto") return own.journal;
  if (device.empty() || cache_folder().empty()) return "";
  return fmt::format("{}/studies/convolve-search-{}-{}.tsv", cache_folder(), name_in_files(device),
                     side);
}

StudyResult compile_only(const std::vector<SearchTask>& tasks, const LadderOptions& own,
                         const StudyProgress& progress) {
  const int known = shared_bytes_of(own.compile);
  const std::optional<int> wanted = shared_bytes_wanted(own);
  if (known == 0 && !wanted)
    throw Error(ErrorKind::usage,
                fmt::format("--compile: the shared memory of {} is not known; sm_90 is, and "
                            "--shared gives that of others",
                            own.compile));
  const int shared = wanted.value_or(known);
  const SearchCounts counts = count_candidates(tasks, LadderJournal("", "", 0), shared);
  const CompiledCandidates compiled = compile_candidates(tasks, own.compile, shared, progress);
  StudyResult result{.study = "convolve"};
  result.verdict = fmt::format(
      "{} candidates, {} of them infeasible with {} bytes of shared memory; {} kernels for {} are "
      "in {}/kernels, {} of them new.",
      counts.all, counts.infeasible, shared, compiled.kernels, own.compile, cache_folder(),
      compiled.fresh);
  return result;
}

[[noreturn]] void refuse_without_device(const std::vector<SearchTask>& tasks,
                                        const LadderOptions& own) {
  const int shared = shared_bytes_wanted(own).value_or(shared_bytes_of("sm_90"));
  const SearchCounts counts = count_candidates(tasks, LadderJournal("", "", 0), shared);
  throw Error(ErrorKind::resources,
              fmt::format("convolve: the search has {} candidates, {} of them infeasible with {} "
                          "bytes of shared memory (--shared); timing the others needs a GPU, and "
                          "there is none: {}; --compile sm_90 compiles them here, and --journal "
                          "reads times of another machine",
                          counts.all, counts.infeasible, shared, this_machine().no_device_reason));
}

// "best of rung 8: 1234.5 GFLOP/s at 17x43 with 16x64 x6 (the paper: 938.4 at 17x43 on a GTX680…)"
std::string fastest_text(const StudyResult& result) {
  const StudyRow* best = nullptr;
  for (const StudyRow& row : result.rows)
    if (row.rung == "8" && (!best || *row.gflops > *best->gflops)) best = &row;
  if (!best) return "";
  std::string text = fmt::format(
      "the fastest kernel of rung 8 makes {:.1f} GFLOP/s, at {} with "
      "blocks of {}x{} and tile factor {}",
      *best->gflops, best->case_name, *best->block_x, *best->block_y, *best->tiles);
  const std::string published = published_gflops(published_figures("convolve"), "8", 17, 43);
  if (!published.empty()) text += fmt::format(" (the paper's: at 17x43, {})", published);
  return text;
}

std::string search_verdict(const StudyResult& result, const std::vector<BestCandidate>& best,
                           const SearchCounts& counts, const LadderJournal& journal, bool timed) {
  std::string text = fmt::format("{} of the paper's {} filters are searched whole for rung 8",
                                 search_shares(best).filters, kPaperFilters);
  if (const std::string fastest = fastest_text(result); !fastest.empty()) text += "; " + fastest;
  if (counts.missing() > 0 && !timed)
    text += fmt::format("; {} candidates have no time, and timing them needs a GPU: {}",
                        counts.missing(), this_machine().no_device_reason);
  if (counts.wrong > 0) text += fmt::format("; {} candidates are wrong", counts.wrong);
  text += ".";
  if (!journal.path().empty()) text += fmt::format(" Every time is in {}.", journal.path());
  return text;
}

}  // namespace

StudyResult run_convolve_search(const StudyOptions& options, const LadderOptions& own, int side,
                                const StudyProgress& progress) {
  const std::vector<SearchTask> tasks = tasks_wanted(options);
  if (!own.compile.empty()) return compile_only(tasks, own, progress);
  if (options.backend == Backend::cuda) need_device("convolve", options.device);
  const bool timed = options.backend != Backend::cpu && !this_machine().devices.empty();
  if (!timed && own.journal == "auto") refuse_without_device(tasks, own);
  if (timed) need_device("convolve", options.device);
  const std::string device = timed ? device_info(options.device).name : "";
  LadderJournal journal(journal_path(own, device, side), device, side);
  if (timed) {
    Stream stream(options.device);
    const Image image = ladder_image(side);
    const auto timer = make_cuda_timer(image, stream);
    run_search(tasks, device_info(options.device).shared_bytes_per_block, journal, *timer,
               progress);
  }
  const int shared = shared_bytes_wanted(own).value_or(kEveryTile);
  const SearchCounts counts = count_candidates(tasks, journal, shared);
  const std::vector<BestCandidate> best = best_candidates(tasks, journal, shared);
  StudyResult result{.study = "convolve", .device = journal.device()};
  result.rows = search_rows(best, side);
  result.summary = summarize(result, {"1", "s1", "s2"});
  result.tables = search_tables(result, best, counts);
  result.verdict = search_verdict(result, best, counts, journal, timed);
  return result;
}

StudyResult run_convolve_learn(const StudyOptions& options, const LadderOptions& own, int side) {
  const LadderJournal journal(own.learn, "", side);
  const int shared = shared_bytes_wanted(own).value_or(kEveryTile);
  return learn_from_search(journal, search_sizes(options.sizes),
                           chosen_rungs(options.rungs, {"8", "s1", "s2"}), shared, side);
}

}  // namespace tessera
