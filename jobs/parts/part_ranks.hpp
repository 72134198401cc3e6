// SPDX-License-Identifier: Apache-2.0
/// A part of a run: every N-th unit, kept in a folder until the parts are joined.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/part_rows.hpp"
#include "core/ranks.hpp"
#include "io/output_folder.hpp"
#include "jobs/parts/kept_texts.hpp"
#include "jobs/parts/part_record.hpp"

namespace tessera {

/// Part K of N is rank K of N + 1; rank 0 is the process that joins them.
class PartRanks : public Ranks, private PartRows {
 public:
  /// `record` says what runs. Throws Error(usage) if the part's folder exists, unless `force`.
  PartRanks(PartRecord record, bool force);

  int rank() const override { return part().part; }
  int count() const override { return part().parts + 1; }
  std::vector<std::string> gathered(const std::string& text) override;
  void begin_units() override { next_ = part().part - 1; }
  long long next_unit() override;
  void post(const std::string& text) override { messages_.add(text); }
  std::optional<std::string> received() override { return std::nullopt; }
  PartRows* part_rows() override { return this; }

  /// The folder gets its name.
  void finish();

 private:
  const PartOfRun& part() const { return record_.part; }
  void begin(const std::vector<ImageInfo>& outputs, const RowUnits& units) override;
  void keep(Rows rows, std::span<const AnyMutableView> outputs) override;
  void fetch(Rows rows, std::span<const AnyMutableView> outputs) override;
  void end() override;
  File created(const std::string& name);

  PartRecord record_;
  OutputFolder folder_;
  std::vector<std::string> names_;  ///< of the files
  KeptTexts texts_, messages_;
  std::vector<File> rows_;  ///< of the current stream, one for each output
  long long next_ = 0;
};

}  // namespace tessera
