// SPDX-License-Identifier: Apache-2.0
// The plug-in that the tool opens to write a Measurement Set (io/ms/ms_plugin.cpp). This folder holds
// the only files that are linked with casacore, and through it with FFTW and GSL.
#include <casacore/casa/version.h>

#include <exception>
#include <filesystem>
#include <string>

#include "casacore/ms_writer.hpp"

struct TesseraMs {
  explicit TesseraMs(const TesseraMsHeader& header) : writer(header) {}
  tessera::MsWriter writer;
  std::string folder;
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
    last_message = "casacore failed and does not say why";
  }
  return 0;
}

const char* message() { return last_message.c_str(); }

std::string real_path(const char* path) { return std::filesystem::canonical(path).string(); }

TesseraMs* create(const TesseraMsHeader* header) {
  TesseraMs* made = nullptr;
  const int done = tried([&] {
    const std::string folder = real_path(header->path);
    made = new TesseraMs(*header);
    made->folder = folder;
  });
  if (!done) {
    const std::string why = last_message;
    tried([&] { close_files(real_path(header->path)); });
    last_message = why;
  }
  return done ? made : nullptr;
}

int put_field(TesseraMs* set, const TesseraMsField* field) {
  return tried([&] { set->writer.add(*field); });
}

int put_rows(TesseraMs* set, const TesseraMsRows* rows) {
  return tried([&] { set->writer.add(*rows); });
}

// Its tables are never destroyed (casacore/ms_writer.hpp).
void abandon(TesseraMs* set) {
  tried([&] { close_files(set->folder); });
}

int close(TesseraMs* set, double first, double last) {
  if (tried([&] { set->writer.close(first, last); })) {
    delete set;
    return 1;
  }
  const std::string why = last_message;
  abandon(set);
  last_message = why;
  return 0;
}

}  // namespace
}  // namespace tessera

extern "C" __attribute__((visibility("default"))) const TesseraMsPlugin* tessera_ms_plugin() {
  static const std::string casacore = casacore::getVersion();
  static const TesseraMsPlugin functions{TESSERA_MS_INTERFACE, TESSERA_VERSION,
                                         casacore.c_str(),     tessera::message,
                                         tessera::create,      tessera::put_field,
                                         tessera::put_rows,    tessera::close,
                                         tessera::abandon};
  return &functions;
}
