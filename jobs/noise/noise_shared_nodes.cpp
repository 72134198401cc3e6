// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_shared_nodes.hpp"

#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "core/packed_text.hpp"
#include "core/ranks.hpp"

namespace tessera {
namespace {

template <class T>
void put_values(PackedText& text, const std::vector<T>& values) {
  text.put(values.size());
  text.put_bytes(values.data(), values.size() * sizeof(T));
}
template <class T>
std::vector<T> take_values(PackedText& text) {
  std::vector<T> values(text.take<std::size_t>());
  for (T& value : values) value = text.take<T>();
  return values;
}

std::string packed_row(const NoiseNodes& nodes, int row) {
  const std::size_t width = nodes.columns.size();
  PackedText text;
  text.put(row);
  for (int p = 0; p < nodes.planes; ++p)
    for (int i = 0; i < static_cast<int>(width); ++i) text.put(nodes.at(p, row, i));
  if (!nodes.noise.empty())
    text.put_bytes(&nodes.noise[static_cast<std::size_t>(row) * width], width * sizeof(double));
  return text.text();
}
void unpack_row(PackedText text, NoiseNodes& nodes) {
  const std::size_t width = nodes.columns.size();
  const int row = text.take<int>();
  for (int p = 0; p < nodes.planes; ++p)
    for (int i = 0; i < static_cast<int>(width); ++i) nodes.at(p, row, i) = text.take<double>();
  for (std::size_t i = 0; i < width && !nodes.noise.empty(); ++i)
    nodes.noise[static_cast<std::size_t>(row) * width + i] = text.take<double>();
}

std::string packed_patch(const NoisePatch& patch) {
  PackedText text;
  text.put(patch.cell);
  text.put(patch.first_plane);
  text.put(patch.planes);
  put_values(text, patch.columns);
  put_values(text, patch.rows);
  put_values(text, patch.values);
  return text.text();
}
NoisePatch unpacked_patch(PackedText text) {
  // Members of braces are initialised in their order.
  return {text.take<NoiseCell>(), text.take<int>(),       text.take<int>(),
          take_values<int>(text), take_values<int>(text), take_values<double>(text)};
}

}  // namespace

void join_node_rows(NoiseNodes& nodes, const std::vector<Rows>& own) {
  if (ranks().count() == 1) return;
  std::vector<int> rows;
  for (const Rows& some : own)
    for (int row = some.first; row < some.end; ++row) rows.push_back(row);
  exchange_texts(
      [&, next = rows.begin()]() mutable -> std::optional<std::string> {
        if (next == rows.end()) return std::nullopt;
        return packed_row(nodes, *next++);
      },
      [&](std::string text) { unpack_row(PackedText(std::move(text)), nodes); });
}

void join_patches(NoiseNodes& nodes, std::size_t first) {
  if (ranks().count() == 1) return;
  const auto begin = nodes.patches.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<NoisePatch> own(std::make_move_iterator(begin),
                              std::make_move_iterator(nodes.patches.end()));
  nodes.patches.resize(first);
  exchange_texts(
      [&, next = own.begin()]() mutable -> std::optional<std::string> {
        if (next == own.end()) return std::nullopt;
        return packed_patch(std::exchange(*next++, NoisePatch()));  // its memory is needed
      },
      [&](std::string text) {
        nodes.patches.push_back(unpacked_patch(PackedText(std::move(text))));
      });
}

}  // namespace tessera
