// SPDX-License-Identifier: Apache-2.0
// Steps of the CPU methods' blocks around their sums: pixels in, border `inside`, samples out.
// Included once per SIMD target.
#if defined(TESSERA_CONVOLVE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CONVOLVE_ROWS_INL
#undef TESSERA_CONVOLVE_ROWS_INL
#else
#define TESSERA_CONVOLVE_ROWS_INL
#endif

#include "core/samples-inl.hpp"
#include "ops/convolve/cpu/convolve_block.hpp"
#include "ops/convolve/cpu/inside_rows.hpp"
#include "ops/convolve/parts/row_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Copies the block's pixels of input row r, borders included.
template <class In, class T>
void load_row(const ConvolveBlock& b, int r, T* to) {
  const ConvolveProblem& p = *b.problem;
  const T outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  load_padded(reinterpret_cast<const In*>(b.in_rows[r]), b.in_pixel, p.image.size.width,
              p.image.size.channels, p.border, outside, b.first_column - p.anchor.x,
              b.columns + p.filter_width - 1, to);
}

/// Where the kRows input rows from `end` on lie, if their pixels are contiguous in the image: they
/// are prefetched while the group is summed. Images that a second-level cache holds need none.
template <class In, class T>
void look_ahead(const ConvolveBlock& b, int end, RowGroup<T>& g) {
  const ConvolveProblem& p = *b.problem;
  const int channels = p.image.size.channels;
  if (p.bytes() < 1 << 20) return;
  if (b.in_pixel != channels || end + kRows > b.rows + p.filter_height - 1) return;
  for (int k = 0; k < kRows; ++k) {
    const unsigned char* row = b.in_rows[end + k];
    if (!row) return;
    g.ahead[k] = row + sizeof(In) * channels * HWY_MAX(0, b.first_column - p.anchor.x);
  }
  g.ahead_step = sizeof(In);
}

/// Output row `row` of the block, from its first column on.
template <class Out>
Out* output_row(const ConvolveBlock& b, int row) {
  return reinterpret_cast<Out*>(b.out) + row * b.out_row + b.first_column * b.out_pixel;
}

/// Whether sums can be written directly to the output.
template <class T, class Out>
bool is_straight(const ConvolveBlock& b) {
  return std::is_same_v<T, Out> && b.out_pixel == b.problem->image.size.channels && !b.prefix;
}

/// Writes the sums of `count` rows to the output.
template <class Out, class T>
void store_sums(const ConvolveBlock& b, int first, int count) {
  for (int r = 0; r < count; ++r) {
    T* sums = static_cast<T*>(b.sums) + r * b.sums_step;
    if (b.prefix)
      apply_inside(*b.problem, b.prefix, b.out_first_row + first + r, b.first_column, b.columns,
                   b.problem->image.size.channels, sums);
    store_samples(sums, b.columns, b.problem->image.size.channels, output_row<Out>(b, first + r),
                  b.out_pixel);
  }
}

/// Calls run<In, Out>(b) with the problem's types.
#define TESSERA_BLOCK_OF_TYPES(run, T)                                      \
  template <class In>                                                       \
  void run##_from_##T(const ConvolveBlock& b) {                             \
    if (b.problem->output.type == Type::f32) return run<In, T, float>(b);   \
    if (b.problem->output.type == Type::f64) return run<In, T, double>(b);  \
    if constexpr (std::is_integral_v<In>)                                   \
      if (b.problem->output.type == Type::i16) return run<In, T, short>(b); \
    return run<In, T, In>(b);                                               \
  }                                                                         \
  void run##_##T(const ConvolveBlock& b) {                                  \
    switch (b.problem->image.type) {                                        \
      case Type::u8:                                                        \
        return run##_from_##T<unsigned char>(b);                            \
      case Type::u16:                                                       \
        return run##_from_##T<unsigned short>(b);                           \
      case Type::f32:                                                       \
        return run##_from_##T<float>(b);                                    \
      default:                                                              \
        return run##_from_##T<double>(b);                                   \
    }                                                                       \
  }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
