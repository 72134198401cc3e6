// SPDX-License-Identifier: Apache-2.0
#include "python/keyword_names.hpp"

#include <regex>

#include "python/options_python.hpp"

namespace tessera::python {

// Names of files may contain dashes: only words that begin with two are options.
std::string with_keywords(const std::string& sentence) {
  static const std::regex option("(^|[ '(])--([a-z][a-z-]*[a-z])");
  std::string text;
  auto end = sentence.begin();
  for (auto found = std::sregex_iterator(sentence.begin(), sentence.end(), option);
       found != std::sregex_iterator(); ++found) {
    text.append(end, (*found)[0].first);
    text += (*found)[1].str() + python_name((*found)[2].str());
    end = (*found)[0].second;
  }
  return text.append(end, sentence.end());
}

}  // namespace tessera::python
