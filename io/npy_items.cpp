// SPDX-License-Identifier: Apache-2.0
#include "io/npy_items.hpp"

#include <fmt/format.h>

#include <bit>

#include "tessera/error.hpp"

namespace tessera {
namespace {

std::optional<ItemKind> kind_of(char letter) {
  switch (letter) {
    case 'b':
      return ItemKind::boolean;
    case 'u':
      return ItemKind::whole;
    case 'i':
      return ItemKind::with_sign;
    case 'f':
      return ItemKind::floating;
    default:
      return std::nullopt;
  }
}

// Names are short; a longer text of a damaged file must not fill a terminal.
std::string quotable(const std::string& text) {
  std::string shown;
  for (const char letter : text.substr(0, 32)) shown += letter < ' ' || letter > '~' ? '?' : letter;
  return text.size() > 32 ? shown + "…" : shown;
}

}  // namespace

Items npy_items(const std::string& path, const std::string& descr) {
  constexpr char kOther = std::endian::native == std::endian::little ? '>' : '<';
  const char order = descr.empty() ? ' ' : descr[0];
  const bool ordered = order == '<' || order == '>' || order == '=' || order == '|';
  const std::string name = ordered ? descr.substr(1) : descr;
  if (const auto kind = name.size() == 2 ? kind_of(name[0]) : std::nullopt)
    if (const auto items = items_of(*kind, name[1] - '0', order == kOther, ItemUse::values))
      return *items;
  throw Error(
      ErrorKind::input,
      fmt::format("{}: its items are '{}'; they can be uint8, uint16, float32 or float64, and "
                  "bool (read as u8), int8, int16 or float16 (read as f32), int32 or uint32 (read "
                  "as f64)",
                  path, quotable(descr)));
}

}  // namespace tessera
