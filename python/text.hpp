// SPDX-License-Identifier: Apache-2.0
/// Texts between Python and the library. File names on Linux are bytes: Python writes those that
/// are not UTF-8 with surrogates ("surrogateescape"), the library as they are.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace tessera::python {

namespace nb = nanobind;

/// Whether something is a path: str, bytes or os.PathLike.
bool is_path(nb::handle given);

/// A path, as text. ValueError if it contains a zero byte.
std::string path_text(const std::string& what, nb::handle path);

/// A file name or the like inside a str that is not only a path: "gauss:2" or "weights.npy".
std::string name_text(const std::string& what, nb::handle text);

/// str(object) and repr(object) for messages: any object, always UTF-8, and not too long.
std::string shown(nb::handle object);
std::string shown_as_code(nb::handle object);

/// Text of the library, whatever bytes it has, as a Python str.
nb::object to_python(const std::string& text);

/// UserWarnings; throws if Python is told to raise them.
void warn(const std::vector<std::string>& sentences);

}  // namespace tessera::python
