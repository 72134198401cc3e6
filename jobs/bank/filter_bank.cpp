// SPDX-License-Identifier: Apache-2.0
#include "jobs/bank/filter_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/counted.hpp"
#include "core/text_parts.hpp"
#include "io/file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kMostBankBytes = 1LL << 30;  // a longer file is not a list of numbers

bool read_number(std::string_view word, double& value) {
  const char* const last = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), last, value);
  return error == std::errc() && stop == last && std::isfinite(value);
}

/// The numbers of a text file, and how many its lines have, of those that have any.
struct FileNumbers {
  std::vector<double> numbers;
  std::vector<long long> lines;
};

FileNumbers numbers_of_file(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBankBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes; a text file of numbers has at "
                                              "most {}",
                                              path, file.bytes(), kMostBankBytes));
  std::string text(static_cast<std::size_t>(file.bytes()), ' ');
  file.read_all(0, text.data(), std::ssize(text));
  FileNumbers read;
  int line = 0;
  for (const std::string_view all : lines_of(text)) {
    ++line;
    const long long before = std::ssize(read.numbers);
    for (const std::string_view word : words_of(all.substr(0, all.find('#')), " \t\r\f\v,")) {
      double value = 0;
      if (!read_number(word, value))
        throw Error(ErrorKind::input,
                    fmt::format("{}: line {} has '{}'; write numbers, separated by spaces", path,
                                line, word.substr(0, 40)));
      read.numbers.push_back(value);
    }
    if (std::ssize(read.numbers) > before) read.lines.push_back(std::ssize(read.numbers) - before);
  }
  if (read.numbers.empty())
    throw Error(ErrorKind::input, path + ": it has no numbers; write one or more");
  return read;
}

/// One number, one per channel, or a line per channel with a number per input.
void check_gain_file(const std::string& path, const FileNumbers& read, long long channels,
                     long long inputs) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::input,
                fmt::format("{}: {}; write one gain, {} (one per channel), or {} lines of {} (one "
                            "per input)",
                            path, what, channels, channels, inputs));
  };
  for (const double gain : read.numbers)
    if (!(gain > 0 && gain <= std::numeric_limits<float>::max()))
      refuse(fmt::format("a gain is {}, and gains are positive", gain));
  const long long count = std::ssize(read.numbers), lines = std::ssize(read.lines);
  const auto all_have = [&](long long words) {
    return std::ranges::all_of(read.lines, [&](long long line) { return line == words; });
  };
  if (count == 1 || (count == channels && (lines == 1 || all_have(1)))) return;
  if (lines == channels && all_have(inputs)) return;
  refuse(fmt::format(
      "it has {} in {}{}", counted(count, "number"), counted(lines, "line"),
      all_have(read.lines[0]) && lines > 1 ? fmt::format(" of {}", read.lines[0]) : ""));
}

bool is_quantised(const FilterBank& bank) { return is_integer(bank.options.output_type); }

/// One number that is not the name of a file.
bool is_number(const std::string& text, double& value) { return read_number(text, value); }

}  // namespace

ChanneliseOptions bank_options(const FilterBank& bank, const VoltageInfo& info) {
  ChanneliseOptions options = bank.options;
  options.samples = info.samples;
  options.real = info.real;
  options.offset_binary = info.offset_binary;
  options.real_low = info.real_low;
  return options;
}

std::string too_short(const char* operation, const std::string& file, long long length) {
  return fmt::format(
      "{}: {}: a spectrum is made from {} samples, and the recording has fewer; give a longer "
      "recording, or fewer channels or taps",
      operation, file, length);
}

ChanneliseTables bank_tables(const FilterBank& bank, const XEngineShape& recorded) {
  ChanneliseTables tables;
  if (!bank.coefficients.empty()) tables.coefficients = numbers_of_file(bank.coefficients).numbers;
  if (bank.gain == "auto") return tables;
  double one = 0;
  if (!is_quantised(bank))
    throw Error(ErrorKind::usage,
                fmt::format("channelise: gain is '{}', but spectra are {}, which need none; leave "
                            "it out, or make ci8 or ci16",
                            bank.gain, name_of(bank.options.output_type)));
  FileNumbers read;
  if (is_number(bank.gain, one)) {
    read.numbers = {one};
  } else {
    read = numbers_of_file(bank.gain);
    check_gain_file(bank.gain, read, 1LL * recorded.channels * bank.options.channels,
                    recorded.inputs());
  }
  for (const double number : read.numbers) tables.gains.push_back(static_cast<float>(number));
  return tables;
}

std::vector<std::string> bank_files(const FilterBank& bank) {
  std::vector<std::string> files;
  double number = 0;
  if (!bank.coefficients.empty()) files.push_back(bank.coefficients);
  if (bank.gain != "auto" && !is_number(bank.gain, number)) files.push_back(bank.gain);
  return files;
}

}  // namespace tessera
