// SPDX-License-Identifier: Apache-2.0
/// A plan of the library over Python arrays, for operations that turn an image into an image.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <string>
#include <utility>

#include "python/item_arrays.hpp"
#include "python/long_call.hpp"
#include "python/made_with.hpp"
#include "python/options_python.hpp"
#include "python/plans_by_key.hpp"
#include "tessera/error.hpp"

namespace tessera::python {

/// The images that all plans take, for docstrings.
inline const std::string kImageArray =
    R"(image: (rows, columns), with channel_axis or batch_axis more; uint8, uint16, float32 or float64, of
    NumPy, CuPy, torch or anything with __dlpack__ or __cuda_array_interface__. Any strides, no copy.
    In host memory also bool, int8, int16, int32, uint32 and float16, in both byte orders: rows are
    converted where they are read and where they are written.
)";

/// How an operation treats channels: as separate images, or as colours that it takes together.
enum class Channels { apart, colours };

/// The axes that are neither channels nor images of a batch.
inline int free_axes(const Array& like, const RunOptions& run) {
  return static_cast<int>(like.shape.size()) - (run.channel_axis ? 1 : 0) -
         (run.batch_axis ? 1 : 0);
}

inline bool is_volume(const Array& like, const RunOptions& run) {
  return like.shape.size() == 3 && free_axes(like, run) == 3;
}

/// The library's plans are for one layout and device; this one takes every array of its shape and
/// type and makes the plan a layout needs when it first meets it. Threads may share it.
template <class Plan>
class ImagePlan : public MadeWith {
 public:
  using Make = std::function<Plan(const ImageInfo&)>;

  /// `like`: an array such as is expected; its plan is made now, so that errors come now. If
  /// channels are colours and the result has only one, the result lacks their axis. `own_dtype`:
  /// a result of the input's type has its dtype.
  ImagePlan(const std::string& operation, const Array& like, const RunOptions& run, Make make,
            Channels channels = Channels::apart, bool own_dtype = true)
      : channels_(channels),
        image_name_(operation + ": image"),
        result_name_(operation + ": out"),
        line_(takes_lines() ? line_axis(like.shape, run.channel_axis, run.batch_axis)
                            : std::nullopt),
        volume_(takes_lines() && is_volume(like, run)),
        given_shape_(like.shape),
        shape_(seen(like).shape),
        type_(like.type),
        items_(like.items),
        run_(own_axes(run, like)),
        axes_(find_axes(image_name_, shape_, run_.channel_axis, run_.batch_axis)),
        make_(std::move(make)) {
    packed_ = layout_of(seen(like), seen(like));
    const ImageInfo output = plan_for(packed_, like.device).output();
    result_shape_ = shape_;
    result_axes_ = axes_;
    result_shape_[axes_.row] = output.size.height;
    result_shape_[axes_.column] = output.size.width;
    if (volume_) result_shape_[*axes_.batch] = output.size.planes;
    result_items_ = output.type == type_ && own_dtype ? items_ : items_of(output.type);
    if (channels_ == Channels::colours && axes_.channel) set_channels(output.size.channels);
    given_result_shape_ = result_shape_;
    if (line_) given_result_shape_.erase(given_result_shape_.begin() + *line_);
  }

  nb::object operator()(const Array& image, nb::handle out) {
    check_numbers(image_name_, image, given_shape_, items_);
    if (channels_ == Channels::colours) return run_colours(as_samples(image_name_, image), out);
    const Array result =
        result_of_numbers(result_name_, out, image, given_result_shape_, result_items_);
    run_apart(seen(image), seen(result));
    return result.object;
  }

  /// `image` is looked at for what the dtypes mean that the plan was made for.
  nb::object operator()(nb::handle image, nb::handle out) {
    const bool in_order = items_.offset() != 0;
    return (*this)(look_at_numbers(image, image_name_, in_order ? ItemUse::order : ItemUse::values),
                   out);
  }

  const Shape& output_shape() const { return given_result_shape_; }
  const char* output_dtype() const { return dtype_name(result_items_); }

  /// One line per layout and device met so far.
  std::string describe() const { return plans_.describe(); }

  /// The plan for arrays in host memory without gaps.
  Plan packed_plan() { return plan_for(packed_, kHost); }

  /// Rows of the result, from a piece of the image: an array without gaps of its rows from
  /// `first_row` on, those that needed_rows names.
  nb::object run_rows(nb::handle given, int first_row, Rows wanted) {
    const Array image = piece_of(given);
    const Array result =
        result_of_numbers(result_name_, nb::none(), image, shape_of_rows(wanted), result_items_);
    run_piece(seen(image), first_row, seen(result), wanted);
    return result.object;
  }

  int result_rows() const { return static_cast<int>(result_shape_[result_axes_.row]); }

