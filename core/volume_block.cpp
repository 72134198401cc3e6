// SPDX-License-Identifier: Apache-2.0
// Planes pass in order through a ring that holds what the plans made of the last ones; as soon as
// all slices of a plane of the result are there, they are joined.
#include "core/volume_block.hpp"

#include <algorithm>
#include <type_traits>

#include "core/pools.hpp"
#include "core/samples.hpp"
#include "core/stop.hpp"

namespace tessera {
namespace {

/// The results of a plan have type T, those of the block type Out.
template <Join join, class T, class Out>
class Block {
 public:
  explicit Block(const VolumeBlock& given)
      : b_(given),
        parts_(given.parts),
        slices_(static_cast<int>(parts_.slices.size())),
        planes_(given.in.view.size.planes),
        samples_(1LL * given.out.view.size.width * given.out.view.size.channels),
        slot_(samples_ * given.rows.count()),
        ring_(host_scratch(sizeof(T) * static_cast<std::size_t>(slot_) * parts_.plans.size() *
                           static_cast<std::size_t>(slices_))),
        row_(host_scratch(sizeof(T) * static_cast<std::size_t>(samples_))) {}

  void run() {
    const int first = b_.first_plane - parts_.anchor;
    const int end = b_.end_plane - parts_.anchor + slices_ - 1;
    for (int plane = first; plane < end; ++plane) {
      filter(plane);
      const int done = plane + parts_.anchor - slices_ + 1;
      if (done >= b_.first_plane) join_slices(done);
    }
  }

 private:
  /// The plane of the image that stands for this one; kNoPixel: none.
  int source(int plane) const { return border_index(plane, planes_, parts_.border); }

  T* slot(int plane, int plan) const {
    const int place = ((plane % slices_) + slices_) % slices_;
    return ring_.as<T>() + (place * std::ssize(parts_.plans) + plan) * slot_;
  }

  void filter(int plane) {
    const int from = source(plane);
    if (from == kNoPixel) return;
    const Piece in{b_.in.view.only_plane(from), b_.in.first_row};
    ImageInfo info = parts_.plans.front().output();
    info.size.height = b_.rows.count();
    for (int k = 0; k < std::ssize(parts_.plans); ++k)
      parts_.plans[static_cast<std::size_t>(k)](
          in, MutablePiece{packed(slot(plane, k), info), b_.rows.first}, alone_);
  }

  void join_slices(int plane) {
    for (int y = 0; y < b_.rows.count(); ++y) {
      poll_stop();
      T* const row = row_.as<T>();
      std::fill_n(row, samples_, nothing_joined<join, T>());
      for (int k = 0; k < slices_; ++k)
        take(parts_.slices[static_cast<std::size_t>(k)], plane + k - parts_.anchor, y, row);
      store(row, y, plane);
    }
  }

  void take(const VolumeSlice& slice, int plane, int y, T* row) const {
    if (slice.plan == kNoPlan) return;
    if (source(plane) == kNoPixel) {
      if (parts_.border == Border::constant) take_value(slice, row);
      return;
    }
    const T* from = slot(plane, slice.plan) + y * samples_;
    const T factor = static_cast<T>(slice.factor);
    for (long long x = 0; x < samples_; ++x) row[x] = joined<join>(row[x], factor, from[x]);
  }

  void take_value(const VolumeSlice& slice, T* row) const {
    const T value = static_cast<T>(slice_outside(parts_, slice));
    for (long long x = 0; x < samples_; ++x) row[x] = joined<join>(row[x], T{1}, value);
  }

  void store(const T* row, int y, int plane) const {
    const AnyMutableView& view = b_.out.view;
    Out* to = reinterpret_cast<Out*>(view.address(0, b_.rows.first - b_.out.first_row + y, plane));
    const int channels = view.size.channels;
    if (view.pixel == channels) {
      for (long long x = 0; x < samples_; ++x) to[x] = converted(row[x]);
      return;
    }
    for (int x = 0; x < view.size.width; ++x, to += view.pixel)
      for (int c = 0; c < channels; ++c) to[c] = converted(*row++);
  }
  static Out converted(T value) {
    if constexpr (std::is_same_v<T, Out>) return value;
    return rounded<Out>(value);
  }

  const VolumeBlock& b_;
  const VolumeParts& parts_;
  int slices_, planes_;
  long long samples_, slot_;  ///< of a row and of a plane's rows
  Scratch ring_, row_;
  Stream alone_{kHost, 1};  ///< the threads have other blocks
};

template <class T>
void run_sum(const VolumeBlock& b) {
  switch (b.out.view.type) {
    case Type::u8:
      return Block<Join::sum, T, unsigned char>(b).run();
    case Type::u16:
      return Block<Join::sum, T, unsigned short>(b).run();
    case Type::i16:
      return Block<Join::sum, T, short>(b).run();
    case Type::f32:
      return Block<Join::sum, T, float>(b).run();
    default:
      return Block<Join::sum, T, double>(b).run();
  }
}

template <Join join>
void run_choice(const VolumeBlock& b) {
  switch (b.out.view.type) {
    case Type::u8:
      return Block<join, unsigned char, unsigned char>(b).run();
    case Type::u16:
      return Block<join, unsigned short, unsigned short>(b).run();
    case Type::f32:
      return Block<join, float, float>(b).run();
    default:
      return Block<join, double, double>(b).run();
  }
}

}  // namespace

double slice_outside(const VolumeParts& parts, const VolumeSlice& slice) {
  const double value = parts.join == Join::sum ? slice.factor * slice.outside : slice.outside;
  switch (parts.plans.front().output().type) {
    case Type::u8:
      return rounded<unsigned char>(value);
    case Type::u16:
      return rounded<unsigned short>(value);
    case Type::f32:
      return rounded<float>(value);
    default:
      return value;
  }
}

void run_volume_block(const VolumeBlock& block) {
  if (block.parts.join == Join::minimum) return run_choice<Join::minimum>(block);
  if (block.parts.join == Join::maximum) return run_choice<Join::maximum>(block);
  if (block.parts.plans.front().output().type == Type::f64) return run_sum<double>(block);
  run_sum<float>(block);
}

}  // namespace tessera
