// SPDX-License-Identifier: Apache-2.0
/// Shared by the CUDA methods of correlate: images in host memory, batches larger than the device's
/// memory, divisors, images with samples that are not finite.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "core/resident.hpp"
#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cuda/correlate_args.cuh"

namespace tessera {

/// Several tables in one allocation of device memory, or of scratch: where each begins.
class TableLayout {
 public:
  std::size_t add(std::size_t bytes) {
    const std::size_t at = bytes_;
    bytes_ += (bytes + 255) / 256 * 256;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

class DeviceTables {
 public:
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    const std::size_t at = layout_.add(values.size() * sizeof(T));
    bytes_.resize(layout_.bytes());
    std::memcpy(bytes_.data() + at, values.data(), values.size() * sizeof(T));
    return at;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  TableLayout layout_;
  std::vector<std::byte> bytes_;
};

template <class T>
T* table_at(const Scratch& memory, std::size_t at) {
  return reinterpret_cast<T*>(memory.as<std::byte>() + at);
}
template <class T>
const T* table_at(const Resident& memory, std::size_t at) {
  return reinterpret_cast<const T*>(memory.as<std::byte>() + at);
}

class CorrelateCuda : public CorrelateRunner {
 public:
  explicit CorrelateCuda(const CorrelateProblem& problem);
  void run(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const override;

 protected:
  /// Device memory that an image of a batch takes while it is processed.
  virtual long long scratch_bytes(bool same_image) const = 0;
  /// Enqueues the work on args.images images in device memory; the method sets args.slots and
  /// not_finite before it calls sum_exactly.
  virtual void launch(CorrelateArgs args, Stream& stream) const = 0;

  const CorrelateProblem& problem() const { return problem_; }
  bool may_be_infinite() const { return !is_integer(problem_.image.type); }
  /// Recomputes the maps of images that have samples that are not finite.
  void sum_exactly(const CorrelateArgs& args, Stream& stream) const;

 private:
  struct Part;
  int images_at_once(const AnyView& image, bool same_image, const Stream& stream) const;
  void run_part(const Part& part, Stream& stream) const;
  CorrelateArgs arguments(const Part& part) const;
  Scratch make_divisors(CorrelateArgs& args, Stream& stream) const;

  CorrelateProblem problem_;
  DeviceTables tables_;
  std::size_t pairs_at_ = 0, map_begin_at_ = 0;
  Resident on_device_;
  const GpuKernel &exact_, &energy_, &divisors_;
};

}  // namespace tessera
