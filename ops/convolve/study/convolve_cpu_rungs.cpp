// SPDX-License-Identifier: Apache-2.0
// The rungs of the CPU, on the host half of a case.
#include <utility>

#include "ops/convolve/study/convolve_study.hpp"
#include "ops/convolve/study/plain_convolve.hpp"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

using PlainRun = std::function<void(const PlainConvolve&)>;

std::string plain_file(const char* name) { return std::string("ops/convolve/study/plain_") + name; }

PlainConvolve plain_arguments(const ConvolveCase& c, const float* in, long long in_row) {
  return {in,
          in_row,
          c.filter().as<float>().data,
          c.filter_size().width,
          c.filter_size().height,
          static_cast<float*>(c.host_out().data),
          c.width(),
          c.height()};
}

PreparedRung plain_rung(const ConvolveCase& c, const PlainConvolve& arguments, PlainRun run) {
  PreparedRung rung;
  rung.flops = 2.0 * c.filter_size().width * c.filter_size().height * c.pixels();
  rung.run = [run = std::move(run), arguments](Stream&) { run(arguments); };
  return rung;
}

ConvolveRung padded_image_rung(const std::string& id, const std::string& title, const char* file,
                               const PlainRun& run) {
  return {id, title, {plain_file(file)}, [run](const ConvolveCase& c, Stream&) {
            const HostPadded& in = c.padded_on_host();
            return plain_rung(c, plain_arguments(c, in.at(0), in.row()), run);
          }};
}

PreparedRung prepare_edges(const ConvolveCase& c, Stream&) {
  return plain_rung(
      c,
      plain_arguments(c, static_cast<const float*>(c.image_on_host().data), c.image_on_host().row),
      plain_edges);
}

void add_on_threads(std::vector<ConvolveRung>& rungs, const std::string& name, const char* title,
                    const char* file, void (*run)(const PlainConvolve&, int threads)) {
  for (const int threads : thread_counts()) {
    rungs.push_back(padded_image_rung(name + "." + std::to_string(threads), title, file,
                                      [run, threads](const PlainConvolve& c) { run(c, threads); }));
    rungs.back().threads = threads;
  }
}

ConvolveRung our_rung_on_cpu(const char* method) {
  return {
      std::string("cpu.") + method,
      std::string("ours: ") + method + ", all threads",
      {},
      [method](const ConvolveCase& c, Stream&) { return product_rung(c, Backend::cpu, method); },
      true};
}

std::vector<ConvolveRung> make_convolve_cpu_rungs() {
  std::vector<ConvolveRung> made{
      {"cpu.talk", "the talk's loop, edges tested", {plain_file("edges")}, prepare_edges}};
  add_on_threads(made, "cpu.loop", "figure 1a, that many threads", "loop", plain_loop);
  add_on_threads(made, "cpu.simd", "vectors, that many threads", "vectors", plain_vectors);
  for (const char* method : {"direct", "separable", "fft"}) made.push_back(our_rung_on_cpu(method));
  return made;
}

}  // namespace

const std::vector<ConvolveRung>& convolve_cpu_rungs() {
  return rungs_by_threads(make_convolve_cpu_rungs);
}

bool is_of_one_core(const std::string& rung) {
  return rung == "cpu.talk" || rung == "cpu.loop.1" || rung == "cpu.simd.1";
}

}  // namespace tessera
