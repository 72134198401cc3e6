// SPDX-License-Identifier: Apache-2.0
/// The CUDA methods of enhance: passes over images on the device, images from the host, and images
/// that are processed in pieces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ops/enhance/clahe/cuda/enhance_clahe_cuda.hpp"
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "ops/enhance/cuda/enhance_tables_cuda.hpp"

namespace tessera {

class EnhanceCuda : public EnhanceRunner {
 public:
  EnhanceCuda(const EnhanceProblem& problem, EnhancePasses passes);

  std::string describe() const override;
  void run(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
           Stream& stream) const override;
  void look(const EnhanceState::Impl& state, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const override;
  void make(const EnhanceState::Impl& state, const Piece& in, const MutablePiece& out,
            Stream& stream) const override;

 private:
  struct Work;
  DeviceRows after(const Work& work, const Piece& in, Rows rows, std::size_t passes) const;
  void run_whole(AnyView in, AnyMutableView out, EnhanceState::Impl* found, Stream& stream) const;
  void run_on_device(AnyView in, AnyMutableView out, EnhanceState::Impl* found,
                     Stream& stream) const;
  void run_in_pieces(AnyView in, AnyMutableView out, EnhanceState::Impl& state, int rows,
                     Stream& stream) const;
  void look_at_all(EnhanceState::Impl& state, AnyView in, int rows, Stream& stream) const;
  void look_on_device(const EnhanceState::Impl& state, const Piece& in, Rows rows,
                      SweepCounts& counts, Stream& stream) const;
  long long bytes_a_row() const;
  int rows_at_once(const Stream& stream) const;
  bool has_clahe() const;

  EnhanceProblem problem_;
  EnhancePasses plan_;
  std::size_t last_writer_ = 0;
  std::vector<EnhancePassPointer> passes_;
  EnhanceCurveKernels curves_;
  std::vector<std::unique_ptr<const ClaheCuda>> clahe_;  ///< one per stage, null for other steps
};

}  // namespace tessera
