// SPDX-License-Identifier: Apache-2.0
// Filters with planes on a GPU: the plans of their slices filter each plane of the image once, into
// a ring in device memory, in bands of rows; a kernel joins them.
#include <fmt/format.h>

#include <algorithm>

#include "core/cuda/volume_join_args.cuh"
#include "core/piece_launch.hpp"
#include "core/samples.hpp"
#include "core/volume_block.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr const char* kJoinNames[] = {"sum", "minimum", "maximum"};

const GpuKernel& join_kernel(int device, Join join, Type in, Type out) {
  const std::string name = kJoinNames[static_cast<int>(join)];
  const std::string body = fmt::format(
      "volume_join_rows<Join::{}, {}, {}, VolumeJoinKnobs{{{}, {}}}>", name, kernel_type(in),
      kernel_type(out), kVolumeJoinKnobs.threads, kVolumeJoinKnobs.rows);
  return find_kernel(
      device, {"volume_join", fmt::format("volume_{}_{}_{}", name, name_of(in), name_of(out)),
               force_run_time_kernels() ? body : "", "VolumeJoinArgs",
               std::to_string(kVolumeJoinKnobs.threads)});
}

/// Some rows of all planes of the result.
class Band {
 public:
  Band(const VolumeBlock& band, Stream& stream)
      : b_(band),
        parts_(band.parts),
        slices_(static_cast<int>(parts_.slices.size())),
        planes_(band.in.view.size.planes),
        slot_info_(slot_info(band, stream)),
        slot_bytes_((bytes_of(slot_info_) + 255) / 256 * 256),
        memory_(stream.scratch(
            static_cast<std::size_t>(slot_bytes_ * (std::ssize(parts_.plans) * slices_ +
                                                    (slices_ > kSlicesPerLaunch ? 1 : 0))))),
        stream_(stream),
        kernel_(join_kernel(stream.device(), parts_.join, slot_info_.type, band.out.view.type)) {}

  void run() {
    const int first = b_.first_plane - parts_.anchor;
    const int end = b_.end_plane - parts_.anchor + slices_ - 1;
    for (int plane = first; plane < end; ++plane) {
      filter(plane);
      const int done = plane + parts_.anchor - slices_ + 1;
      if (done >= b_.first_plane) join(done);
    }
  }

 private:
  static ImageInfo slot_info(const VolumeBlock& band, const Stream& stream) {
    ImageInfo info = band.parts.plans.front().output();
    info.size.height = band.rows.count();
    info.device = stream.device();
    return info;
  }

  int source(int plane) const { return border_index(plane, planes_, parts_.border); }

  unsigned char* slot(int plane, int plan) const {
    const int place = ((plane % slices_) + slices_) % slices_;
    return memory_.as<unsigned char>() + (place * std::ssize(parts_.plans) + plan) * slot_bytes_;
  }

  void filter(int plane) {
    const int from = source(plane);
    if (from == kNoPixel) return;
    const Piece in{b_.in.view.only_plane(from), b_.in.first_row};
    for (int k = 0; k < std::ssize(parts_.plans); ++k)
      parts_.plans[static_cast<std::size_t>(k)](
          in, MutablePiece{packed(slot(plane, k), slot_info_), b_.rows.first}, stream_);
  }

  /// The slices that count for a plane of the result.
  std::vector<JoinedSlice> slices_of(int plane) const {
    std::vector<JoinedSlice> found;
    for (int k = 0; k < slices_; ++k) {
      const VolumeSlice& slice = parts_.slices[static_cast<std::size_t>(k)];
      const int from = plane + k - parts_.anchor;
      if (slice.plan == kNoPlan) continue;
      if (source(from) != kNoPixel)
        found.push_back({slot(from, slice.plan), slice.factor, 0});
      else if (parts_.border == Border::constant)
        found.push_back({nullptr, 1, slice_outside(parts_, slice)});
    }
    return found;
  }

  void join(int plane) {
    const std::vector<JoinedSlice> slices = slices_of(plane);
    const Size size = slot_info_.size;
    const AnyMutableView out =
        b_.out.view.only_plane(plane).rows(b_.rows.first - b_.out.first_row, b_.rows.count());
    VolumeJoinArgs args{};
    args.so_far = memory_.as<unsigned char>() + std::ssize(parts_.plans) * slices_ * slot_bytes_;
    args.out = out.data;
    args.out_pixel = out.pixel;
    args.out_row = out.row;
    args.columns = size.width;
    args.channels = size.channels;
    args.rows = size.height;
    std::size_t next = 0;
    do {
      const std::size_t count = std::min<std::size_t>(kSlicesPerLaunch, slices.size() - next);
      std::copy_n(slices.begin() + static_cast<std::ptrdiff_t>(next), count, args.slices);
      args.count = static_cast<int>(count);
      args.begins = next == 0;
      next += count;
      args.ends = next == slices.size();
      kernel_.launch(stream_,
                     {blocks_for(1LL * size.width * size.channels, kVolumeJoinKnobs.threads),
                      blocks_for(size.height, kVolumeJoinKnobs.rows)},
                     {static_cast<unsigned>(kVolumeJoinKnobs.threads)}, 0, args);
    } while (next < slices.size());
  }

  const VolumeBlock& b_;
  const VolumeParts& parts_;
  int slices_, planes_;
  ImageInfo slot_info_;
  long long slot_bytes_;
  Scratch memory_;
  Stream& stream_;
  const GpuKernel& kernel_;
};

}  // namespace

void run_volume_on_device(const VolumeBlock& block, Stream& stream) { Band(block, stream).run(); }

}  // namespace tessera
