// SPDX-License-Identifier: Apache-2.0
// Functions whose names have a British part are also there under the American one.
#include "python/doors.hpp"
#include "python/options_python.hpp"

namespace tessera::python {

void add_american_names(nb::module_& module) {
  // A list of them, because names are added on the way.
  const auto names = nb::steal<nb::list>(PyDict_Keys(PyModule_GetDict(module.ptr())));
  for (const nb::handle name : names) {
    const std::string own = nb::cast<std::string>(name);
    const std::string american = american_spelling(own);
    if (american != own) module.attr(american.c_str()) = module.attr(own.c_str());
  }
}

}  // namespace tessera::python
