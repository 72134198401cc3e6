// SPDX-License-Identifier: Apache-2.0
/// Values as bytes in a text, for processes of the same program on the same kind of machine.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera {

class PackedText {
 public:
  PackedText() = default;
  explicit PackedText(std::string text) : text_(std::move(text)) {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_bytes(const void* bytes, std::size_t count) {
    text_.append(static_cast<const char*>(bytes), count);
  }
  /// All that has not been taken.
  std::string rest() const { return text_.substr(next_); }
  /// Values come out in the order in which they were put in.
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    text_.copy(reinterpret_cast<char*>(&value), sizeof value, next_);
    next_ += sizeof value;
    return value;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t next_ = 0;
};

}  // namespace tessera
