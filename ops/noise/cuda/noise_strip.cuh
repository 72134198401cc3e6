// SPDX-License-Identifier: Apache-2.0
// Shared by the sliding kernels: strips of 32 rows, one lane per row and one warp per quantile.
//
// A column of 32 rows' boxes has box height + 31 pixels. Lanes read them 32 at a time (a chunk) and
// test all of them with a ballot; each lane counts the results that are in its own box.
#pragma once

#include "ops/noise/cuda/noise_pixels.cuh"
#include "ops/noise/cuda/noise_slide_args.cuh"

namespace tessera {

/// Results, masks of the chunks, queues, counters of mode binned.
extern __shared__ double noise_slide_memory[];

/// A block's outputs, and where its boxes' ranks or codes are stored: [column][row], `stride` rows
/// each.
struct NoiseStripPlace {
  int x, y, width;  ///< first output, and number of columns
  int column, row;  ///< of the first box in the tile's region
  int rows;         ///< pixels from there downwards
  int stride;
};

/// Part number `strip` of a tile whose outputs begin at x, y and have this many columns and rows.
__device__ inline NoiseStripPlace noise_strip_place(int strip, int x, int y, int tile_width,
                                                    int columns, int rows, int box_width,
                                                    int box_height, int stride) {
  const int width = noise_strip_width(tile_width, box_width), across = tile_width / width;
  const int column = strip % across * width, row = strip / across * 32;
  return {x + column, y + row, min(width, columns - column),
          column,     row,     rows - row + box_height - 1,
          stride};
}

/// Four words that are read at once.
struct alignas(16) NoiseFour {
  unsigned at[4];
};

template <class Code>
class NoiseStrip {
 public:
  static constexpr unsigned kNone = static_cast<Code>(~0U);
  static constexpr int kAhead = kNoiseQueue / 64;  ///< loads of a lane in flight at once

  __device__ NoiseStrip(const PieceArgs& a, const NoiseSlideRule& r, int width, int height,
                        const NoiseStripPlace& at, const Code* codes)
      : image(a),
        rule(r),
        place(at),
        box_width(width),
        box_height(height),
        lane(static_cast<int>(threadIdx.x) % 32),
        order(static_cast<int>(threadIdx.x) / 32),
        makes(a.made.contains(at.y + lane)),
        chunks_(noise_column_chunks(height)),
        codes_(codes + static_cast<long long>(at.column) * at.stride + at.row),
        masks_(reinterpret_cast<unsigned*>(noise_slide_memory +
                                           r.orders * kNoiseStripStep * kNoiseStripColumn)),
        queue_(masks_ + 32 * chunks_ + order * kNoiseQueue) {
    for (int chunk = order; chunk < chunks_; chunk += r.orders)
      masks_[chunk * 32 + lane] =
          first_bits(lane + height - 32 * chunk) & ~first_bits(lane - 32 * chunk);
    __syncthreads();
  }

  /// When boxes move on from column j: calls count(leaving pixel, entering pixel, mask of the
  /// lane's box) for each chunk, and hit(pixel - low, by) for those pixels of the lane's box that
  /// lie in [low, low + span): by is 1 for those that enter, -1 for those that leave.
  template <class Count, class Hit>
  __device__ void each_change(int j, unsigned low, unsigned span, const Count& count,
                              const Hit& hit) const {
    const Code* leaving = codes_ + static_cast<long long>(j) * place.stride;
    const Code* coming = leaving + static_cast<long long>(box_width) * place.stride;
    for (int chunk = 0; chunk < chunks_; chunk += kAhead) {
      unsigned left[kAhead], come[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        const int row = 32 * (chunk + k) + lane;
        left[k] = row < place.rows ? leaving[row] : kNone;
        come[k] = row < place.rows ? coming[row] : kNone;
      }
      int queued = 0;
#pragma unroll
      for (int k = 0; k < kAhead; ++k)
        if (chunk + k < chunks_) {
          count(left[k], come[k], masks_[(chunk + k) * 32 + lane]);
          queued = push(queued, left[k] - low, span, k, 1);
          queued = push(queued, come[k] - low, span, k, 0);
        }
      flush(queued, 32 * chunk, hit);
    }
  }

  /// Calls use(pixel, mask of the lane's box, row of the chunk, whether it is the last before the
  /// queue must be flushed) for all pixels of the boxes at column j.
  template <class Use>
  __device__ void each_pixel(int j, const Use& use) const {
    for (int chunk = 0; chunk < chunks_; ++chunk) {
      const int row = 32 * chunk + lane;
      const unsigned mask = masks_[row];
      const Code* from = codes_ + static_cast<long long>(j) * place.stride + row;
      for (int column = 0; column < box_width; column += kAhead) {
        unsigned pixels[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
          pixels[k] = row < place.rows && column + k < box_width ? *from : kNone;
          from += place.stride;
        }
#pragma unroll
        for (int k = 0; k < kAhead; ++k)
          if (column + k < box_width)
            use(pixels[k], mask, 32 * chunk, k == kAhead - 1 || column + k == box_width - 1);
      }
    }
  }

