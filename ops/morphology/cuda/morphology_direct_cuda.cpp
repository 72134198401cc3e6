// SPDX-License-Identifier: Apache-2.0
// The direct method on a GPU: the element's runs are passed with the launch, or through memory.
#include <algorithm>

#include "core/device.hpp"
#include "ops/morphology/cuda/morphology_chunks.hpp"
#include "ops/morphology/cuda/morphology_cuda.hpp"

namespace tessera {
namespace {

class MorphologyDirectCuda : public MorphologyCuda {
 public:
  explicit MorphologyDirectCuda(const MorphologyProblem& problem)
      : MorphologyCuda(problem, "morphology_direct"), element_(chunked_element(problem)) {}

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    MorphologyDirectArgs args{};
    args.chunk_count = static_cast<int>(element_.chunks.size());
    Scratch runs, chunks;
    if (element_.runs.size() <= kInlineRuns && element_.chunks.size() <= kInlineChunks) {
      std::copy(element_.runs.begin(), element_.runs.end(), args.inline_runs);
      std::copy(element_.chunks.begin(), element_.chunks.end(), args.inline_chunks);
    } else {
      runs = upload(element_.runs, stream);
      chunks = upload(element_.chunks, stream);
      args.runs = runs.as<const ChunkRun>();
      args.chunks = chunks.as<const ElementChunk>();
    }
    for_each_launch(arguments(in, out), in, out, tile_height(),
                    [&](const MorphologyArgs& image, int planes) {
                      args.image = image;
                      launch_grid(stream, args, planes);
                    });
  }

 private:
  template <class V>
  static Scratch upload(const std::vector<V>& values, Stream& stream) {
    const auto bytes = values.size() * sizeof(V);
    Scratch scratch = stream.scratch(bytes);
    const Size size{static_cast<int>(bytes)};
    device_stream(stream).copy(packed(reinterpret_cast<const unsigned char*>(values.data()), size),
                               packed(scratch.as<unsigned char>(), size, stream.device()));
    return scratch;
  }

  ChunkedElement element_;
};

}  // namespace

MorphologyRunnerPointer make_morphology_direct_cuda(const MorphologyProblem& problem) {
  return std::make_unique<MorphologyDirectCuda>(problem);
}

}  // namespace tessera
