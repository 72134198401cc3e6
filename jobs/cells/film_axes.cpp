// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_axes.hpp"

#include <fmt/format.h>

#include "core/refuse.hpp"
#include "jobs/cells/film_projection.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "0 to 4", or "0".
std::string places_text(int size) { return size == 1 ? "0" : fmt::format("0 to {}", size - 1); }

void check_place(const std::string& name, const char* option, const char* axis, int value,
                 int size) {
  if (value < 0 || value >= size)
    refuse(name,
           fmt::format("there is no {} {}; {} can be {}", axis, value, option, places_text(size)));
}

/// Sentences that name all axes, because one option alone is rarely what was forgotten.
void check_choice(const std::string& name, const StackAxes& axes, const FilmChoice& choice) {
  if (choice.channel && axes.channels == 1)
    refuse(name, "it has no axis of channels; leave --channel out");
  if (choice.z && axes.slices == 1) refuse(name, "it has no axis of slices; leave --z out");
  if (choice.channel) check_place(name, "--channel", "channel", *choice.channel, axes.channels);
  if (choice.z && !choice.z->maximum)
    check_place(name, "--z", "slice", choice.z->index, axes.slices);
  const bool needs_channel = axes.channels > 1 && !choice.channel;
  const bool needs_z = axes.slices > 1 && axes.frames > 1 && !choice.z;
  if (!needs_channel && !needs_z) return;
  std::string advice;
  if (needs_channel)
    advice = fmt::format("--channel {} to choose a channel", places_text(axes.channels));
  if (needs_z)
    advice += fmt::format("{}--z {} to choose a slice or --z max for their maximum",
                          advice.empty() ? "" : ", and ", places_text(axes.slices));
  refuse(name, fmt::format("it has {}; give {}", axes.text(), advice));
}

/// The planes of every frame, of which the maximum is taken.
class FramesOfStack : public ImageSource {
 public:
  FramesOfStack(const std::string& name, std::unique_ptr<ImageSource> stack, StackAxes axes,
                int frames, int channel, std::optional<FilmSlice> slice)
      : name_(name),
        stack_(std::move(stack)),
        axes_(std::move(axes)),
        channel_(channel),
        slice_(slice),
        info_(stack_->info()) {
    info_.size.planes = frames;
  }

  ImageInfo info() const override { return info_; }
  bool planes_in_turn() const override { return stack_->planes_in_turn(); }
  std::string format() const override { return stack_->format(); }
  std::vector<std::string> warnings() const override { return stack_->warnings(); }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    if (!slice_) {  // slices are frames, or frames have one slice
      const bool by_slice = axes_.slices > 1;
      read_place(by_slice ? 0 : plane, by_slice ? plane : 0, rows, to);
    } else if (!slice_->maximum) {
      read_place(plane, slice_->index, rows, to);
    } else {
      read_place(plane, 0, rows, to);
      ImageInfo part = info_;
      part.size.planes = 1;
      part.size.height = rows.count();
      Image next(part);
      for (int slice = 1; slice < axes_.slices; ++slice) {
        read_place(plane, slice, rows, next.view());
        keep_maximum(std::as_const(next).view(), to);
      }
    }
  }

 private:
  void read_place(int frame, int slice, Rows rows, AnyMutableView to) {
    const int plane = axes_.plane(frame, slice, channel_);
    if (plane < 0 || plane >= stack_->info().size.planes)
      refuse_input(name_, fmt::format("it has no page for frame {}, slice {}, channel {}", frame,
                                      slice, channel_));
    stack_->read_plane(plane, rows, to);
  }

  std::string name_;
  std::unique_ptr<ImageSource> stack_;
  StackAxes axes_;
  int channel_;
  std::optional<FilmSlice> slice_;
  ImageInfo info_;
};

bool in_file_order(const StackAxes& axes, int planes) {
  for (std::size_t place = 0; place < axes.planes.size(); ++place)
    if (axes.planes[place] != static_cast<int>(place)) return false;
  return std::ssize(axes.planes) == planes;
}

}  // namespace

std::string to_text(const FilmSlice& value) {
  return value.maximum ? "max" : std::to_string(value.index);
}

void from_text(std::string_view what, std::string_view text, FilmSlice& value) {
  value = {0, text == "max"};
  if (value.maximum) return;
  try {
    from_text(what, text, value.index);
  } catch (const Error&) {
    refuse(what, fmt::format("'{}' is not a slice; it can be a number from 0 on, or max", text));
  }
}

std::unique_ptr<ImageSource> frames_of_stack(const std::string& name,
                                             std::unique_ptr<ImageSource> stack,
                                             const StackAxes& axes, const FilmChoice& choice,
                                             std::vector<std::string>& notes) {
  if (!axes.wrong.empty()) refuse_input(name, axes.wrong);
  for (const std::string& note : axes.notes) notes.push_back(fmt::format("{}: {}", name, note));
  check_choice(name, axes, choice);
  if (axes.planes.empty()) return stack;
  const bool slices_are_frames = axes.slices > 1 && axes.frames == 1 && !choice.z;
  if (slices_are_frames)
    notes.push_back(fmt::format(
        "{}: its {} slices are taken as frames, because it has no other axis of time; --z chooses "
        "one of them",
        name, axes.slices));
  if (axes.channels == 1 && (axes.slices == 1 || slices_are_frames) &&
      in_file_order(axes, stack->info().size.planes))
    return stack;
  return std::make_unique<FramesOfStack>(name, std::move(stack), axes,
                                         slices_are_frames ? axes.slices : axes.frames,
                                         choice.channel.value_or(0), choice.z);
}

}  // namespace tessera