  /// Calls count(pixel, mask of the lane's box) for all pixels of the boxes at column j, and
  /// hit(pixel - low, 1) for those of the lane's box that lie in [low, low + span).
  template <class Count, class Hit>
  __device__ void each_hit(int j, unsigned low, unsigned span, const Count& count,
                           const Hit& hit) const {
    int queued = 0;
    each_pixel(j, [&](unsigned pixel, unsigned mask, int row, bool last) {
      count(pixel, mask);
      queued = push(queued, pixel - low, span, 0, 0);
      if (!last) return;
      flush(queued, row, hit);
      queued = 0;
    });
  }

  /// Whether this many valid pixels are enough for the lane's box at column j.
  __device__ bool enough(int j, int valid) const {
    if (rule.all_count) return valid > 0;
    return valid >=
           least_valid(noise_box_pixels(image, place.x + j - image.anchor_x,
                                        place.y + lane - image.anchor_y, box_width, box_height));
  }
  __device__ bool blank_pixel(int j) const {
    return codes_[static_cast<long long>(j + image.anchor_x) * place.stride + lane +
                  image.anchor_y] == kNone;
  }

  __device__ double wanted_order() const { return rule.order[order]; }
  __device__ QuantilePlace place_of(int valid) const { return rule.place(order, valid); }

  /// Keeps the lane's quantile of column j; `store`(column, row, quantiles) is called for the
  /// outputs that are ready. All threads of the block must call this.
  template <class Store>
  __device__ void put(int j, double quantile, const Store& store) const {
    const int step = j % kNoiseStripStep;
    result(order, step, lane) = quantile;
    if (step != kNoiseStripStep - 1 && j != place.width - 1) return;
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.x); k < 32 * kNoiseStripStep; k += 32 * rule.orders) {
      const int column = k % kNoiseStripStep, row = k / kNoiseStripStep;
      if (column <= step && image.made.contains(place.y + row))
        store(place.x + j - step + column, place.y + row - image.made.first,
              &result(0, column, row));
    }
    __syncthreads();
  }

  /// The planes of an output.
  template <class Out>
  __device__ void store(int x, int row, const double* quantiles) const {
    Out* out = static_cast<Out*>(image.out) + row * image.out_row + x * image.out_pixel;
    for (int k = 0; k < rule.planes; ++k)
      out[k * image.out_plane] = noise_rounded<Out>(noise_plane_of(rule.plane[k], [&](int which) {
        return quantiles[which * kNoiseStripStep * kNoiseStripColumn];
      }));
  }

  const PieceArgs& image;
  const NoiseSlideRule& rule;
  NoiseStripPlace place;
  int box_width, box_height, lane, order;
  bool makes;  ///< the lane's row is to be made

 private:
  /// Lanes whose pixel is below `span` append it to the queue: pixel, row among kAhead chunks,
  /// whether it leaves.
  __device__ int push(int queued, unsigned pixel, unsigned span, int chunk, unsigned leaves) const {
    const unsigned hits = __ballot_sync(~0U, pixel < span);
    if (pixel < span)
      queue_[queued + __popc(hits & ((1U << lane) - 1))] =
          pixel << 8 | static_cast<unsigned>(32 * chunk + lane) << 1 | leaves;
    return queued + __popc(hits);
  }
  /// Calls hit(pixel, by) for those in the queue that are in the lane's box.
  template <class Hit>
  __device__ void flush(int queued, int first_row, const Hit& hit) const {
    __syncwarp();
    for (int k = 0; k < queued; k += 4) {
      const NoiseFour four = *reinterpret_cast<const NoiseFour*>(queue_ + k);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = first_row - lane + static_cast<int>(four.at[i] >> 1 & 127U);
        if (k + i < queued && static_cast<unsigned>(row) < static_cast<unsigned>(box_height))
          hit(four.at[i] >> 8, 1 - static_cast<int>(four.at[i] << 1 & 2U));
      }
    }
    __syncwarp();
  }
  __device__ static unsigned first_bits(int count) {
    return count >= 32 ? ~0U : count <= 0 ? 0U : (1U << count) - 1;
  }
  __device__ double& result(int of_order, int step, int row) const {
    return noise_slide_memory[(of_order * kNoiseStripStep + step) * kNoiseStripColumn + row];
  }

  int chunks_;
  const Code* codes_;
  unsigned* masks_;
  unsigned* queue_;  ///< of the warp
};

}  // namespace tessera
