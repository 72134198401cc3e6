// SPDX-License-Identifier: Apache-2.0
// Grounds of tracks. The film counts by its contents: a date tells neither that a film is
// another one nor that it is the same.
#include <algorithm>
#include <filesystem>

#include "core/digest.hpp"
#include "io/file.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/followed_tracks.hpp"

namespace tessera {
namespace {

constexpr long long kDigestPiece = 1 << 20;

void add_file(const std::string& path, Digest& digest) {
  const File file = File::open_to_read(path);
  std::vector<unsigned char> piece(kDigestPiece);
  long long at = 0;
  while (const long long read = file.read_some(at, piece.data(), kDigestPiece)) {
    digest.add(piece.data(), static_cast<std::size_t>(read));
    at += read;
  }
  digest.add(path.data(), path.size()).add(&at, sizeof at);
}

// All files of a film made of pictures, whichever of them are read.
std::optional<std::string> film_digest(const std::string& input) {
  std::vector<std::string> files{input};
  if (names_many(input)) files = files_of(input);
  std::ranges::sort(files);
  std::error_code ignored;
  for (const std::string& file : files)
    if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  Digest digest;
  for (const std::string& file : files) add_file(file, digest);
  return digest.text();
}

template <class Options>
void add_options(const Options& options, TrackGrounds& grounds) {
  for_each_option(options, [&](const char* name, const auto& value, const Help&) {
    grounds.emplace_back(name, to_text(value));
  });
}

}  // namespace

std::optional<TrackGrounds> track_grounds(const CellsJob& job, const Cells& plan) {
  if (job.input == "-" || job.reading.in_memory.data) return std::nullopt;
  const std::optional<std::string> digest = film_digest(job.input);
  if (!digest) return std::nullopt;
  TrackGrounds grounds{{"the version of tessera", TESSERA_VERSION},
                       {"the name of the film", job.input},
                       {"the contents of the film", *digest},
                       {"the method", plan.describe()}};
  add_options(plan.options(), grounds);
  add_options(job.reading, grounds);
  add_options(job.reading.choice, grounds);
  return grounds;
}

}  // namespace tessera
