// SPDX-License-Identifier: Apache-2.0
// The tuner's tasks for convolve: every method at every size, and the choices to be judged.
#include <fmt/format.h>

#include <algorithm>

#include "ops/convolve/tune/convolve_times.hpp"
#include "ops/convolve/tune/convolve_trials.hpp"
#include "ops/convolve/tune/convolve_tunables.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// A CPU's knobs change little with the size: they are searched at these squares.
constexpr int kCpuKnobSides[] = {3, 5, 7, 9, 15, 31};

bool is_reference(const ConvolveMethod& method) { return std::string(method.name) == "reference"; }

/// The filter a method is timed with: one that it accepts and that is hardest for it.
FilterRank rank_for(const std::string& method) {
  return method == "running"     ? FilterRank::box
         : method == "separable" ? FilterRank::one
         : method == "lowrank"   ? FilterRank::two
                                 : FilterRank::full;
}

/// Sizes of the paper, and thin ones and a large one, so that choices there are not guesses.
std::vector<FilterSize> default_sizes() {
  std::vector<FilterSize> sizes = all_sizes();
  std::vector<FilterSize> more{{63, 63}};
  for (const int length : {3, 9, 21, 43}) {
    more.push_back({1, length});
    more.push_back({length, 1});
  }
  sizes.insert(sizes.begin() + kNodeSizes, more.begin(), more.end());
  return sizes;
}

struct Planned {
  int stage;  ///< tasks are done stage by stage: those left to interpolate belong to the last
  TuneTask task;
};

class Tasks {
 public:
  explicit Tasks(const TuneRequest& request)
      : request_(request),
        own_(request.sizes == kAllSizes),
        sizes_(own_ ? default_sizes() : sizes_from_text(request.sizes)),
        machine_(machine_of(request)),
        images_(std::make_shared<TrialImages>(request, tuned_size(request.backend))) {}

  std::vector<TuneTask> all() {
    for (std::size_t i = 0; i < sizes_.size(); ++i) add_size(sizes_[i], !own_ || i < kNodeSizes);
    std::stable_sort(planned_.begin(), planned_.end(),
                     [](const Planned& a, const Planned& b) { return a.stage < b.stage; });
    std::vector<TuneTask> tasks;
    for (Planned& planned : planned_) tasks.push_back(std::move(planned.task));
    return tasks;
  }

 private:
  void add_size(FilterSize size, bool node) {
    std::map<FilterRank, std::shared_ptr<TrialFilter>> filters;
    for (const ConvolveMethod& method : convolve_methods()) {
      if (method.backend != request_.backend || is_reference(method)) continue;
      const FilterRank rank = rank_for(method.name);
      auto& filter = filters[rank];
      if (!filter) filter = std::make_shared<TrialFilter>(images_, size, rank);
      const bool quick = rank == FilterRank::one || rank == FilterRank::box;
      const int stage = node ? 0 : quick ? 1 : 2;
      planned_.push_back({stage, task(method, size, filter, searched(size, node))});
      if (stage == 2 && !request_.full && rank == FilterRank::full)
        planned_.back().task.rivals = rivals(method, size);
    }
  }

  /// The other methods that accept any filter.
  std::vector<ProblemKey> rivals(const ConvolveMethod& own, FilterSize size) const {
    std::vector<ProblemKey> keys;
    for (const ConvolveMethod& method : convolve_methods())
      if (method.backend == own.backend && &method != &own && !is_reference(method) &&
          rank_for(method.name) == FilterRank::full)
        keys.push_back(
            convolve_time_key(method.backend, method.name, request_.type, size.width, size.height));
    return keys;
  }

  bool searched(FilterSize size, bool node) const {
    if (request_.full || !own_) return true;
    if (request_.backend == Backend::cuda) return node;
    return size.width == size.height &&
           std::find(std::begin(kCpuKnobSides), std::end(kCpuKnobSides), size.width) !=
               std::end(kCpuKnobSides);
  }

  TuneTask task(const ConvolveMethod& method, FilterSize size,
                const std::shared_ptr<TrialFilter>& filter, bool search) const {
    ConvolveProblem problem;
    problem.image = problem.output = images_->room().in().info();
    problem.filter_width = size.width;
    problem.filter_height = size.height;
    TuneTask task;
    task.label =
        fmt::format("{} {} {}x{}", name_of(method.backend), method.name, size.width, size.height);
    task.machine = machine_;
    task.site = convolve_site(method);
    task.problem = problem_key(problem);
    if (search) task.candidates = convolve_candidates(method, size, request_.full);
    task.time_site = kConvolveTimeSite;
    task.time_problem =
        convolve_time_key(method.backend, method.name, request_.type, size.width, size.height);
    task.samples = static_cast<double>(problem.output.size.samples());
    task.prepare = [filter, backend = method.backend, name = std::string(method.name)] {
      return filter->trial(backend, name);
    };
    return task;
  }

  TuneRequest request_;
  bool own_;  ///< whether the sizes are convolve's own
  std::vector<FilterSize> sizes_;
  std::string machine_;
  std::shared_ptr<TrialImages> images_;
  std::vector<Planned> planned_;
};

bool can_run(const TrialFilter& filter, const ConvolveMethod& method) {
  try {
    filter.plan(method.backend, method.name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Choice make_choice(const TuneRequest& request, const std::shared_ptr<TrialFilter>& filter) {
  Choice choice{filter->plan(request.backend, "auto").method(), {}};
  for (const ConvolveMethod& method : convolve_methods())
    if (method.backend == request.backend && !is_reference(method) && can_run(*filter, method))
      choice.methods.emplace_back(
          method.name, [filter, &method] { return filter->trial(method.backend, method.name); });
  return choice;
}

ChoiceCase choice_case(const TuneRequest& request, const std::shared_ptr<TrialImages>& images,
                       FilterSize size, FilterRank rank) {
  const char* kind = rank == FilterRank::box   ? "box"
                     : rank == FilterRank::one ? "separable"
                                               : "any";
  return {fmt::format("{}x{} {} filter", size.width, size.height, kind),
          [=] { return make_choice(request, std::make_shared<TrialFilter>(images, size, rank)); }};
}

}  // namespace

std::vector<TuneTask> convolve_tasks(const TuneRequest& request) { return Tasks(request).all(); }

std::vector<ChoiceCase> convolve_choices(const TuneRequest& request) {
  const std::vector<FilterSize> sizes = sizes_from_text(request.sizes);
  const auto images = std::make_shared<TrialImages>(request, tuned_size(request.backend));
  std::vector<ChoiceCase> cases;
  for (const FilterSize size : sizes)
    for (const FilterRank rank : {FilterRank::full, FilterRank::one, FilterRank::box})
      cases.push_back(choice_case(request, images, size, rank));
  return cases;
}

}  // namespace tessera
