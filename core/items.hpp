// SPDX-License-Identifier: Apache-2.0
/// Elements of files and arrays: numbers of many types, which become samples of a type that plans
/// take and that holds all their values.
#pragma once

#include <optional>

#include "tessera/view.hpp"

namespace tessera {

enum class ItemKind : unsigned char { whole, with_sign, floating, boolean };

/// The use of the samples. Sums need the values; an order may have other values instead.
enum class ItemUse : unsigned char { values, order };

struct Items {
  Type type = Type::u8;  ///< of the samples that they become
  int bytes = 1;         ///< of an element
  bool swapped = false;  ///< not in this machine's byte order
  ItemKind kind = ItemKind::whole;

  bool operator==(const Items&) const = default;
  /// Whether their bytes are those of the samples, except for the byte order.
  bool plain() const;
  /// The number added to the values: signed integers become unsigned ones in the same order.
  double offset() const;
};

/// Elements that are samples.
Items items_of(Type type, bool swapped = false);

/// Elements that become samples of the smallest type that holds them; none for those of which no
/// type holds all values, such as 64-bit integers.
std::optional<Items> items_of(ItemKind kind, int bytes, bool swapped, ItemUse use);

/// `raw` may be `samples` if the items are plain.
void decode_items(const Items& items, const unsigned char* raw, unsigned char* samples,
                  long long count);
/// The same in the other direction: integers are rounded to nearest even and saturated, NaN
/// becoming 0; what is not 0 or less becomes true.
void encode_items(const Items& items, const unsigned char* samples, unsigned char* raw,
                  long long count);

}  // namespace tessera
