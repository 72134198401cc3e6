// SPDX-License-Identifier: Apache-2.0
// Ten frames by the last of the published CUDA programs: detection in one, tracking in nine.
#include "ops/cells/study/cells_rungs.hpp"
#include "ops/cells/study/track_solvers.hpp"

namespace tessera {

CellsRung film_cuda_rung() {
  const CellsRung detection = detect_cuda_rungs().back();
  std::vector<std::string> files = cells_ladder_files({"track_args.", "mgvf_sample.", "t7_"});
  files.insert(files.end(), detection.files.begin(), detection.files.end());
  return {"film.cuda", "one pass, and a block per cell", files,
          [detection](const CellsCase& c, Stream& stream) {
            PreparedRung rung = detection.prepare(c, stream);
            const MgvfKernels kernels{
                &find_kernel(stream.device(), {"t7_persistent", "mgvf_persistent", "", ""})};
            rung.truth = truth_of(CellsStage::film, false);
            rung.run = [&c, detect = rung.run, kernels](Stream& on) {
              detect(on);
              WatchedDevice device(on, c.watched());
              track_film(
                  c,
                  [&](const TrackedFrame& frame, Tracked& made) {
                    track_persistent(frame, kernels, device, made);
                  },
                  c.tracked());
            };
            return rung;
          }};
}

}  // namespace tessera
