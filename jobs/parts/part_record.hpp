// SPDX-License-Identifier: Apache-2.0
/// part.json in the folder of a part: what ran, and which files the part has kept.
#pragma once

#include <string>
#include <vector>

#include "jobs/batch_files.hpp"
#include "jobs/batch_outputs.hpp"
#include "jobs/parts/part_choice.hpp"
#include "tessera/view.hpp"

namespace tessera {

inline constexpr const char* kPartRecord = "part.json";
/// The texts that a part gave when all parts were asked, and those that it sent: each after its
/// length.
inline constexpr const char* kPartTexts = "texts.bin";
inline constexpr const char* kPartMessages = "messages.bin";

/// The rows of a call of stream_rows.
struct KeptStream {
  int unit_rows = 1;
  std::vector<ImageInfo> outputs;

  bool operator==(const KeptStream&) const = default;
};

/// "rows-2-1.raw": units of an output, one after the other, each all rows of a plane after the
/// other.
std::string rows_file(std::size_t stream, std::size_t output);

/// A file that the command line names, as the part saw it.
struct PartInput {
  std::string name;
  FileStamp stamp;
  std::string digest;  ///< of its first 64 KiB, which hold its header

  bool operator==(const PartInput&) const = default;
  std::string text() const;  ///< "1200 bytes, changed at 3 ns, digest …"
};

/// All words that are names of files, except `output`; options may hold them after '='.
std::vector<PartInput> inputs_in(const std::vector<std::string>& words, const std::string& output);

struct PartRecord {
  std::string version;
  PartOfRun part;
  std::vector<std::string> words;  ///< the command line without --part
  std::string output;              ///< as the command line names it
  std::string folder;              ///< in which the command ran
  std::string ran;                 ///< with backend, method and SIMD target; "": nothing, or files
  std::string isa;                 ///< SIMD target
  std::string host;
  std::vector<PartInput> inputs;
  long long units = 0;  ///< that the part did
  std::vector<KeptStream> streams;
  std::vector<MadeFile> files;
};

std::string to_text(const PartRecord& record);
/// Reads the record in `folder`. Throws Error(input) if it cannot be read or is damaged.
PartRecord read_part_record(const std::string& folder);

/// Throws Error(input) if a file of the part is missing or is not as it was written.
void check_part_files(const std::string& folder, const PartRecord& record);

}  // namespace tessera
