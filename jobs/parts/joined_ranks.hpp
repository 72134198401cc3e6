// SPDX-License-Identifier: Apache-2.0
/// The process that joins the parts of a run: it does no unit, and has all that the parts have
/// kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/part_rows.hpp"
#include "core/ranks.hpp"
#include "jobs/parts/found_parts.hpp"
#include "jobs/parts/kept_texts.hpp"

namespace tessera {

/// Rank 0 of N + 1.
class JoinedRanks : public Ranks, private PartRows {
 public:
  /// `parts` outlives it.
  explicit JoinedRanks(const FoundParts& parts);

  int count() const override { return static_cast<int>(parts_.folders.size()) + 1; }
  std::vector<std::string> gathered(const std::string& text) override;
  long long next_unit() override;
  /// In the order of units, if each part sends one text for each of its units.
  std::optional<std::string> received() override;
  std::optional<std::string> received_from(int rank) override;
  PartRows* part_rows() override { return this; }

 private:
  void begin(const std::vector<ImageInfo>& outputs, const RowUnits& units) override;
  void keep(Rows rows, std::span<const AnyMutableView> outputs) override;
  void fetch(Rows rows, std::span<const AnyMutableView> outputs) override;
  void end() override { ++stream_; }

  const FoundParts& parts_;
  std::vector<TextReader> texts_, messages_;
  std::size_t turn_ = 0;  ///< part whose text is received next
  std::size_t stream_ = 0;
  bool all_received_ = false;
};

}  // namespace tessera
