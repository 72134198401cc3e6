// SPDX-License-Identifier: Apache-2.0
/// Views: where the pixels of an image lie. A view owns nothing and is free to copy.
///
/// This file includes nothing, because GPU kernels compiled at run time also read it.
#pragma once

#if defined(__CUDACC__)
#define TESSERA_BOTH __host__ __device__
#else
#define TESSERA_BOTH
#endif

namespace tessera {

/// The `device` of memory the CPU can read; GPUs count from 0.
inline constexpr int kHost = -1;

/// The type of a sample. Signed integers are types of results and of files: plans take images of
/// the first four.
enum class Type : unsigned char { u8, u16, f32, f64, i16, i32 };

TESSERA_BOTH constexpr int bytes_of(Type type) {
  return type == Type::u8                         ? 1
         : type == Type::u16 || type == Type::i16 ? 2
         : type == Type::f32 || type == Type::i32 ? 4
                                                  : 8;
}
TESSERA_BOTH constexpr bool is_integer(Type type) { return type != Type::f32 && type != Type::f64; }
TESSERA_BOTH constexpr bool is_signed_integer(Type type) {
  return type == Type::i16 || type == Type::i32;
}

template <class T>
struct TypeOf;
template <>
struct TypeOf<unsigned char> {
  static constexpr Type value = Type::u8;
};
template <>
struct TypeOf<unsigned short> {
  static constexpr Type value = Type::u16;
};
template <>
struct TypeOf<float> {
  static constexpr Type value = Type::f32;
};
template <>
struct TypeOf<double> {
  static constexpr Type value = Type::f64;
};
template <>
struct TypeOf<short> {
  static constexpr Type value = Type::i16;
};
template <>
struct TypeOf<int> {
  static constexpr Type value = Type::i32;
};
template <class T>
struct TypeOf<const T> : TypeOf<T> {};

/// Extents of an image. Channels are the samples of a pixel (R, G, B) and lie side by side;
/// planes are images of a batch, each with its own borders.
struct Size {
  int width = 0, height = 1, channels = 1, planes = 1;

  bool operator==(const Size&) const = default;
  TESSERA_BOTH constexpr long long pixels() const { return 1LL * width * height * planes; }
  TESSERA_BOTH constexpr long long samples() const { return pixels() * channels; }
  TESSERA_BOTH constexpr bool empty() const { return samples() == 0; }
};

/// A half-open range of rows. It may reach outside the image: see Piece.
struct Rows {
  int first = 0, end = 0;

  bool operator==(const Rows&) const = default;
  TESSERA_BOTH constexpr int count() const { return end - first; }
  TESSERA_BOTH constexpr bool contains(int row) const { return first <= row && row < end; }
};

/// The facts about images that a plan is made for.
struct ImageInfo {
  Size size;
  Type type = Type::f32;
  int device = kHost;

  bool operator==(const ImageInfo&) const = default;
};

/// Typed samples in memory. Steps count elements (not bytes) and may be negative or zero.
template <class T>
struct View {
  T* data = nullptr;
  Size size;
  long long pixel = 1, row = 0, plane = 0;
  int device = kHost;

  TESSERA_BOTH T& at(int x, int y, int channel = 0, int p = 0) const {
    return data[p * plane + y * row + x * pixel + channel];
  }
  View rows(int first, int count) const {
    View part = *this;
    part.data += first * row;
    part.size.height = count;
    return part;
  }
};

/// A view over packed samples: no gaps between pixels, rows or planes.
template <class T>
View<T> packed(T* data, Size size, int device = kHost) {
  const long long row = 1LL * size.width * size.channels;
  return {data, size, size.channels, row, row * size.height, device};
}

template <class Void, class Byte>
struct BasicAnyView {
  Void* data = nullptr;
  Type type = Type::f32;
  Size size;
  long long pixel = 1, row = 0, plane = 0;
  int device = kHost;

  ImageInfo info() const { return {size, type, device}; }

  /// The address of a pixel; the caller guarantees that `x` and `y` exist.
  Byte* address(long long x, long long y, long long p = 0) const {
    return static_cast<Byte*>(data) + (p * plane + y * row + x * pixel) * bytes_of(type);
  }
  BasicAnyView rows(int first, int count) const {
    BasicAnyView part = *this;
    part.data = address(0, first);
    part.size.height = count;
    return part;
  }
  /// A region of interest, without a copy; its own edges become the image's.
  BasicAnyView region(int x, int y, int width, int height) const {
    BasicAnyView part = *this;
    part.data = address(x, y);
    part.size.width = width;
    part.size.height = height;
    return part;
  }
  BasicAnyView only_plane(int p) const {
    BasicAnyView part = *this;
    part.data = address(0, 0, p);
    part.size.planes = 1;
    return part;
  }
  /// The typed view; the caller has checked `type`.
  template <class T>
  View<T> as() const {
    return {static_cast<T*>(data), size, pixel, row, plane, device};
  }
};

/// A view of run-time type that may be written.
struct AnyMutableView : BasicAnyView<void, unsigned char> {
  AnyMutableView() = default;
  AnyMutableView(const BasicAnyView& v) : BasicAnyView(v) {}
  template <class T>
  AnyMutableView(const View<T>& v)
      : BasicAnyView{v.data, TypeOf<T>::value, v.size, v.pixel, v.row, v.plane, v.device} {}
};

/// A read-only view of run-time type. Public classes take these, so they are not templates.
struct AnyView : BasicAnyView<const void, const unsigned char> {
  AnyView() = default;
  AnyView(const BasicAnyView& v) : BasicAnyView(v) {}
  AnyView(const BasicAnyView<void, unsigned char>& v)
      : BasicAnyView{v.data, v.type, v.size, v.pixel, v.row, v.plane, v.device} {}
  template <class T>
  AnyView(const View<T>& v)
      : BasicAnyView{v.data, TypeOf<T>::value, v.size, v.pixel, v.row, v.plane, v.device} {}
};

/// A run-time typed packed view.
inline AnyMutableView packed(void* data, const ImageInfo& info) {
  AnyMutableView view;
  const long long row = 1LL * info.size.width * info.size.channels;
  view.data = data;
  view.type = info.type;
  view.size = info.size;
  view.pixel = info.size.channels;
  view.row = row;
  view.plane = row * info.size.height;
  view.device = info.device;
  return view;
}

/// Some rows of an image and where they lie in the whole: view row 0 is image row `first_row`.
///
/// A piece may hold rows outside the image (first_row < 0, or past the end): they are used as
/// given. Rows outside the image that it does not hold follow the operation's border rule, and the
/// rows that rule names must then be in the piece.
struct Piece {
  AnyView view;
  int first_row = 0;

  Rows rows() const { return {first_row, first_row + view.size.height}; }
};

struct MutablePiece {
  AnyMutableView view;
  int first_row = 0;

  Rows rows() const { return {first_row, first_row + view.size.height}; }
};

}  // namespace tessera
