// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/tune/correlate_tunables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/samples.hpp"
#include "ops/correlate/cuda/correlate_direct_tiles.hpp"
#include "ops/correlate/cuda/correlate_fft_sizes.hpp"
#include "tessera/error.hpp"
#include "tune/knob_values.hpp"
#include "tune/trial_room.hpp"

namespace tessera {
namespace {

constexpr const char* kUsualSizes = "500/250,512/32,1024/16,1024/64,2048/32,2048/250";
constexpr int kLargestAsked = 8192;
/// More than a block of any device may have.
constexpr int kMostSharedBytes = 227 << 10;
/// Largest errors relative to the sum without a shift (tessera/correlate.hpp).
constexpr double kDirectBound = 1e-6, kFftBound = 5e-7;

const std::vector<KnobValues>& direct_knobs() {
  static const std::vector<KnobValues> knobs{{"warps_x", 2, {1, 2, 4}, {1, 2, 3, 4}, 1, 4},
                                             {"warps_y", 2, {1, 2, 4}, {1, 2, 3, 4}, 1, 4}};
  return knobs;
}

const std::vector<KnobValues>& fft_knobs() {
  static const std::vector<KnobValues> knobs{{"rows", 4, {2, 4, 8}, {1, 2, 4, 8, 16}, 1, 16},
                                             {"columns", 2, {1, 2, 4}, {1, 2, 4, 8}, 1, 8},
                                             {"result_rows", 2, {1, 2, 4}, {1, 2, 4, 8}, 1, 16}};
  return knobs;
}

struct ShiftWork {
  int side = 0, shifts = 0;
  std::string text() const { return fmt::format("{}/{}", side, shifts); }
};

ShiftWork work_from(const std::string& word) {
  const std::size_t cut = word.find('/');
  ShiftWork work;
  try {
    from_text("sizes", word.substr(0, cut), work.side);
    from_text("sizes", cut == std::string::npos ? "" : word.substr(cut + 1), work.shifts);
  } catch (const Error&) {
    work.side = 0;  // refused below, with what would be right
  }
  if (work.side < 1 || work.side > kLargestAsked || work.shifts < 1 || work.shifts > work.side)
    throw Error(ErrorKind::usage,
                fmt::format("tune: sizes: '{}' is not an image's side, at most {}, and a smaller "
                            "number of shifts; write all, or a list such as 500/250,1024/32",
                            word, kLargestAsked));
  return work;
}

std::vector<ShiftWork> works_of(const TuneRequest& request) {
  const std::string list = request.sizes == "all" ? kUsualSizes : request.sizes;
  std::vector<ShiftWork> works;
  for (std::size_t first = 0; first <= list.size();) {
    const std::size_t end = std::min(list.find(',', first), list.size());
    works.push_back(work_from(list.substr(first, end - first)));
    first = end + 1;
  }
  return works;
}

/// The autocorrelation of one plane.
CorrelateProblem problem_of(const ShiftWork& work, const TuneRequest& request) {
  CorrelateProblem p;
  p.image = {{work.side, work.side}, request.type};
  p.planes = 1;
  p.sums = parse_sums("all", 1);
  p.shifts_x = p.shifts_y = work.shifts;
  p.output = {{work.shifts, work.shifts}, Type::f32};
  p.device = request.device;
  return p;
}

std::vector<Knobs> direct_candidates(const CorrelateProblem& p, bool full) {
  const CorrelateDirectKnobs own = usual_direct_knobs(p);
  const KnobMap usual{{"warps_x", own.warps_x}, {"warps_y", own.warps_y}};
  return knob_candidates(
      direct_knobs(), full, usual,
      [](const KnobMap& k) {
        return direct_shared_bytes({k.at("warps_x"), k.at("warps_y")}) <= kMostSharedBytes;
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

/// Knobs that a plan would reduce because they do not fit are not candidates.
std::vector<Knobs> fft_candidates(const CorrelateProblem& p, bool full) {
  const CorrelateFftKnobs own = CorrelateFftSizes(p, {}, kMostSharedBytes).knobs;
  const KnobMap usual{
      {"rows", own.rows}, {"columns", own.columns}, {"result_rows", own.result_rows}};
  return knob_candidates(
      fft_knobs(), full, usual,
      [&](const KnobMap& k) {
        const CorrelateFftKnobs had = CorrelateFftSizes(p, {k, false}, kMostSharedBytes).knobs;
        return had.rows == k.at("rows") && had.columns == k.at("columns") &&
               had.result_rows == k.at("result_rows");
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

/// The definition at some shifts: the first, the last, and some between; made when first needed.
class SomeSums {
 public:
  SomeSums(std::shared_ptr<TrialRoom> room, int shifts) : room_(std::move(room)) {
    for (const int dy : {0, shifts / 2, shifts - 1})
      for (const int dx : {0, shifts / 3, shifts - 1}) shifts_.push_back({dx, dy});
  }

  /// "" or the first sum that is off by more than `bound` times the one without a shift.
  std::string wrong(double bound) {
    const Image map = room_->result();
    if (sums_.empty())
      for (const Point& shift : shifts_) sums_.push_back(sum_at(shift));
    for (std::size_t k = 0; k < shifts_.size(); ++k) {
      const double made = sample_at(map.view(), shifts_[k].x, shifts_[k].y, 0, 0);
      // Written so that NaN is wrong. The map is f32.
      if (!(std::abs(made - sums_[k]) <= bound * sums_[0] + 6e-8 * std::abs(sums_[k])))
        return fmt::format("at shift {},{} the sum is {}, not {}", shifts_[k].x, shifts_[k].y, made,
                           sums_[k]);
    }
    return "";
  }

 private:
  double sum_at(Point shift) const {
    const AnyView image = room_->host().view();
    double sum = 0;
    for (int y = 0; y + shift.y < image.size.height; ++y)
      for (int x = 0; x + shift.x < image.size.width; ++x)
        sum += sample_at(image, x + shift.x, y + shift.y, 0, 0) * sample_at(image, x, y, 0, 0);
    return sum;
  }

  std::shared_ptr<TrialRoom> room_;
  std::vector<Point> shifts_;
  std::vector<double> sums_;
};

TuneTask task_of(const TuneRequest& request, const ShiftWork& work, bool direct,
                 const std::shared_ptr<TrialRoom>& room, const std::shared_ptr<SomeSums>& truth) {
  const CorrelateProblem problem = problem_of(work, request);
  const std::string method = direct ? "direct" : "fft";
  TuneTask task;
  task.label = fmt::format("cuda {} {}", method, work.text());
  task.machine = machine_of(request);
  task.site = direct ? kCorrelateDirectSite : kCorrelateFftSite;
  task.problem = problem_key(problem);
  task.candidates =
      direct ? direct_candidates(problem, request.full) : fft_candidates(problem, request.full);
  task.samples = static_cast<double>(problem.output.size.samples());
  task.prepare = [room, truth, method, shifts = work.shifts, device = request.device,
                  bound = direct ? kDirectBound : kFftBound] {
    const Correlate plan(
        room->in().info(),
        {.max_shift = shifts, .backend = Backend::cuda, .method = method, .device = device});
    return trial_in(
        room, [room, plan](Stream& stream) { plan(room->in(), room->in(), room->out(), stream); },
        [truth, bound] { return truth->wrong(bound); });
  };
  return task;
}

}  // namespace

std::vector<TunedSite> correlate_sites() {
  return {site_of(kCorrelateDirectSite, direct_knobs()), site_of(kCorrelateFftSite, fft_knobs())};
}

std::vector<TuneTask> correlate_tasks(const TuneRequest& request) {
  if (request.backend == Backend::cpu)
    throw Error(ErrorKind::usage,
                "tune: correlate has no knobs on the CPU; give backend cuda on a machine with a "
                "GPU");
  std::vector<TuneTask> tasks;
  for (const ShiftWork& work : works_of(request)) {
    const CorrelateProblem problem = problem_of(work, request);
    const auto room = std::make_shared<TrialRoom>(
        request, random_image_of(problem.image.size, request.type), problem.output);
    const auto truth = std::make_shared<SomeSums>(room, work.shifts);
    for (const bool direct : {true, false})
      tasks.push_back(task_of(request, work, direct, room, truth));
  }
  return tasks;
}

std::vector<KernelName> correlate_tuned_kernels(const TuneRequest& request) {
  std::vector<KernelName> names;
  for (const ShiftWork& work : works_of(request)) {
    const CorrelateProblem p = problem_of(work, request);
    for (const Knobs& knobs : direct_candidates(p, request.full)) {
      KernelName name = correlate_jobs_kernel(p, with_table(p, knobs, kMostSharedBytes));
      if (!name.body.empty()) names.push_back(std::move(name));
    }
    for (const Knobs& knobs : fft_candidates(p, request.full)) {
      const CorrelateFftSizes sizes(p, knobs, kMostSharedBytes);
      if (correlate_fft_compiles(p, sizes))
        for (const CorrelateFftStep step : {kRows, kPowers, kResults})
          names.push_back(correlate_fft_kernel(p, sizes, step, true));
    }
  }
  return names;
}

TablePictures correlate_pictures(const std::vector<TuningLine>& lines, Backend, Type type) {
  return knob_pictures(lines, "correlate", type, "shifts", "pixels");
}

}  // namespace tessera
