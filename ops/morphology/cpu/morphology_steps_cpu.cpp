// SPDX-License-Identifier: Apache-2.0
// Two passes on the CPU: a thread runs both over a few rows, so that the image between them never
// leaves the cache.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/stop.hpp"
#include "ops/morphology/morphology_steps.hpp"

namespace tessera {
namespace {

/// Samples side by side. They pass through a small array: the compiler makes no vectors of a loop
/// whose result may be one of its inputs.
template <DifferenceRule kRule, class T>
void subtract_samples(const T* a, const T* b, T* out, int count) {
  constexpr int kBlock = 64;
  T block[kBlock];
  int k = 0;
  for (; k + kBlock <= count; k += kBlock) {
    for (int i = 0; i < kBlock; ++i) block[i] = morphology_difference<kRule>(a[k + i], b[k + i]);
    std::memcpy(out + k, block, sizeof block);
  }
  for (; k < count; ++k) out[k] = morphology_difference<kRule>(a[k], b[k]);
}

/// out = a - b; `out` may be one of both.
template <DifferenceRule kRule, class T>
void subtract_rows(const View<const T>& a, const View<const T>& b, const View<T>& out) {
  const Size size = out.size;
  const bool adjacent = a.pixel == size.channels && b.pixel == a.pixel && out.pixel == a.pixel;
  const int columns = adjacent ? 1 : size.width;
  const int samples = adjacent ? size.width * size.channels : size.channels;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < columns; ++x)
      subtract_samples<kRule>(&a.at(x, y), &b.at(x, y), &out.at(x, y), samples);
}

template <DifferenceRule kRule>
void subtract_views(const AnyView& a, const AnyView& b, const AnyMutableView& out) {
  const auto run = [&]<class T>(T) {
    subtract_rows<kRule>(a.as<const T>(), b.as<const T>(), out.as<T>());
  };
  if (out.type == Type::u8) run(static_cast<unsigned char>(0));
  if (out.type == Type::u16) run(static_cast<unsigned short>(0));
  if (out.type == Type::f32) run(0.0F);
  if (out.type == Type::f64) run(0.0);
}

void subtract_views(const AnyView& a, const AnyView& b, const AnyMutableView& out,
                    DifferenceRule rule) {
  switch (rule) {
    case DifferenceRule::numbers:
      return subtract_views<DifferenceRule::numbers>(a, b, out);
    case DifferenceRule::shifted:
      return subtract_views<DifferenceRule::shifted>(a, b, out);
    case DifferenceRule::truth:
      return subtract_views<DifferenceRule::truth>(a, b, out);
    case DifferenceRule::i32:
      return subtract_views<DifferenceRule::i32>(a, b, out);
    case DifferenceRule::u32:
      return subtract_views<DifferenceRule::u32>(a, b, out);
  }
}

/// The image between the passes that a thread holds: about the second-level cache.
constexpr long long kMiddleBytes = 1 << 20;
/// Rows that a thread makes at once, in heights of the element: fewer would cost more for the rows
/// of the first pass that two threads make, one each (disk:12 of f32 by 2: 50 ms, by 6: 45 ms).
constexpr int kUsualHeights = 6, kFewestHeights = 2;
constexpr int kMostRows = 512;

class MorphologyStepsCpu : public RowsRunner {
 public:
  MorphologyStepsCpu(const MorphologySteps& steps, MorphologyRunnerPointer first,
                     MorphologyRunnerPointer second)
      : steps_(steps), first_(std::move(first)), second_(std::move(second)) {}

  std::string describe() const override {
    return fmt::format("{}, both passes over {} rows at once", second_->describe_part(),
                       std::min(usual_rows(), std::max(1, steps_.output.size.height)));
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    steps_.check_rows(in, out.rows());
    for_pieces(out.rows(), part_rows(stream.threads()), out.view.size.planes, stream,
               [&](int plane, Rows rows) {
                 const AnyMutableView part =
                     out.view.only_plane(plane).rows(rows.first - out.first_row, rows.count());
                 run_rows({in.view.only_plane(plane), in.first_row}, {part, rows.first}, stream);
               });
  }

 private:
  /// Samples between the beginnings of two rows of the middle: an odd number of cache lines, so
  /// that rows do not compete for the few cache ways of one address modulo 1 KB.
  long long middle_step() const {
    constexpr long long kLine = 64;
    const Size size = steps_.passes.front().output.size;
    return ((1LL * size.width * size.channels + kLine - 1) / kLine | 1) * kLine;
  }

  int usual_rows() const {
    const int high = steps_.passes.back().height;
    const long long fit = kMiddleBytes / (middle_step() * bytes_of(steps_.image.type)) - high + 1;
    const int least = std::min(kUsualHeights * high, std::max(kMostRows, kFewestHeights * high));
    return static_cast<int>(std::max<long long>({16, least, std::min<long long>(fit, kMostRows)}));
  }
  /// Fewer if the threads would not have four parts each.
  int part_rows(int threads) const {
    const int usual = usual_rows();
    if (threads == 1) return usual;
    const Size size = steps_.output.size;
    const auto share = static_cast<int>(1LL * size.height * size.planes / (4LL * threads));
    return std::min(usual, std::max({16, kFewestHeights * steps_.passes.back().height, share}));
  }

  /// Rows of one plane.
  void run_rows(const Piece& in, const MutablePiece& out, Stream& stream) const {
    const Rows rows = steps_.chained() ? steps_.middle_rows(out.rows()) : out.rows();
    ImageInfo info = steps_.passes.front().output;
    info.size.height = rows.count();
    info.size.planes = 1;
    const long long samples = middle_step() * rows.count();
    const Scratch memory = host_scratch(static_cast<std::size_t>(samples * bytes_of(info.type)));
    AnyMutableView middle = packed(memory.data(), info);
    middle.row = middle_step();
    first_->run_part(in, {middle, rows.first}, stream);
    poll_stop();
    second_->run_part(steps_.chained() ? Piece{middle, rows.first} : in, out, stream);
    if (steps_.difference == MorphologyDifference::none) return;
    const auto [a, b] = steps_.operands(in, middle, out);
    subtract_views(a, b, out.view, steps_.difference_rule());
  }

  MorphologySteps steps_;
  MorphologyRunnerPointer first_, second_;
};

}  // namespace

std::unique_ptr<const RowsRunner> make_morphology_steps_cpu(const MorphologySteps& steps,
                                                            MorphologyRunnerPointer first,
                                                            MorphologyRunnerPointer second) {
  return std::make_unique<MorphologyStepsCpu>(steps, std::move(first), std::move(second));
}

}  // namespace tessera
