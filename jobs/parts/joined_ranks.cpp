// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/joined_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/folder.hpp"
#include "core/isa.hpp"
#include "jobs/parts/unit_place.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kNoUnit = 1LL << 40;

Error not_of_this_run(const std::string& folder) {
  return {ErrorKind::input,
          fmt::format("{}: it holds other things than this run makes; make this part again with "
                      "--force",
                      folder)};
}

}  // namespace

// The description of what ran names the SIMD target of the parts, if this machine has it.
JoinedRanks::JoinedRanks(const FoundParts& parts) : parts_(parts) {
  const std::vector<std::string> known = isa_names();
  if (std::ranges::count(known, parts.first().isa) > 0) force_isa(parts.first().isa);
  for (const std::string& folder : parts.folders) {
    texts_.emplace_back(joined(folder, kPartTexts));
    messages_.emplace_back(joined(folder, kPartMessages));
  }
}

std::vector<std::string> JoinedRanks::gathered(const std::string&) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    std::optional<std::string> text = texts_[i].next();
    if (!text) throw not_of_this_run(parts_.folders[i]);
    all.push_back(std::move(*text));
  }
  return all;
}

long long JoinedRanks::next_unit() { return kNoUnit; }

// Who asks again after the last has come would wait for ever.
std::optional<std::string> JoinedRanks::received() {
  if (all_received_) throw not_of_this_run(parts_.folders[turn_]);
  for (std::size_t empty = 0; empty < messages_.size(); ++empty) {
    std::optional<std::string> text = messages_[turn_].next();
    turn_ = (turn_ + 1) % messages_.size();
    if (text) return text;
  }
  all_received_ = true;
  return std::nullopt;
}

std::optional<std::string> JoinedRanks::received_from(int rank) {
  const auto part = static_cast<std::size_t>(rank - 1);
  std::optional<std::string> text = messages_[part].next();
  if (!text && std::exchange(all_received_, true)) throw not_of_this_run(parts_.folders[part]);
  return text;
}

void JoinedRanks::begin(const std::vector<ImageInfo>& outputs, const RowUnits& units) {
  KeptStream expected{units.rows(), outputs};
  for (ImageInfo& output : expected.outputs) output.device = kHost;
  for (std::size_t i = 0; i < parts_.folders.size(); ++i) {
    const std::vector<KeptStream>& kept = parts_.records[i].streams;
    if (stream_ >= kept.size() || !(kept[stream_] == expected))
      throw not_of_this_run(parts_.folders[i]);
  }
}

void JoinedRanks::keep(Rows, std::span<const AnyMutableView>) {
  throw Error(ErrorKind::failure, "the process that joins parts makes no rows");
}

void JoinedRanks::fetch(Rows rows, std::span<const AnyMutableView> outputs) {
  const KeptStream& stream = parts_.records.front().streams[stream_];
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ImageInfo& output = stream.outputs[i];
    check_rows(output, rows, outputs[i].info());
    const UnitPlace place = place_of(stream, output, rows, static_cast<int>(parts_.folders.size()));
    const std::string& folder = parts_.folders[static_cast<std::size_t>(place.part - 1)];
    const File file = File::open_to_read(joined(folder, rows_file(stream_, i)));
    for (int plane = 0; plane < output.size.planes; ++plane)
      file.read_all(place.offset + plane * place.plane, outputs[i].address(0, 0, plane),
                    rows.count() * row_bytes(output));
  }
}

}  // namespace tessera
