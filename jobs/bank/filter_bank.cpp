// SPDX-License-Identifier: Apache-2.0
#include "jobs/bank/filter_bank.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

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

std::vector<double> numbers_of_file(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBankBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes; a text file of numbers has at "
                                              "most {}",
                                              path, file.bytes(), kMostBankBytes));
  std::string text(static_cast<std::size_t>(file.bytes()), ' ');
  file.read_all(0, text.data(), std::ssize(text));
  std::vector<double> numbers;
  int line = 0;
  for (const std::string_view all : lines_of(text)) {
    ++line;
    for (const std::string_view word : words_of(all.substr(0, all.find('#')), " \t\r\f\v,")) {
      double value = 0;
      if (!read_number(word, value))
        throw Error(ErrorKind::input,
                    fmt::format("{}: line {} has '{}'; write numbers, separated by spaces", path,
                                line, word.substr(0, 40)));
      numbers.push_back(value);
    }
  }
  if (numbers.empty())
    throw Error(ErrorKind::input, path + ": it has no numbers; write one or more");
  return numbers;
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

ChanneliseTables bank_tables(const FilterBank& bank) {
  ChanneliseTables tables;
  if (!bank.coefficients.empty()) tables.coefficients = numbers_of_file(bank.coefficients);
  if (bank.gain == "auto") return tables;
  double one = 0;
  if (!is_quantised(bank))
    throw Error(ErrorKind::usage,
                fmt::format("channelise: gain is '{}', but spectra are {}, which need none; leave "
                            "it out, or make ci8 or ci16",
                            bank.gain, name_of(bank.options.output_type)));
  const std::vector<double> numbers =
      is_number(bank.gain, one) ? std::vector{one} : numbers_of_file(bank.gain);
  for (const double number : numbers) tables.gains.push_back(static_cast<float>(number));
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
