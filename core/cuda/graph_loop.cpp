// SPDX-License-Identifier: Apache-2.0
#include "core/graph_loop.hpp"

#include "core/cuda/kernel_clock.hpp"
#include "core/cuda/libraries.hpp"
#include "core/cuda/open_device.hpp"
#include "tessera/error.hpp"

namespace tessera {

#if CUDA_VERSION >= 12040

namespace {

using cuda::check;

// By the names of the library: cuda.h renames functions from release to release.
struct GraphFunctions {
  CUresult (*create)(CUgraph*, unsigned) = nullptr;
  CUresult (*destroy)(CUgraph) = nullptr;
  CUresult (*make_handle)(CUgraphConditionalHandle*, CUgraph, CUcontext, unsigned,
                          unsigned) = nullptr;
  CUresult (*add)(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*, std::size_t,
                  CUgraphNodeParams*) = nullptr;
  CUresult (*add_kernel)(CUgraphNode*, CUgraph, const CUgraphNode*, std::size_t,
                         const CUDA_KERNEL_NODE_PARAMS*) = nullptr;
  CUresult (*instantiate)(CUgraphExec*, CUgraph, unsigned long long) = nullptr;
  CUresult (*destroy_ready)(CUgraphExec) = nullptr;
  CUresult (*launch)(CUgraphExec, CUstream) = nullptr;
  std::string reason;

  GraphFunctions() {
    if (!cuda::find_driver(reason)) return;
    // find_driver has opened it; opening it once more gives the same one.
    static auto& library = *new cuda::Library("the NVIDIA driver", {"libcuda.so.1"});
    const bool all =
        library.load("cuGraphCreate", create) && library.load("cuGraphDestroy", destroy) &&
        library.load("cuGraphConditionalHandleCreate", make_handle) &&
        library.load("cuGraphAddNode_v2", add) &&
        library.load("cuGraphAddKernelNode_v2", add_kernel) &&
        library.load("cuGraphInstantiateWithFlags", instantiate) &&
        library.load("cuGraphExecDestroy", destroy_ready) && library.load("cuGraphLaunch", launch);
    int version = 0;
    cuda::driver().cuDriverGetVersion(&version);
    if (!all || version < 12040)
      reason = "the driver has no conditional nodes of graphs, which came with CUDA 12.4";
  }
};

const GraphFunctions& graph_functions() {
  static const auto& functions = *new GraphFunctions;
  return functions;
}

class CudaGraphLoop final : public GraphLoop {
 public:
  using Body = std::function<std::vector<LoopKernel>(unsigned long long handle)>;

  CudaGraphLoop(int device, const Body& body) : context_(cuda::open_device(device).context) {
    const cuda::CurrentContext current(context_);
    try {
      make(body);
    } catch (...) {
      release();
      throw;
    }
  }
  CudaGraphLoop(const CudaGraphLoop&) = delete;
  CudaGraphLoop& operator=(const CudaGraphLoop&) = delete;
  ~CudaGraphLoop() override {
    try {
      const cuda::CurrentContext current(context_);
      release();
    } catch (const Error&) {  // the device is lost, and its memory with it
    }
  }

  void launch(Stream& stream) const override {
    const cuda::CurrentContext current(context_);
    const auto queue = static_cast<CUstream>(stream.cuda_stream());
    const cuda::KernelMark mark(queue, false);  // its first launch may wait for the device
    check(calls_.launch(ready_, queue), "graph: launching a loop");
  }

 private:
  void make(const Body& body) {
    check(calls_.create(&graph_, 0), "graph: making one");
    CUgraphConditionalHandle handle = 0;
    // Every launch begins with 1: the body runs.
    check(calls_.make_handle(&handle, graph_, context_, 1, CU_GRAPH_COND_ASSIGN_DEFAULT),
          "graph: making a condition");
    CUgraphNodeParams loop = {};
    loop.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    loop.conditional.handle = handle;
    loop.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    loop.conditional.size = 1;
    loop.conditional.ctx = context_;
    CUgraphNode node = nullptr;
    check(calls_.add(&node, graph_, nullptr, nullptr, 0, &loop), "graph: adding a loop");
    add_kernels(loop.conditional.phGraph_out[0], body(handle));
    check(calls_.instantiate(&ready_, graph_, 0), "graph: making a loop ready");
  }
  void add_kernels(CUgraph inner, const std::vector<LoopKernel>& kernels) const {
    CUgraphNode before = nullptr;
    for (const LoopKernel& one : kernels) {
      void* parameters[] = {const_cast<std::byte*>(one.args.data())};  // the driver copies it
      CUDA_KERNEL_NODE_PARAMS params = {};
      params.func = static_cast<CUfunction>(one.kernel->native());
      params.gridDimX = one.grid.x, params.gridDimY = one.grid.y, params.gridDimZ = one.grid.z;
      params.blockDimX = one.block.x, params.blockDimY = one.block.y,
      params.blockDimZ = one.block.z;
      params.kernelParams = parameters;
      CUgraphNode node = nullptr;
      check(calls_.add_kernel(&node, inner, before ? &before : nullptr, before ? 1 : 0, &params),
            "graph: adding a kernel");
      before = node;
    }
  }
  void release() noexcept {
    if (ready_) calls_.destroy_ready(ready_);
    if (graph_) calls_.destroy(graph_);
    ready_ = nullptr;
    graph_ = nullptr;
  }

  const GraphFunctions& calls_ = graph_functions();
  CUcontext context_;
  CUgraph graph_ = nullptr;
  CUgraphExec ready_ = nullptr;
};

}  // namespace

std::string why_no_graph_loops() { return graph_functions().reason; }

std::unique_ptr<const GraphLoop> make_graph_loop(
    int device, const std::function<std::vector<LoopKernel>(unsigned long long handle)>& body) {
  if (const std::string reason = why_no_graph_loops(); !reason.empty())
    throw Error(ErrorKind::resources, "graph: " + reason);
  return std::make_unique<const CudaGraphLoop>(device, body);
}

#else

std::string why_no_graph_loops() {
  return "this build's toolkit has no conditional nodes of graphs, which came with CUDA 12.4";
}

std::unique_ptr<const GraphLoop> make_graph_loop(
    int, const std::function<std::vector<LoopKernel>(unsigned long long handle)>&) {
  throw Error(ErrorKind::resources, "graph: " + why_no_graph_loops());
}

#endif

}  // namespace tessera