 protected:
  /// A piece of the image: an array of its shape except for the number of rows.
  Array piece_of(nb::handle given) const {
    const Array image = look_at_numbers(given, image_name_,
                                        items_.offset() != 0 ? ItemUse::order : ItemUse::values);
    const Array rows = image.shape.size() == given_shape_.size() ? seen(image) : image;
    Shape expected = shape_;
    if (rows.shape.size() == shape_.size()) expected[axes_.row] = rows.shape[axes_.row];
    check_numbers(image_name_, rows, expected, items_);
    if (image.device != kHost || layout_of(rows, rows) != packed_)
      throw_usage(image_name_ +
                  " is a piece with gaps, or not in host memory; give a NumPy array "
                  "that is C-contiguous");
    return image;
  }
  /// The result's shape with only these rows.
  Shape shape_of_rows(Rows wanted) const {
    if (wanted.first < 0 || wanted.first > wanted.end || wanted.end > result_rows())
      throw_usage(result_name_ + " has rows 0 to " + std::to_string(result_rows()) + "; rows " +
                  std::to_string(wanted.first) + " to " + std::to_string(wanted.end) +
                  " are not among them");
    Shape shape = result_shape_;
    shape[result_axes_.row] = wanted.count();
    if (line_) shape.erase(shape.begin() + *line_);
    return shape;
  }
  /// Without the interpreter's lock, on the thread's own stream, unless the caller says how much of
  /// the machine it may take.
  template <class Work>
  void with_stream(const Plan& plan, Work work) const {
    const LongCall unlocked;
    const bool own = run_.threads == 0 && run_.memory_limit == 0;
    std::optional<Stream> made;
    if (!own) made.emplace(plan.device(), run_.threads, run_.memory_bytes());
    Stream& stream = own ? thread_stream(plan) : *made;
    work(stream);
    stream.wait();
  }

  const std::string& image_name() const { return image_name_; }
  const Axes& axes() const { return axes_; }
  const Axes& result_axes() const { return result_axes_; }
  Type result_type() const { return result_items_.type; }

 private:
  static constexpr bool takes_lines() { return std::is_base_of_v<RowsPlan, Plan>; }

  /// The planes of a volume are seen as those of a batch are: weights of three axes join them.
  RunOptions own_axes(RunOptions run, const Array& like) const {
    if (line_) return run.with_axis(*line_, static_cast<int>(like.shape.size()));
    if (volume_) run.batch_axis = 0;
    return run;
  }

  /// A line is seen as one row.
  Array seen(const Array& array) const { return line_ ? with_row_axis(array, *line_) : array; }

  void run_apart(const Array& image, const Array& result) {
    const Layout layout = layout_of(image, result);
    const Plan plan = plan_for(layout, image.device);
    if (layout != Layout::image_by_image) return run_layout(image, result, layout, plan);
    for (long long i = 0; i < shape_[*axes_.batch]; ++i)
      run_layout(only_image(image, axes_, i), only_image(result, axes_, i), layout, plan);
  }

  void run_piece(const Array& image, int first_row, const Array& result, Rows wanted) {
    const Plan plan = packed_plan();
    const long long pieces = packed_ == Layout::image_by_image ? shape_[*axes_.batch] : 1;
    const bool planar = packed_ != Layout::adjacent;
    for (long long i = 0; i < pieces; ++i) {
      const bool all = packed_ != Layout::image_by_image;
      const Array from = all ? image : only_image(image, axes_, i),
                  to = all ? result : only_image(result, axes_, i);
      with_stream(plan, [&](Stream& stream) {
        if (from.shows_samples() && to.shows_samples())
          plan({view_of(image_name_, from, axes_, planar), first_row},
               {view_of(result_name_, to, axes_, planar), wanted.first}, stream);
        else
          run_item_rows(plan, item_view_of(image_name_, from, axes_, planar), first_row,
                        item_view_of(result_name_, to, axes_, planar), wanted.first, stream);
      });
    }
  }

  Plan plan_for(Layout layout, int device) {
    return plans_.get({layout, device}, [&] {
      Shape shape = shape_;
      if (layout == Layout::image_by_image) shape[*axes_.batch] = 1;
      return make_({size_of(image_name_, shape, axes_, layout != Layout::adjacent), type_, device});
    });
  }

  Layout layout_of(const Array& image, const Array& result) const {
    if (channels_ == Channels::colours) return Layout::adjacent;
    if (image.shows_samples() && result.shows_samples()) return common_layout(image, result, axes_);
    return packed_layout(shape_, axes_);
  }

  void run_layout(const Array& image, const Array& result, Layout layout, const Plan& plan) const {
    const bool planar = layout != Layout::adjacent;
    if constexpr (std::is_base_of_v<RowsPlan, Plan>) {
      if (!image.shows_samples() || !result.shows_samples())
        return run_elements(item_view_of(image_name_, image, axes_, planar),
                            item_view_of(result_name_, result, axes_, planar), plan);
    }
    run(image, result, {view_of(image_name_, image, axes_, planar)},
        {view_of(result_name_, result, axes_, planar)}, plan);
  }

