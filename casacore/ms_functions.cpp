// SPDX-License-Identifier: Apache-2.0
// The plug-in that the tool opens to write a Measurement Set (io/ms/ms_plugin.cpp). This folder
// holds the only files that are linked with casacore, and through it with FFTW and GSL.
#include <casacore/casa/version.h>

#include <exception>
#include <string>

#include "casacore/ms_process.hpp"

struct TesseraMs {
  explicit TesseraMs(const TesseraMsHeader& header) : process(header) {}
  tessera::MsProcess process;
};

namespace tessera {
namespace {

thread_local std::string last_message;

/// No exception may pass to the tool, which has another runtime if it was built elsewhere.
template <class Work>
int tried(Work work) noexcept {
  try {
    work();
    return 1;
  } catch (const std::exception& error) {
    last_message = error.what();
  } catch (...) {
    last_message = "it failed and does not say why";
  }
  return 0;
}

const char* message() { return last_message.c_str(); }

TesseraMs* create(const TesseraMsHeader* header) {
  TesseraMs* made = nullptr;
  tried([&] { made = new TesseraMs(*header); });
  return made;
}

int put_field(TesseraMs* set, const TesseraMsField* field) {
  return tried([&] { set->process.add(*field); });
}

int put_rows(TesseraMs* set, const TesseraMsRows* rows) {
  return tried([&] { set->process.add(*rows); });
}

void abandon(TesseraMs* set) { delete set; }

int close(TesseraMs* set, double first, double last) {
  const int done = tried([&] { set->process.close(first, last); });
  delete set;
  return done;
}

}  // namespace
}  // namespace tessera

extern "C" __attribute__((visibility("default"))) const TesseraMsPlugin* tessera_ms_plugin() {
  static const std::string casacore = casacore::getVersion();
  static const TesseraMsPlugin functions{TESSERA_MS_INTERFACE, TESSERA_VERSION, casacore.c_str(),
                                         tessera::message,     tessera::create, tessera::put_field,
                                         tessera::put_rows,    tessera::close,  tessera::abandon};
  return &functions;
}
