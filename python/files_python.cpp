// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "io/formats.hpp"
#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/raw_arrays.hpp"
#include "python/text.hpp"
#include "sample/scene.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

nb::object read(nb::handle path, bool pinned, const nb::kwargs& given) {
  const std::string name = path_text("read: path", path);
  ReadOptions options;
  take_options("read", given, options, options.limits);
  std::vector<std::string> warnings;
  Image image;
  {
    const LongCall unlocked;
    image = read_image(name, options, &warnings, pinned);
  }
  warn(warnings);
  return to_numpy(std::move(image));
}

// (rows, columns), (rows, columns, channels) with 1 to 4 channels, or (images, rows, columns[,
// channels]) as read() gives them.
Axes file_axes(const Shape& shape) {
  const auto axes = static_cast<int>(shape.size());
  const bool channels = axes > 2 && shape.back() >= 1 && shape.back() <= 4;
  const bool batch = axes - (channels ? 1 : 0) > 2;
  return find_axes("write: array", shape, channels ? std::optional(-1) : std::nullopt,
                   batch ? std::optional(0) : std::nullopt);
}

// Files also hold signed integers, which no operation takes as they are.
Array look_at_stored(nb::handle given, const std::string& what) {
  const RawArray raw = look_at_raw(given, what);
  for (const Type type : {Type::i16, Type::i32})
    if (raw.dtype == dtype_name(type)) return array_of(raw, items_of(type), what, false);
  return look_at(given, what);
}

void write(nb::handle path, nb::handle given, const nb::kwargs& keywords) {
  const std::string name = path_text("write: path", path);
  const Array array = look_at_stored(given, "write: array");
  if (array.device != kHost)
    throw Error(ErrorKind::usage, "write: the array is on a device; copy it to the host first");
  const Axes axes = file_axes(array.shape);
  if (!channels_adjacent(array, axes))
    return write(path, nb::module_::import_("numpy").attr("ascontiguousarray")(array.object),
                 keywords);
  WriteOptions options;
  take_options("write", keywords, options);
  options.history = {"tessera " TESSERA_VERSION, "written from Python"};
  const AnyView view = view_of("write: array", array, axes, false);
  const LongCall unlocked;
  write_image(name, view, options);
}

nb::object sample_scene(int width, int height, unsigned long long seed) {
  Image image;
  {
    const LongCall unlocked;
    image = scene({width, height, 3}, seed);
  }
  return to_numpy(std::move(image));
}

}  // namespace

void add_files(nb::module_& module) {
  module.def(
      "read", read, "path"_a, nb::kw_only(), "pinned"_a = false, "options"_a,
      nb::sig(kept("def read(path: str | bytes | os.PathLike[typing.Any], *, pinned: bool = False" +
                   option_parameters<ReadOptions>() + option_parameters<ReadLimits>() +
                   ") -> numpy.typing.NDArray[typing.Any]")),
      kept("The image in a file: (rows, columns), (rows, columns, channels), or images before "
           "both. With pinned=True it is an array as tessera.pinned makes.\n\n>>> page = "
           "tessera.read(\"stack.tif\", page=3)\n\nOptions:\n" +
           option_help<ReadOptions>() + option_help<ReadLimits>()));
  module.def(
      "write", write, "path"_a, "array"_a, "options"_a,
      nb::sig(kept("def write(path: str | bytes | os.PathLike[typing.Any], array: typing.Any, *" +
                   option_parameters<WriteOptions>() + ") -> None")),
      kept("Writes an array as read() gives it; the format follows from the name.\n\n>>> "
           "tessera.write(\"stack.tif\", images, compression=\"deflate\")\n\nOptions:\n" +
           option_help<WriteOptions>()));
  module.def("sample_scene", sample_scene, "width"_a, "height"_a, "seed"_a = 1,
             nb::sig("def sample_scene(width: int, height: int, seed: int = 1) -> "
                     "numpy.typing.NDArray[numpy.uint8]"),
             "A dead-leaves colour scene, (height, width, 3); the same for the same seed.");
}

}  // namespace tessera::python