  void set_channels(int channels) {
    const int axis = *axes_.channel;
    if (channels > 1 || shape_[axis] == 1) {
      result_shape_[axis] = channels;
      return;
    }
    result_shape_.erase(result_shape_.begin() + axis);
    const auto moved = [axis](int other) { return other - (other > axis ? 1 : 0); };
    result_axes_ = {moved(axes_.row), moved(axes_.column), std::nullopt, std::nullopt};
    if (axes_.batch) result_axes_.batch = moved(*axes_.batch);
  }

  // Colours are samples of a pixel, side by side.
  nb::object run_colours(const Array& image, nb::handle out) {
    const Type type = result_items_.type;
    const Array result = out.is_none()
                             ? make_with_channels_adjacent(image, result_shape_, type, result_axes_)
                             : result_array(result_name_, out, image, result_shape_, type);
    if (!channels_adjacent(result, result_axes_))
      throw Error(ErrorKind::usage,
                  result_name_ +
                      " must have its channels side by side: the last axis of a packed "
                      "array, or leave it out");
    Axes axes = axes_;
    const Array adjacent = with_channels_last(image_name_, image, axes);
    run(adjacent, result, {view_of(image_name_, adjacent, axes, false)},
        {view_of(result_name_, result, result_axes_, false)},
        plan_for(Layout::adjacent, image.device));
    return result.object;
  }

  void run(const Array& image, const Array& result, const Piece& from, const MutablePiece& to,
           const Plan& plan) const {
    if (image.device != kHost) return enqueue(image, result, from, to, plan);
    with_stream(plan, [&](Stream& stream) { call(plan, from, to, stream); });
  }

  void run_elements(const ItemView& from, const ItemView& to, const Plan& plan) const {
    if (share_memory(from, to))
      throw Error(ErrorKind::usage, result_name_ +
                                        " shares memory with the image; give the output its own "
                                        "memory");
    with_stream(plan, [&](Stream& stream) { run_items(plan, from, to, stream); });
  }

  // As a whole image if the plan has such a call: it may do more than the call for some rows.
  static void call(const Plan& plan, const Piece& from, const MutablePiece& to, Stream& stream) {
    if constexpr (requires { plan(from.view, to.view, stream); })
      plan(from.view, to.view, stream);
    else
      plan(from, to, stream);
  }

  // On the stream of the image's library; waits only where the caller could not know that stream.
  void enqueue(const Array& image, const Array& result, const Piece& from, const MutablePiece& to,
               const Plan& plan) const {
    Stream stream = library_stream(image);
    const bool same_library = image.library == result.library && image.library != Library::other;
    if (!same_library) stream.after(library_stream(result));
    const LongCall unlocked;
    call(plan, from, to, stream);
    if (!same_library) stream.wait();
  }

  Channels channels_;
  std::string image_name_, result_name_;
  std::optional<int> line_;  ///< where a line's axis of rows goes
  bool volume_;
  Shape given_shape_, given_result_shape_;
  Shape shape_, result_shape_;
  Type type_;
  Items items_, result_items_;
  RunOptions run_;
  Axes axes_, result_axes_;
  Make make_;
  Layout packed_ = Layout::adjacent;               ///< of the array that the plan was made for
  KeptPlans<Plan, std::pair<Layout, int>> plans_;  ///< by layout and device
};

/// Hints for arrays of three axes.
inline constexpr const char* kVolumeHint = "a volume needs weights, or a size, of three axes";
inline constexpr const char* kNoVolumeHint =
    "only convolve, erode, dilate and the rank filters take volumes";

/// How many axes of the image are filtered: 1 for a line, 3 for a volume, else 2. Throws ValueError
/// for three if the weights, or the size of a window, are not made for a volume.
inline int filtered_axes(const std::string& what, const Array& like, const RunOptions& run,
                         bool for_volumes, const char* hint = kVolumeHint) {
  const int axes = free_axes(like, run);
  if (axes != 3 || (for_volumes && is_volume(like, run))) return axes;
  try {
    find_axes(what, like.shape, run.channel_axis, run.batch_axis);
  } catch (const Error& error) {
    throw_usage(error.what() + std::string("; ") + hint);
  }
  return axes;
}
inline int filtered_axes(const std::string& what, const Array& like, const RunOptions& run,
                         nb::handle weights, const char* hint = kVolumeHint) {
  return filtered_axes(what, like, run, has_three_axes(weights), hint);
}

/// The methods of every plan class: __call__, describe, output_shape and what pickle needs.
template <class Class>
void add_calls(nb::class_<Class>& bound) {
  using namespace nb::literals;
  add_pickling(bound);
  bound
      .def(
          "__call__",
          [](Class& self, nb::handle image, nb::handle out) { return self(image, out); }, "image"_a,
          "out"_a = nb::none(),
          nb::sig("def __call__(self, image: typing.Any, out: typing.Any = None) -> typing.Any"))
      .def("describe", &Class::describe, "The methods that run, one line per layout met so far.")
      .def_prop_ro(
          "output_shape", [](const Class& self) { return to_tuple(self.output_shape()); },
          nb::sig("def output_shape(self) -> tuple[int, ...]"))
      .def_prop_ro("output_dtype", &Class::output_dtype, nb::sig("def output_dtype(self) -> str"));
}

}  // namespace tessera::python
