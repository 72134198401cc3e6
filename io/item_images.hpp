// SPDX-License-Identifier: Apache-2.0
/// Images of elements that are not samples of this machine: other types, the other byte order, any
/// steps. Rows are converted where they are loaded and stored.
#pragma once

#include "core/items.hpp"
#include "core/strips.hpp"
#include "tessera/plan.hpp"

namespace tessera {

/// Elements in host memory; steps in bytes.
struct ItemView {
  unsigned char* data = nullptr;
  Items items;
  Size size;
  long long channel = 1, pixel = 1, row = 1, plane = 1;

  ImageInfo info() const { return {size, items.type, kHost}; }
};

class ItemSource : public RowSource {
 public:
  ItemSource(const ItemView& view, int threads) : view_(view), threads_(threads) {}
  ImageInfo info() const override { return view_.info(); }
  void read(Rows rows, AnyMutableView to) override;

 private:
  ItemView view_;
  int threads_;
};

class ItemSink : public RowSink {
 public:
  ItemSink(const ItemView& view, int threads) : view_(view), threads_(threads) {}
  void write(Rows rows, AnyView from) override;
  void finish() override {}

 private:
  ItemView view_;
  int threads_;
};

/// Whether some byte between the first and the last element of one lies between those of the other.
bool share_memory(const ItemView& a, const ItemView& b);

/// The sample of a value outside an image of such elements: integers take its whole part,
/// saturated, and float16 rounds it.
double sample_outside(const Items& items, double constant);

/// The plan's result for images of such elements, in strips that fit the stream's memory limit.
void run_items(const RowsPlan& plan, const ItemView& in, const ItemView& out, Stream& stream);

}  // namespace tessera
