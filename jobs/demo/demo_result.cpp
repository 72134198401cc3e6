// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/demo_result.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string time_text(double seconds) {
  return seconds < 0.1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

}  // namespace

std::string DemoPartResult::describe() const {
  const std::string time = failed ? "" : time_text(seconds);
  const std::string sentence = right ? check.substr(0, check.find(';')) : check;
  return fmt::format("  {:<9}  {}  {:>7}  {:<26}  {}", operation, right ? "right" : "WRONG", time,
                     backend + " " + method, sentence);
}

std::string DemoResult::describe() const {
  return fmt::format("{} of {} right in {:.3g} s: {}", right, parts.size(), seconds, page);
}

std::vector<std::string> DemoResult::complaints() const {
  std::vector<std::string> sentences;
  for (const DemoPartResult& part : parts)
    if (!part.right)
      sentences.push_back(fmt::format("{} {}: {}", part.operation,
                                      part.failed ? "failed" : "is wrong", part.check));
  return sentences;
}

int DemoResult::exit_code() const {
  return complaints().empty() ? 0 : static_cast<int>(ErrorKind::failure);
}

}  // namespace tessera
