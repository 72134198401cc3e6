// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_journal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/regular_file.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

// The number changes when the kernels of searched rungs do, so that times are of one program.
constexpr const char* kBeginning = "# convolve search@1";

std::string first_line(const std::string& device, int side) {
  return fmt::format("{}\t{}\t{}x{}", kBeginning, device, side, side);
}

std::pair<int, int> parse_pair(const std::string& what, const std::string& text) {
  const std::size_t times = text.find('x');
  std::pair<int, int> pair;
  from_text(what, text.substr(0, times), pair.first);
  from_text(what, times == std::string::npos ? "" : text.substr(times + 1), pair.second);
  return pair;
}

std::optional<double> parse_time(const std::string& what, const std::string& text) {
  if (text == "-") return std::nullopt;
  double value = 0;
  from_text(what, text, value);
  return value;
}

std::string time_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "-";
}

}  // namespace

std::string record_text(const LadderRecord& r) {
  std::string outcome = r.outcome;
  std::replace_if(
      outcome.begin(), outcome.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return fmt::format("{}\t{}x{}\t{}x{}\t{}\t{}\t{}\t{}", r.rung, r.filter.width, r.filter.height,
                     r.candidate.block_x, r.candidate.block_y, r.candidate.tiles, time_text(r.ms),
                     time_text(r.spread), outcome);
}

LadderRecord parse_record(const std::string& what, const std::string& line) {
  const std::vector<std::string> cells = split_text(line, '\t');
  constexpr std::size_t kColumns = 7;
  if (cells.size() != kColumns)
    throw Error(ErrorKind::input,
                fmt::format("{}: it has {} columns; there are {}", what, cells.size(), kColumns));
  try {
    LadderRecord r;
    r.rung = cells[0];
    std::tie(r.filter.width, r.filter.height) = parse_pair(what, cells[1]);
    std::tie(r.candidate.block_x, r.candidate.block_y) = parse_pair(what, cells[2]);
    from_text(what, cells[3], r.candidate.tiles);
    r.ms = parse_time(what, cells[4]);
    r.spread = parse_time(what, cells[5]);
    r.outcome = cells[6];
    return r;
  } catch (const Error& error) {
    throw Error(ErrorKind::input, error.what());  // a file's mistake, not the command line's
  }
}

LadderJournal::LadderJournal(std::string path, const std::string& device, int side)
    : path_(std::move(path)), device_(device) {
  if (path_.empty()) return;
  std::optional<std::string> text = read_regular(path_);
  if (text && !text->empty())
    read(std::move(*text), device, side);
  else if (!device.empty())
    begin_grown(path_, first_line(device, side) + "\n");
  else
    throw Error(
        ErrorKind::input,
        fmt::format("{}: it cannot be read; --journal names the journal of a search", path_));
}

void LadderJournal::read(std::string text, const std::string& device, int side) {
  const std::string first = text.substr(0, text.find('\n'));
  const std::vector<std::string> cells = split_text(first, '\t');
  if (cells.size() != 3 || cells[0] != kBeginning)
    throw Error(ErrorKind::input,
                fmt::format("{}: its first line is not that of a journal of this version of the "
                            "search, which begins with '{}'; name another file with --journal",
                            path_, kBeginning));
  if (!device.empty() && cells[1] != device)
    throw Error(ErrorKind::input,
                fmt::format("{}: it was measured on {}, and this is {}; name another file with "
                            "--journal",
                            path_, cells[1], device));
  if (cells[2] != fmt::format("{0}x{0}", side))
    throw Error(ErrorKind::input,
                fmt::format("{}: it was measured on an image of {}, not of {}x{}; --side says how "
                            "large the image is",
                            path_, cells[2], side, side));
  device_ = cells[1];
  if (device.empty())
    text.resize(text.rfind('\n') + 1);
  else if (!cut_to_whole_lines(path_, text))
    throw Error(ErrorKind::input,
                fmt::format("{}: its last line is cut short and cannot be removed", path_));
  int number = 1;
  for (const std::string& line : split_text(text, '\n')) {
    if (number > 1 && !line.empty()) {
      const LadderRecord r = parse_record(fmt::format("{} line {}", path_, number), line);
      records_[{r.rung, r.filter.width, r.filter.height, r.candidate}] = r;
    }
    ++number;
  }
}

const LadderRecord* LadderJournal::find(const std::string& rung, StudySize filter,
                                        const LadderCandidate& candidate) const {
  const auto found = records_.find({rung, filter.width, filter.height, candidate});
  return found == records_.end() ? nullptr : &found->second;
}

std::vector<StudySize> LadderJournal::filters(const std::string& rung) const {
  std::vector<StudySize> all;
  for (const auto& [key, record] : records_)
    if (record.rung == rung && (all.empty() || !(all.back() == record.filter)))
      all.push_back(record.filter);
  return all;
}

void LadderJournal::add(const LadderRecord& record) {
  records_[{record.rung, record.filter.width, record.filter.height, record.candidate}] = record;
  if (!path_.empty()) add_to_grown(path_, record_text(record) + "\n");
}

}  // namespace tessera
