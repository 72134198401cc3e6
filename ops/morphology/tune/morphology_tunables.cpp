// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/tune/morphology_tunables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/compare.hpp"
#include "ops/morphology/cpu/morphology_cpu.hpp"
#include "ops/morphology/cuda/morphology_cuda.hpp"
#include "tessera/elements.hpp"
#include "tessera/error.hpp"
#include "tune/knob_values.hpp"
#include "tune/trial_room.hpp"

namespace tessera {
namespace {

// Sizes differ: tables know width and height alone, and the CPU has one site for all elements.
constexpr const char* kUsualElements = "box:3x3,box:7x7,box:15x15,box:31x31,disk:2,disk:5,disk:12";
/// Larger than the kernels of packed words take.
constexpr const char* kLargeElements = ",box:95x95,disk:40";
/// More than a block of any device may have.
constexpr int kMostSharedBytes = 227 << 10;

/// The images of convolve's tables.
Size tuned_image(Backend backend) {
  return backend == Backend::cuda ? Size{4096, 4096} : Size{2048, 1024};
}

const std::vector<KnobValues>& cuda_knobs() {
  static const std::vector<KnobValues> knobs{{"block_x", 64, {32, 64, 128}, {32, 64, 128}, 1, 1024},
                                             {"block_y", 4, {2, 4, 8}, {1, 2, 4, 8, 16}, 1, 1024},
                                             {"rows", 16, {8, 16}, {2, 4, 8, 16, 32}, 1, 64}};
  return knobs;
}

const std::vector<KnobValues>& cpu_knobs() {
  static const std::vector<KnobValues> knobs{
      {"piece_rows", 64, {32, 64, 128, 256}, {16, 32, 64, 128, 256, 512}, 1, 65536},
      {"block_kilobytes", 320, {160, 320, 640}, {80, 160, 320, 640, 1280}, 1, 65536}};
  return knobs;
}

/// An element, and the problem of eroding the tuned image by it.
struct ElementWork {
  std::string text;
  Image element;
  MorphologyProblem problem;
  bool box() const { return problem.is_box(); }
};

std::vector<ElementWork> works_of(const TuneRequest& request) {
  const ImageInfo info{tuned_image(request.backend), request.type};
  const bool on_cpu = request.backend == Backend::cpu;
  const std::string usual = std::string(kUsualElements) + (on_cpu ? "" : kLargeElements);
  const std::string list = request.sizes == "all" ? usual : request.sizes;
  std::vector<ElementWork> works;
  for (std::size_t first = 0; first <= list.size();) {
    const std::size_t end = std::min(list.find(',', first), list.size());
    ElementWork work{list.substr(first, end - first), {}, {}};
    try {
      work.element = element_from_text(work.text);
    } catch (const Error& error) {
      throw Error(
          ErrorKind::usage,
          fmt::format("tune: sizes: {}; all, or elements such as box:7x7,disk:5", error.what()));
    }
    MorphologyOptions options;
    options.device = request.device;
    work.problem = make_morphology_pass(
        MorphologyKind::erode, info, check_element("tune", work.element.view(), options), options);
    // Kernels of packed words are made for their element and have no knobs.
    if (on_cpu || !plan_packed(work.problem, kMostSharedBytes)) works.push_back(std::move(work));
    first = end + 1;
  }
  if (works.empty())
    throw Error(ErrorKind::usage,
                fmt::format("tune: sizes: on a GPU {} of {} takes kernels of packed words, which "
                            "have no knobs; give larger elements, such as box:95x95, or type f64",
                            list, name_of(request.type)));
  return works;
}

std::vector<Knobs> cuda_candidates(const MorphologyProblem& p, bool full) {
  const int bytes = static_cast<int>(bytes_of(p.image.type));
  const MorphologyKnobs own = usual_morphology_knobs(bytes);
  const KnobMap usual{{"block_x", own.block_x}, {"block_y", own.block_y}, {"rows", own.rows}};
  return knob_candidates(
      cuda_knobs(), full, usual,
      [&](const KnobMap& k) {
        return morphology_knobs_fit({k.at("block_x"), k.at("block_y"), k.at("rows")}, bytes);
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

std::vector<Knobs> cpu_candidates(const MorphologyProblem& p, bool full) {
  const MorphologyCpuKnobs own = usual_morphology_cpu_knobs(p, morphology_groups_rows(p));
  const KnobMap usual{{"piece_rows", own.piece_rows}, {"block_kilobytes", own.block_kilobytes}};
  return knob_candidates(
      cpu_knobs(), full, usual,
      [&](const KnobMap& k) {
        const int rows = k.at("piece_rows");
        return rows_for_threads(rows, own.piece_rows, p.output.size.height) == rows;
      },
      [&](const KnobMap& k) { return steps_from(usual, k); });
}

const char* method_of(const ElementWork& work) { return work.box() ? "separable" : "direct"; }

/// Sampled rows of the reference, made when they are first needed.
class MorphologyTruth {
 public:
  MorphologyTruth(std::shared_ptr<TrialRoom> room, Image element)
      : room_(std::move(room)), element_(std::move(element)) {}

  std::string wrong() {
    if (truth_.info().size.empty()) make();
    const Image made = room_->sampled();
    return compare(truth_.view(), made.view(), 0).disagreement;
  }

 private:
  void make() {
    const ImageInfo info = room_->host().info();
    const Morphology reference(MorphologyKind::erode, info, element_.view(),
                               {.backend = Backend::cpu, .method = "reference"});
    const std::vector<int> rows = room_->sampled_rows();
    Image made({info.size.width, static_cast<int>(rows.size())}, info.type);
    Stream stream;
    for (std::size_t i = 0; i < rows.size(); ++i)
      reference(Piece{room_->host().view(), 0},
                MutablePiece{made.view().rows(static_cast<int>(i), 1), rows[i]}, stream);
    truth_ = as_double(made.view());
  }

  std::shared_ptr<TrialRoom> room_;
  Image element_, truth_;
};

}  // namespace

std::vector<TunedSite> morphology_sites() {
  return {site_of(kMorphologyCpuSite, cpu_knobs()), site_of(kMorphologyDirectSite, cuda_knobs()),
          site_of(kMorphologySeparableSite, cuda_knobs())};
}

std::vector<TuneTask> morphology_tasks(const TuneRequest& request) {
  const bool on_cpu = request.backend == Backend::cpu;
  const std::vector<ElementWork> works = works_of(request);
  const ImageInfo info = works.front().problem.image;
  const auto room =
      std::make_shared<TrialRoom>(request, random_image_of(info.size, info.type), info);
  std::vector<TuneTask> tasks;
  for (const ElementWork& work : works) {
    TuneTask task;
    const std::string method = method_of(work);
    task.label = fmt::format("{} {} {}", name_of(request.backend), method, work.text);
    task.machine = machine_of(request);
    task.site = on_cpu       ? kMorphologyCpuSite
                : work.box() ? kMorphologySeparableSite
                             : kMorphologyDirectSite;
    task.problem = problem_key(work.problem);
    // Tables know the size of an element alone: one of the same size would overwrite its line.
    if (std::ranges::any_of(tasks, [&](const TuneTask& t) {
          return t.site == task.site && t.problem == task.problem;
        }))
      continue;
    task.candidates = on_cpu ? cpu_candidates(work.problem, request.full)
                             : cuda_candidates(work.problem, request.full);
    task.samples = static_cast<double>(info.size.samples());
    const auto truth = std::make_shared<MorphologyTruth>(room, work.element);
    task.prepare = [room, truth, method, element = work.element, backend = request.backend,
                    device = request.device] {
      const Morphology plan(MorphologyKind::erode, room->in().info(), element.view(),
                            {.backend = backend, .method = method, .device = device});
      return trial_in(
          room,
          [room, plan](Stream& stream) {
            plan(Piece{room->in(), 0}, MutablePiece{room->out(), 0}, stream);
          },
          [truth] { return truth->wrong(); });
    };
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::vector<KernelName> morphology_tuned_kernels(const TuneRequest& request) {
  std::vector<KernelName> names;
  for (const ElementWork& work : works_of(request)) {
    const std::vector<Knobs> candidates = cuda_candidates(work.problem, request.full);
    // The first one has the usual knobs, which were compiled ahead of time.
    for (std::size_t k = 1; k < candidates.size(); ++k)
      names.push_back(morphology_tile_kernel(
          work.problem, work.box() ? "morphology_separable" : "morphology_direct",
          with_table(work.problem, candidates[k])));
  }
  return names;
}

TablePictures morphology_pictures(const std::vector<TuningLine>& lines, Backend, Type type) {
  return knob_pictures(lines, "morphology", type, "fw", "fh");
}

}  // namespace tessera
