// SPDX-License-Identifier: Apache-2.0
// Candidates of the search on a GPU.
#include <optional>

#include "core/parallel.hpp"
#include "ops/convolve/study/ladder_launch.hpp"
#include "ops/convolve/study/ladder_search.hpp"
#include "study/study_loops.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

class CudaTimer : public CandidateTimer {
 public:
  CudaTimer(const Image& image, Stream& stream) : image_(image), stream_(stream) {}

  void prepare(const SearchTask& task, const std::vector<LadderCandidate>& candidates) override {
    if (!problem_ || !(problem_->filter_size() == task.filter))
      problem_.emplace(image_, task.filter, LadderSettings{}, &stream_);
    const std::vector<KernelName> kernels = kernels_to_compile(task, candidates);
    parallel_for(static_cast<int>(kernels.size()), available_threads(), [&](int k) {
      try {
        find_kernel(stream_.device(), kernels[static_cast<std::size_t>(k)]);
      } catch (const Error&) {  // time() meets it again, and keeps the reason
      }
    });
  }

  LadderRecord time(const SearchTask& task, const LadderCandidate& candidate) override {
    LadderRecord record{task.rung->id, task.filter, candidate, {}, {}, "verified"};
    const PreparedRung rung = prepared(task, candidate, record);
    if (!rung.run) return record;
    problem_->poison(rung, stream_);
    rung.run(stream_);
    stream_.wait();
    if (const std::string wrong = problem_->disagreement(rung, stream_); !wrong.empty()) {
      record.outcome = "wrong: " + wrong;  // a fast wrong answer is not a result
      return record;
    }
    const MedianTime time = time_rung(rung, stream_);
    record.ms = 1e3 * time.seconds;
    record.spread = time.spread;
    return record;
  }

 private:
  // A kernel that does not compile is one candidate less; a device that fails ends the search.
  PreparedRung prepared(const SearchTask& task, const LadderCandidate& candidate,
                        LadderRecord& record) {
    try {
      PreparedRung rung = prepare_candidate(*problem_, *task.rung, candidate, stream_);
      if (!rung.absent.empty()) record.outcome = "infeasible: " + rung.absent;
      return rung;
    } catch (const Error& error) {
      record.outcome = std::string("failed: ") + error.what();
      return {};
    }
  }

  const Image& image_;
  Stream& stream_;
  std::optional<ConvolveCase> problem_;
};

}  // namespace

std::unique_ptr<CandidateTimer> make_cuda_timer(const Image& image, Stream& stream) {
  if (!compiles_for(stream.device(), "r08_unrolled"))
    throw Error(ErrorKind::resources,
                "convolve: the search compiles its kernels at run time, and there is no compiler "
                "(NVRTC) that knows this device");
  return std::make_unique<CudaTimer>(image, stream);
}

}  // namespace tessera
