// SPDX-License-Identifier: Apache-2.0
#include "python/text.hpp"

namespace tessera::python {
namespace {

constexpr std::size_t kMostShown = 200;

std::string content_of(nb::handle bytes) {
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

/// As os.fsencode does it, which takes longer than a call on a small image; ASCII needs no table.
std::string encoded_bytes(nb::handle path) {
  if (PyUnicode_Check(path.ptr()) && PyUnicode_IS_ASCII(path.ptr()))
    return {static_cast<const char*>(PyUnicode_DATA(path.ptr())),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(path.ptr()))};
  const nb::object bytes = nb::module_::import_("os").attr("fsencode")(path);
  return content_of(bytes);
}

std::string encoded(const std::string& what, nb::handle path) {
  std::string text = encoded_bytes(path);
  if (text.find('\0') != text.npos)
    throw nb::value_error((what + " contains a zero byte; file names cannot").c_str());
  return text;
}

std::string shortened(const nb::object& text) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) nb::raise_python_error();
  std::string all = content_of(bytes);
  if (all.size() <= kMostShown) return all;
  std::size_t length = kMostShown;
  while (length > 0 && (all[length] & 0xC0) == 0x80) --length;  // not inside a character
  return all.substr(0, length) + "...";
}

}  // namespace

bool is_path(nb::handle given) {
  return PyUnicode_Check(given.ptr()) || PyBytes_Check(given.ptr()) ||
         nb::hasattr(given.type(), "__fspath__");
}

std::string path_text(const std::string& what, nb::handle path) {
  if (!is_path(path))
    throw nb::type_error(
        (what + " is " + shown_as_code(path) + "; it must be a path: str, bytes or os.PathLike")
            .c_str());
  return encoded(what, path);
}

std::string name_text(const std::string& what, nb::handle text) { return encoded(what, text); }

std::string shown(nb::handle object) { return shortened(nb::str(object)); }

std::string shown_as_code(nb::handle object) { return shortened(nb::repr(object)); }

nb::object to_python(const std::string& text) {
  nb::object decoded = nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
  if (!decoded.is_valid()) nb::raise_python_error();
  return decoded;
}

void warn(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences)
    if (PyErr_WarnFormat(PyExc_UserWarning, 1, "%U", to_python(sentence).ptr()) != 0)
      nb::raise_python_error();
}

}  // namespace tessera::python
