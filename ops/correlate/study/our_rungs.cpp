// SPDX-License-Identifier: Apache-2.0
// The product's methods as rungs, through the public door. A method that refuses is absent, with
// its reason (prepare_rung in study_loops.hpp).
#include "ops/correlate/study/correlate_rungs.hpp"
#include "tessera/correlate.hpp"

namespace tessera {
namespace {

// Shares of C(0, 0), as the public header promises them.
double promised_error(const std::string& method) { return method == "fft" ? 5e-7 : 1e-6; }

PreparedRung prepare_ours(const CorrelateCase& c, Backend backend, const std::string& method,
                          AnyView in, AnyMutableView out) {
  const Correlate plan(in.info(), {.max_shift = c.shifts(),
                                   .backend = backend,
                                   .method = method,
                                   .device = in.device == kHost ? 0 : in.device});
  PreparedRung rung;
  rung.run = [plan, in, out](Stream& on) { plan(in, in, out, on); };
  rung.bound = promised_error(method) * c.energy();
  rung.flops = c.flops();  // of the direct sum, so that fft can be compared
  return rung;
}

/// The files of a method besides those of every method; transforms come from other rooms.
std::vector<std::string> files_of(const std::string& method, const std::string& backend) {
  const std::string here = "ops/correlate/correlate_";
  const bool fft = method == "fft";
  std::vector<std::string> files;
  if (backend == "cpu") {
    for (const char* ending : {".hpp", "_cpu.", "_simd."}) files.push_back(here + method + ending);
    for (const char* shared : {"correlate_maps.", "padded_planes."})
      files.push_back(std::string("ops/correlate/") + shared);
    files.push_back(fft ? "ops/correlate/fold_axis." : "ops/convolve/parts/row_tiles");
    if (fft) files.push_back("core/fft_");
  } else {
    for (const char* ending : {".cu", "_args.", "_cuda.", fft ? "_sizes." : "_tiles."})
      files.push_back(here + method + ending);
    for (const char* shared : {"cuda.", "args."}) files.push_back(here + shared);
    if (fft) files.push_back("core/cuda/line_fft");
  }
  return files;
}

ImageInfo map_info(const CorrelateCase& c, int device) {
  return {{c.shifts(), c.shifts()}, Type::f32, device};
}

}  // namespace

CorrelateRung our_cpu_rung(const std::string& method) {
  return {"ours.cpu." + method, "the product's " + method + ", all threads",
          files_of(method, "cpu"),
          [method](const CorrelateCase& c, Stream&) {
            return prepare_ours(c, Backend::cpu, method, c.separate().view(),
                                packed(c.host_map(), map_info(c, kHost)));
          },
          true};
}

CorrelateRung our_cuda_rung(const std::string& method) {
  return {"ours.cuda." + method, "the product's " + method, files_of(method, "cuda"),
          [method](const CorrelateCase& c, Stream& s) {
            const CorrelateCase::OnDevice& there = c.on_device();
            const ImageInfo image{c.separate().info().size, Type::f32, s.device()};
            return prepare_ours(c, Backend::cuda, method, packed(there.separate.data(), image),
                                packed(there.map.data(), map_info(c, s.device())));
          }};
}

}  // namespace tessera
