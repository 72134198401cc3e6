// SPDX-License-Identifier: Apache-2.0
#include "core/refuse.hpp"

#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string message(std::string_view who, std::string_view sentence) {
  return std::string(who).append(": ").append(sentence);
}

}  // namespace

void refuse(std::string_view who, std::string_view sentence) {
  throw Error(ErrorKind::usage, message(who, sentence));
}

void refuse_input(std::string_view file, std::string_view sentence) {
  throw Error(ErrorKind::input, message(file, sentence));
}

}  // namespace tessera
