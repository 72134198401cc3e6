// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/tune/enhance_tunables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/compare.hpp"
#include "ops/enhance/cuda/enhance_tuned.hpp"
#include "ops/enhance/enhance_check.hpp"
#include "tessera/error.hpp"
#include "tune/knob_values.hpp"
#include "tune/trial_room.hpp"

namespace tessera {
namespace {

constexpr int kLeastSide = 64, kLargestSide = 16384;
/// More than a block of any device may have.
constexpr int kMostSharedBytes = 227 << 10;

/// Steps, the channels of the image that they are usual for, and whether they take floats.
struct Chain {
  const char* steps;
  int channels;
  bool floats;
};
constexpr Chain kChains[] = {{"grey,contrast,smooth", 3, true},
                             {"contrast,smooth", 1, true},
                             {"smooth", 1, true},
                             {"grey", 3, true},
                             {"histogram", 1, false}};

const std::vector<KnobValues>& cpu_knobs() {
  static const std::vector<KnobValues> knobs{{"piece_rows",
                                              kUsualPieceRows,
                                              {16, 32, 64, 128, 256},
                                              {8, 16, 32, 64, 128, 256, 512},
                                              1,
                                              65536}};
  return knobs;
}

const std::vector<KnobValues>& grey_knobs() {
  static const std::vector<KnobValues> knobs{{"warps", 8, {4, 8, 16}, {2, 4, 8, 16}, 1, 24},
                                             {"blocks", 3, {2, 3, 4}, {1, 2, 3, 4, 6}, 1, 16},
                                             {"atomics", 0, {0, 1}, {0, 1}, 0, 1}};
  return knobs;
}

const std::vector<KnobValues>& smooth_knobs() {
  static const std::vector<KnobValues> knobs{{"warps", 8, {4, 8, 16}, {2, 4, 8, 16}, 1, 32},
                                             {"blocks", 3, {2, 3, 4}, {1, 2, 3, 4, 6}, 1, 16}};
  return knobs;
}

bool threads_fit(const KnobMap& k) { return 32 * k.at("warps") * k.at("blocks") <= 2048; }

std::vector<Knobs> grey_candidates(bool full) {
  const KnobMap usual = usual_values(grey_knobs());
  return knob_candidates(
      grey_knobs(), full, usual,
      [](const KnobMap& k) {
        const GreyKnobs knobs{k.at("warps"), k.at("blocks"), k.at("atomics") != 0};
        return threads_fit(k) && knobs.blocks * knobs.shared_bytes() <= kMostSharedBytes;
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

std::vector<Knobs> smooth_candidates(const PackedSmoothKnobs& own, bool full) {
  const KnobMap usual{{"warps", own.warps}, {"blocks", own.blocks}};
  return knob_candidates(
      smooth_knobs(), full, usual,
      [](const KnobMap& k) {
        return threads_fit(k) && k.at("blocks") * kPackedSharedBytes <= kMostSharedBytes;
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

std::vector<Knobs> cpu_candidates(const EnhanceProblem& p, bool full) {
  const KnobMap usual = usual_values(cpu_knobs());
  return knob_candidates(
      cpu_knobs(), full, usual,
      [&](const KnobMap& k) {
        const int rows = k.at("piece_rows");
        return rows_for_threads(rows, kUsualPieceRows, p.image.size.height) == rows;
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

std::vector<int> sides_of(const TuneRequest& request) {
  if (request.sizes == "all")
    return request.backend == Backend::cuda ? std::vector<int>{1024, 4096}
                                            : std::vector<int>{1024, 2048};
  std::vector<int> sides;
  for (std::size_t first = 0; first <= request.sizes.size();) {
    const std::size_t end = std::min(request.sizes.find(',', first), request.sizes.size());
    const std::string word = request.sizes.substr(first, end - first);
    int side = 0;
    try {
      from_text("sizes", word, side);
    } catch (const Error&) {
      side = 0;  // refused below, with what would be right
    }
    if (side < kLeastSide || side > kLargestSide)
      throw Error(ErrorKind::usage,
                  fmt::format("tune: sizes: '{}' is not the side of an image, {} to {}; write all, "
                              "or a list such as 1024,4096",
                              word, kLeastSide, kLargestSide));
    sides.push_back(side);
    first = end + 1;
  }
  return sides;
}

/// A chain on an image, and its passes on a GPU.
struct ChainWork {
  Chain chain;
  int side = 0;
  EnhanceProblem problem;
  EnhancePasses passes;

  const EnhancePass* pass_that(bool (*suits)(const EnhanceProblem&, const EnhancePass&)) const {
    for (const EnhancePass& pass : passes.list)
      if (suits(problem, pass)) return &pass;
    return nullptr;
  }
  const EnhancePass* grey_pass() const {
    return pass_that(
        [](const EnhanceProblem&, const EnhancePass& pass) { return enhance_makes_grey(pass); });
  }
  /// With another pass than smooth, packed words only follow a curve.
  const EnhancePass* packed_pass() const {
    return pass_that([](const EnhanceProblem& p, const EnhancePass& pass) {
      return pass.smooth >= 0 && enhance_packs_words(p, pass);
    });
  }
};

std::vector<ChainWork> works_of(const TuneRequest& request) {
  if (request.backend == Backend::cuda && request.type != Type::u8)
    throw Error(ErrorKind::usage,
                fmt::format("tune: on a GPU enhance has knobs for u8 alone, not for {}; give type "
                            "u8",
                            name_of(request.type)));
  std::vector<ChainWork> works;
  for (const int side : sides_of(request))
    for (const Chain& chain : kChains) {
      if (!chain.floats && !is_integer(request.type)) continue;
      EnhanceOptions options{.steps = chain.steps};
      options.device = request.device;
      const ImageInfo info{{side, side, chain.channels}, request.type};
      ChainWork work{chain, side, make_enhance_problem(info, options, {}), {}};
      if (request.backend == Backend::cuda) work.passes = fused_passes(work.problem);
      works.push_back(std::move(work));
    }
  return works;
}

/// Sampled rows of the reference, made when they are first needed.
class EnhanceTruth {
 public:
  EnhanceTruth(std::shared_ptr<TrialRoom> room, const char* steps)
      : room_(std::move(room)), steps_(steps) {}

  std::string wrong(double bound) {
    if (truth_.info().size.empty()) make();
    const Image made = room_->sampled();
    return compare(truth_.view(), made.view(), bound).disagreement;
  }

 private:
  void make() {
    const Enhance reference(room_->host().info(),
                            {.steps = steps_, .backend = Backend::cpu, .method = "reference"});
    Stream stream;
    const EnhanceState state = reference.examine(room_->host().view(), stream);
    const std::vector<int> rows = room_->sampled_rows();
    ImageInfo info = reference.output();
    info.size.height = static_cast<int>(rows.size());
    Image made(info);
    for (std::size_t i = 0; i < rows.size(); ++i)
      reference(state, Piece{room_->host().view(), 0},
                MutablePiece{made.view().rows(static_cast<int>(i), 1), rows[i]}, stream);
    truth_ = as_double(made.view());
  }

  std::shared_ptr<TrialRoom> room_;
  const char* steps_;
  Image truth_;
};

struct Subject {
  const char* method;
  const char* site;
  std::vector<Knobs> candidates;
};

std::vector<Subject> subjects_of(const TuneRequest& request, const ChainWork& work) {
  std::vector<Subject> subjects;
  if (request.backend == Backend::cpu) {
    if (why_only_steps(work.problem).empty())
      subjects.push_back(
          {"fused", kEnhanceFusedCpuSite, cpu_candidates(work.problem, request.full)});
    subjects.push_back({"steps", kEnhanceStepsCpuSite, cpu_candidates(work.problem, request.full)});
    return subjects;
  }
  if (work.grey_pass())
    subjects.push_back({"fused", kEnhanceGreySite, grey_candidates(request.full)});
  if (const EnhancePass* pass = work.packed_pass())
    subjects.push_back({"fused", kEnhanceSmoothSite,
                        smooth_candidates(usual_packed_knobs(work.problem, *pass), request.full)});
  return subjects;
}

TuneTask task_of(const TuneRequest& request, const ChainWork& work, const Subject& subject,
                 const std::shared_ptr<TrialRoom>& room,
                 const std::shared_ptr<EnhanceTruth>& truth) {
  TuneTask task;
  task.label = fmt::format("{} {} {} of {}x{}", name_of(request.backend), subject.site,
                           work.chain.steps, work.side, work.side);
  task.machine = machine_of(request);
  task.site = subject.site;
  task.problem = problem_key(work.problem);
  task.candidates = subject.candidates;
  task.samples = static_cast<double>(work.problem.output.size.samples());
  // Floats are smoothed in f32 here and in double by the reference.
  const double bound = is_integer(request.type) ? 0 : 1e-5;
  task.prepare = [=, method = std::string(subject.method), steps = work.chain.steps,
                  backend = request.backend, device = request.device] {
    const Enhance plan(room->in().info(),
                       {.steps = steps, .backend = backend, .method = method, .device = device});
    return trial_in(
        room, [room, plan](Stream& stream) { plan(room->in(), room->out(), stream); },
        [truth, bound] { return truth->wrong(bound); });
  };
  return task;
}

}  // namespace

std::vector<TunedSite> enhance_sites() {
  return {site_of(kEnhanceFusedCpuSite, cpu_knobs()), site_of(kEnhanceStepsCpuSite, cpu_knobs()),
          site_of(kEnhanceGreySite, grey_knobs()), site_of(kEnhanceSmoothSite, smooth_knobs())};
}

std::vector<TuneTask> enhance_tasks(const TuneRequest& request) {
  std::vector<TuneTask> tasks;
  for (const ChainWork& work : works_of(request)) {
    const auto room = std::make_shared<TrialRoom>(
        request, random_image_of(work.problem.image.size, request.type), work.problem.output);
    const auto truth = std::make_shared<EnhanceTruth>(room, work.chain.steps);
    for (const Subject& subject : subjects_of(request, work))
      tasks.push_back(task_of(request, work, subject, room, truth));
  }
  return tasks;
}

std::vector<KernelName> enhance_tuned_kernels(const TuneRequest& request) {
  std::vector<KernelName> names;
  for (const ChainWork& work : works_of(request)) {
    if (const EnhancePass* pass = work.grey_pass())
      for (const Knobs& knobs : grey_candidates(request.full)) {
        KernelName name = enhance_grey_kernel(work.problem, *pass, with_table(GreyKnobs{}, knobs));
        if (!name.body.empty()) names.push_back(std::move(name));
      }
    if (const EnhancePass* pass = work.packed_pass()) {
      const PackedSmoothKnobs usual = usual_packed_knobs(work.problem, *pass);
      const std::vector<Knobs> candidates = smooth_candidates(usual, request.full);
      // The first one has the usual knobs, which were compiled ahead of time.
      for (std::size_t k = 1; k < candidates.size(); ++k)
        names.push_back(
            enhance_packed_kernel(work.problem, *pass, with_table(usual, candidates[k]), true));
    }
  }
  return names;
}

TablePictures enhance_pictures(const std::vector<TuningLine>& lines, Backend, Type type) {
  return knob_pictures(lines, "enhance", type, "pixels", "channels");
}

}  // namespace tessera
