// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "jobs/info/machine_report.hpp"
#include "jobs/result.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"

namespace tessera::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

nb::object info(bool measure) {
  std::string text;
  {
    const LongCall unlocked;
    text = json_text(report_machine(measure));
  }
  return nb::module_::import_("json").attr("loads")(text);
}

}  // namespace

void add_info(nb::module_& module) {
  module.def("info", info, "measure"_a = false,
             nb::sig("def info(measure: bool = False) -> dict[str, typing.Any]"),
             "This machine and this build, as in the JSON of the command `tessera info`. With "
             "measure=True "
             "the ceilings too: FMA peak and copy bandwidth of CPU and devices, in a few seconds.");
}

}  // namespace tessera::python
