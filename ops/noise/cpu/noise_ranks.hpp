// SPDX-License-Identifier: Apache-2.0
/// A region's values sorted: the rank of each, and the value and column of every rank.
#pragma once

#include "ops/noise/cpu/noise_region.hpp"
#include "ops/noise/cpu/noise_slider.hpp"

namespace tessera {

/// Memory that grows when necessary.
class GrowingScratch {
 public:
  template <class T>
  T* of(std::size_t count) {
    if (memory_.bytes() < count * sizeof(T)) memory_ = host_scratch(count * sizeof(T));
    return memory_.as<T>();
  }

 private:
  Scratch memory_;
};

/// A key and the pixel it belongs to: row << 16 | column.
template <class Key>
struct NoiseItem;
template <>
struct NoiseItem<unsigned> {
  std::uint64_t both;
  static NoiseItem of(unsigned key, std::uint32_t pixel) {
    return {std::uint64_t{key} << 32 | pixel};
  }
  unsigned key() const { return static_cast<unsigned>(both >> 32); }
  std::uint32_t pixel() const { return static_cast<std::uint32_t>(both); }
};
template <>
struct NoiseItem<unsigned long long> {
  unsigned long long own_key;
  std::uint32_t own_pixel;
  static NoiseItem of(unsigned long long key, std::uint32_t pixel) { return {key, pixel}; }
  unsigned long long key() const { return own_key; }
  std::uint32_t pixel() const { return own_pixel; }
};

/// Sorts `count` items by key, equal ones in their original order, in either of two buffers;
/// returns which. `differing` has the bits in which keys differ.
template <class Key>
NoiseItem<Key>* sort_noise_items(NoiseItem<Key>* items, NoiseItem<Key>* other, std::size_t count,
                                 Key differing);
extern template NoiseItem<unsigned>* sort_noise_items(NoiseItem<unsigned>*, NoiseItem<unsigned>*,
                                                      std::size_t, unsigned);
extern template NoiseItem<unsigned long long>* sort_noise_items(NoiseItem<unsigned long long>*,
                                                                NoiseItem<unsigned long long>*,
                                                                std::size_t, unsigned long long);

/// The ranks of a region. The same memory can be used for one region after another.
template <class T>
class NoiseRanks {
  using Keys = NoiseKeys<T>;
  using Key = typename Keys::Key;
  using Item = NoiseItem<Key>;

 public:
  /// Sorts the region's values; a code has 2^shift ranks.
  NoiseMarks rank(const NoiseProblem& problem, const View<const T>& in, const NoiseRegion& region,
                  int shift) {
    const auto pixels = static_cast<std::size_t>(region.width) * region.height;
    Item* items = items_.of<Item>(2 * pixels);
    std::size_t count = 0;
    Key every = ~Key{0}, any = 0;
    NoiseRegionRows<T> rows(problem, in, region);
    for (int row = 0; row < region.height; ++row) {
      const bool whole = rows.read(row);
      count += whole ? take_all(rows, row, items + count, every, any)
                     : take_valid(rows, row, items + count, every, any);
    }
    const Item* sorted = sort_noise_items<Key>(items, items + pixels, count, any & ~every);
    NoiseMarks marks = empty_marks(region, count, shift);
    marks.narrow = region.width <= 256 && problem.box.width < 256;
    if (marks.narrow)
      spread<std::uint8_t>(marks, sorted, count);
    else
      spread<std::uint16_t>(marks, sorted, count);
    return marks;
  }
  /// The value of every rank; zeros are positive.
  const T* values() const { return values_of_ranks_; }

 private:
  /// The items of a row; returns their number. `every` and `any` gather the bits that all keys have
  /// and that some have.
  std::size_t take_all(const NoiseRegionRows<T>& rows, int row, Item* items, Key& every,
                       Key& any) const {
    const std::size_t width = rows.width();
    const T* values = rows.values();
    Key in_every = every, in_any = any;
    for (std::size_t x = 0; x < width; ++x) {
      const Key key = Keys::of(values[x]);
      in_every &= key;
      in_any |= key;
      items[x] =
          Item::of(key, static_cast<std::uint32_t>(row) << 16 | static_cast<std::uint32_t>(x));
    }
    every = in_every;
    any = in_any;
    return width;
  }
  std::size_t take_valid(const NoiseRegionRows<T>& rows, int row, Item* items, Key& every,
                         Key& any) const {
    std::size_t count = 0;
    for (std::size_t x = 0; x < rows.width(); ++x) {
      if (!rows.valid()[x]) continue;
      const Key key = Keys::of(rows.values()[x]);
      every &= key;
      any |= key;
      items[count++] =
          Item::of(key, static_cast<std::uint32_t>(row) << 16 | static_cast<std::uint32_t>(x));
    }
    return count;
  }

  NoiseMarks empty_marks(const NoiseRegion& region, std::size_t count, int shift) {
    const auto pixels = static_cast<std::size_t>(region.width) * region.height;
    NoiseMarks marks;
    marks.width = region.width;
    marks.height = region.height;
    marks.shift = shift;
    marks.codes = static_cast<int>((count + (std::size_t{1} << shift) - 1) >> shift);
    marks_of_pixels_ = marks_.of<std::uint32_t>(pixels);
    marks.marks = marks_of_pixels_;
    marks.whole = count == pixels;
    if (!marks.whole) std::fill_n(marks_of_pixels_, pixels, marks.blank_mark());
    return marks;
  }

  template <class Column>
  void spread(NoiseMarks& marks, const Item* sorted, std::size_t count) {
    values_of_ranks_ = values_.of<T>(count);
    auto* columns = columns_.of<Column>(marks.blank_mark());
    const auto width = static_cast<std::uint32_t>(marks.width);
    for (std::size_t rank = 0; rank < count; ++rank) {
      const std::uint32_t pixel = sorted[rank].pixel(), column = pixel & 0xffffU;
      values_of_ranks_[rank] = static_cast<T>(Keys::value(sorted[rank].key()));
      columns[column_place(rank)] = static_cast<Column>(column);
      marks_of_pixels_[(pixel >> 16) * width + column] = static_cast<std::uint32_t>(rank);
    }
    marks.columns = columns;
  }

  GrowingScratch items_, values_, columns_, marks_;
  T* values_of_ranks_ = nullptr;
  std::uint32_t* marks_of_pixels_ = nullptr;
};

}  // namespace tessera
