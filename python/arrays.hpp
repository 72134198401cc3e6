// SPDX-License-Identifier: Apache-2.0
/// Arrays of NumPy, CuPy, torch and whoever speaks DLPack or __cuda_array_interface__, looked at
/// where they lie: every strided layout becomes a view without a copy.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "io/item_images.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera::python {

namespace nb = nanobind;

using Shape = std::vector<long long>;

/// Who made an array, and so who makes the result and owns the stream it is made on.
enum class Library { numpy, cupy, torch, other };

struct Array {
  nb::object object;  ///< comes back to the caller
  void* data = nullptr;
  Type type = Type::f32;         ///< of the samples that the elements become
  Shape shape = {}, steps = {};  ///< steps in elements
  int device = kHost;
  bool writable = true;
  Library library = Library::numpy;
  void* cuda_stream = nullptr;   ///< the one __cuda_array_interface__ named, for Library::other
  nb::object memory = {};        ///< owns `data`, if `object` does not
  Items items = items_of(type);  ///< the elements: samples, except for arrays of look_at_numbers

  /// Whether views can show the elements; others are converted (item_arrays.hpp).
  bool shows_samples() const { return items.plain() && !items.swapped; }
};

/// numpy.NAME
nb::object numpy(const char* name);

/// Error(usage), which Python sees as ValueError.
[[noreturn]] void throw_usage(const std::string& text);

/// A pixel has at most this many samples.
inline constexpr long long kMostChannels = 4;

/// Which axes of an array are rows, columns, channels and images of a batch.
struct Axes {
  int row = 0, column = 1;
  std::optional<int> channel, batch;
};

/// A torch tensor may be a view whose bits say that its memory holds the conjugate or the negative
/// of what it shows: a plain one, or as a result ValueError. All others as they are.
nb::object resolved(nb::handle handle, const std::string& what, bool for_result);

/// Looks at an object; `what` names it in messages: "convolve: image". Lists and the like become
/// NumPy arrays. Throws TypeError naming the dtype and those that work. An array for results is
/// never copied.
Array look_at(nb::handle object, const std::string& what, bool for_result = false);

/// An uninitialised array of the same library, on the same device; the first of any dtype.
nb::object make_empty(const Array& array, const Shape& shape, const char* dtype);
Array make_like(const Array& array, const Shape& shape, Type type);

/// CuPy makes arrays on the current device: this one is, for as long as the object lives.
class CupyDevice {
 public:
  explicit CupyDevice(int device);
  ~CupyDevice();
  CupyDevice(const CupyDevice&) = delete;
  CupyDevice& operator=(const CupyDevice&) = delete;

 private:
  nb::object device_;
};

/// The stream the array's library enqueues on now.
Stream library_stream(const Array& array);

/// Throws ValueError where the axes do not fit the shape. Negative axes count from the end.
Axes find_axes(const std::string& what, const Shape& shape, std::optional<int> channel_axis,
               std::optional<int> batch_axis);

/// An array with one axis besides those of channels and images is a line, which plans see as a
/// single row: where its axis of rows goes. None for arrays that have both axes.
std::optional<int> line_axis(const Shape& shape, std::optional<int> channel_axis,
                             std::optional<int> batch_axis);
/// The array with an axis of one row there.
Array with_row_axis(Array array, int axis);

/// Whether the channels may be seen as samples of a pixel (1 to 4, side by side); otherwise each
/// channel is an image of its own.
bool channels_adjacent(const Array& array, const Axes& axes);

/// As what both arrays can be seen: pixels of channels, one row of planes, or a row of planes for
/// every image of a batch.
enum class Layout { adjacent, planes, image_by_image };
Layout common_layout(const Array& a, const Array& b, const Axes& axes);
/// The layout of packed copies of arrays of a shape.
Layout packed_layout(const Shape& shape, const Axes& axes);

/// One image of a batch, as a batch of one.
Array only_image(const Array& array, const Axes& axes, long long image);
Size size_of(const std::string& what, const Shape& shape, const Axes& axes, bool planar);
AnyMutableView view_of(const std::string& what, const Array& array, const Axes& axes, bool planar);

/// The same image with its channels side by side: itself where they are, else a copy with other
/// axes. Throws ValueError for arrays on a device, which are not copied.
Array with_channels_last(const std::string& what, const Array& array, Axes& axes);

/// As make_like, with the channels side by side whichever axis they are.
Array make_with_channels_adjacent(const Array& array, Shape shape, Type type, const Axes& axes);

/// A NumPy array that takes over an image: (row, column), with planes before and channels after
/// where there are more than one.
nb::object to_numpy(Image image);

/// The elements of a dtype: "int16", ">f4". None for those that no samples hold.
std::optional<Items> items_named(const std::string& dtype, ItemUse use);

/// The array with steps in elements; `items` are those of its dtype. Copies one whose elements are
/// not aligned; ValueError if it takes a result.
struct RawArray;
Array array_of(const RawArray& raw, const Items& items, const std::string& what, bool for_result);

/// TypeError: "noise: image has dtype int64; uint8 … work; image.astype("f8") is right …".
[[noreturn]] void throw_dtype(const std::string& what, const std::string& dtype,
                              const std::string& right, bool with_advice);

/// Throws ValueError: "faraday_synth: q is (3, 4) of float32; it must be (3, 5) of float32".
void check_array(const std::string& what, const Array& array, const Shape& shape, Type type);

/// Throws ValueError unless the result can be written and lies where the input lies.
void check_result(const std::string& what, const Array& result, const Array& input);

/// `out`, which must have this shape and type and lie where the input lies; None: a new array like
/// the input.
Array result_array(const std::string& what, nb::handle out, const Array& input, const Shape& shape,
                   Type type);

/// The NumPy name of a type, "float32", and the type that "f32", "float32" or a dtype means.
const char* dtype_name(const Items& items);
inline const char* dtype_name(Type type) { return dtype_name(items_of(type)); }
Type type_from_python(const std::string& what, nb::handle dtype, bool for_result = false);
/// The NumPy name of what "f32", "float32" or a dtype means, without its byte order.
std::string dtype_text(nb::handle dtype);

/// A packed array of that shape and dtype that is still to come: it has no data. TypeError or
/// ValueError name the operation.
Array expected_array(const std::string& operation, nb::handle shape, nb::handle dtype);
nb::tuple to_tuple(const Shape& shape);

/// "(4, 5, 3)"
std::string shape_text(const Shape& shape);

}  // namespace tessera::python
