// SPDX-License-Identifier: Apache-2.0
// The product's steps and its chain of all four as rungs, through the public door. A method that
// refuses is absent, with its reason (prepare_rung in study_loops.hpp).
#include <algorithm>
#include <tuple>

#include "ops/enhance/study/enhance_rungs.hpp"
#include "study/code_lines.hpp"
#include "tessera/enhance.hpp"

namespace tessera {
namespace {

constexpr const char* kChain = "grey,contrast,smooth";  // contrast counts itself

/// One of the product's rungs: a step or the chain, a method, and its place.
struct Way {
  int group = 0;  ///< of kEnhanceGroups
  Backend backend = Backend::cpu;
  std::string method = "auto";
  int threads = 0;  ///< of the CPU; 0: all
  bool pinned = false;

  bool is_chain() const { return group == kEnhanceSteps; }
  EnhanceResult reads() const { return is_chain() ? EnhanceResult::grey : makes(); }
  EnhanceResult makes() const {
    return is_chain() ? EnhanceResult::smooth : static_cast<EnhanceResult>(group);
  }
  EnhancePlace place() const {
    return backend == Backend::cpu || pinned ? EnhancePlace::host : EnhancePlace::packed;
  }
};

/// The number of threads belongs to the stream: the study's, or the rung's own.
std::function<void(Stream&)> on_stream(const Way& way, std::function<void(Stream&)> run) {
  if (way.backend == Backend::cuda || way.threads == 0) return run;
  return [stream = std::make_shared<Stream>(kHost, way.threads), run](Stream&) { run(*stream); };
}

/// Counting alone: only the counts are written, to the host.
PreparedRung prepare_count(const EnhanceCase& c, const Way& way, const Enhance& plan, AnyView in) {
  PreparedRung rung;
  rung.run = on_stream(way, [plan, in, &c](Stream& on) {
    const std::vector<EnhanceFinding> found = plan.examine(in, on).findings();
    std::transform(found.at(0).counts.begin(), found.at(0).counts.end(),
                   c.counts(EnhancePlace::host),
                   [](std::uint64_t count) { return static_cast<unsigned>(count); });
  });
  rung.truth = truth_of(EnhanceResult::histogram, EnhancePlace::host);
  return rung;
}

PreparedRung prepare_ours(const EnhanceCase& c, const Way& way, Stream& stream) {
  const AnyView in = way.pinned ? c.pinned_scan() : c.before(way.reads(), way.place());
  const Enhance plan(in.info(), {.steps = way.is_chain() ? kChain : kEnhanceGroups[way.group],
                                 .backend = way.backend,
                                 .method = way.method,
                                 .device = std::max(0, stream.device())});
  PreparedRung rung;
  if (way.makes() == EnhanceResult::histogram) {
    rung = prepare_count(c, way, plan, in);
  } else {
    rung.run =
        on_stream(way, [plan, in, out = c.out(way.place())](Stream& on) { plan(in, out, on); });
    rung.truth = truth_of(way.makes(), way.place());
  }
  rung.bytes = static_cast<double>(kBytesAPixel[way.group] * c.pixels());
  return rung;
}

/// Kernels and their launches.
bool is_of_cuda(const std::string& file) {
  const auto has = [&](const char* part) { return file.find(part) != std::string::npos; };
  return file.ends_with(".cu") || file.ends_with(".cuh") || has("_cuda.") || has("_pass.") ||
         has("_passes.") || has("_packed_smooth.");
}

/// All files of the operation on that side except adaptive equalisation: they serve every step.
std::vector<std::string> files_of(Backend backend) {
  return study_files([&](const std::string& name) {
    return name.starts_with("ops/enhance/") && !name.starts_with("ops/enhance/study/") &&
           name.find("clahe") == std::string::npos && name.find("_ref.") == std::string::npos &&
           is_of_cuda(name) == (backend == Backend::cuda);
  });
}

EnhanceRung our_rung(const std::string& id, const std::string& title, const Way& way) {
  return {id, title, files_of(way.backend),
          [way](const EnhanceCase& c, Stream& s) { return prepare_ours(c, way, s); },
          way.backend == Backend::cpu && way.threads == 0};
}

}  // namespace

std::vector<EnhanceRung> our_enhance_cuda_rungs() {
  std::vector<EnhanceRung> rungs;
  for (int step = 0; step < kEnhanceSteps; ++step)
    rungs.push_back(our_rung(std::string(kEnhanceGroups[step]) + ".ours.cuda",
                             "the product's step, GPU", {step, Backend::cuda}));
  for (const char* method : {"steps", "fused"})
    rungs.push_back(our_rung(std::string("chain.ours.cuda.") + method, "all four steps, GPU",
                             {kEnhanceSteps, Backend::cuda, method}));
  rungs.push_back(our_rung("chain.ours.cuda.pinned", "the same from and to the host, pinned",
                           {kEnhanceSteps, Backend::cuda, "auto", 0, true}));
  return rungs;
}

std::vector<EnhanceRung> our_enhance_cpu_rungs() {
  std::vector<EnhanceRung> rungs;
  const std::tuple<const char*, const char*, int> threads[] = {{"one", "one thread", 1},
                                                               {"all", "all threads", 0}};
  for (int step = 0; step < kEnhanceSteps; ++step)
    for (const auto& [word, title, count] : threads)
      rungs.push_back(our_rung(std::string(kEnhanceGroups[step]) + ".ours." + word,
                               std::string("the product's step, CPU, ") + title,
                               {step, Backend::cpu, "auto", count}));
  for (const char* method : {"steps", "fused"})
    for (const auto& [word, title, count] : threads)
      rungs.push_back(our_rung(std::string("chain.ours.") + word + "." + method,
                               std::string("all four steps, CPU, ") + title,
                               {kEnhanceSteps, Backend::cpu, method, count}));
  return rungs;
}

}  // namespace tessera
