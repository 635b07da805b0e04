/*===- gyre/runtime.h - The C interface of Gyre's runtime --------*- C -*-===*\
|*                                                                            *|
|* All that a program needs in order to call kernels that gyrec has compiled. *|
|* C11 and C++17; no other header of Gyre is included.                        *|
|*                                                                            *|
|* Rules that hold for every function here:                                   *|
|*  - It returns a gyre_status unless its comment says otherwise. On an error *|
|*    nothing that the caller owns has been written, and gyre_last_error()    *|
|*    has the text.                                                           *|
|*  - It never prints, exits, throws or allocates (two exceptions: the default*|
|*    of gyre_parallel_for starts threads; the first use of a GPU loads the   *|
|*    CUDA driver, and the first launch of a kernel its code).                *|
|*  - It may be called from any thread; there is no state but the text of the *|
|*    last error, one a thread, the hook of gyre_set_parallel_for, and what   *|
|*    the CUDA driver has loaded.                                             *|
|*  - Sizes and strides count elements unless the name says bytes.            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef GYRE_RUNTIME_H
#define GYRE_RUNTIME_H

#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define GYRE_API __attribute__((visibility("default")))
#else
#define GYRE_API
#endif

#define GYRE_VERSION_MAJOR 0
#define GYRE_VERSION_MINOR 1
#define GYRE_VERSION_PATCH 0

/* The alignment in bytes of a workspace and of the memory of a map. */
#define GYRE_ALIGNMENT 64

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Status and errors                                                          *|
\*===----------------------------------------------------------------------===*/

typedef enum gyre_status {
  GYRE_OK = 0,
  /* A NULL, a negative size or stride, misaligned data, memory that overlaps,
     a map that gyre_map_build did not make. */
  GYRE_ERROR_INVALID_ARGUMENT = 1,
  /* Another element type than the kernel was compiled for. */
  GYRE_ERROR_DTYPE = 2,
  /* Another rank, or sizes that do not fit together. */
  GYRE_ERROR_SHAPE = 3,
  /* Data on another kind of device than the kernel was compiled for. */
  GYRE_ERROR_DEVICE = 4,
  /* An index that refers to no node. */
  GYRE_ERROR_INDEX = 5,
  /* A workspace (or memory for a map) that is missing, small or misaligned. */
  GYRE_ERROR_WORKSPACE = 6,
  /* Sizes beyond what the runtime can count. */
  GYRE_ERROR_LIMIT = 7,
  /* The kernel was compiled for another version of this runtime. */
  GYRE_ERROR_VERSION = 8,
  /* No CUDA driver, no code for the device, or an error of the driver. */
  GYRE_ERROR_DRIVER = 9
} gyre_status;

/* The text of the last error of this thread, "" if there was none: one line
   "[id] function: argument `name`: expected ..., got ...". The id is stable,
   the rest is for people. Calls that succeed leave the text alone. The pointer
   is never NULL and is good until the thread ends; the next error of the thread
   overwrites the text. */
GYRE_API const char *gyre_last_error(void);

/* The version of the library that was loaded, "major.minor.patch". */
GYRE_API const char *gyre_version(void);

/*===----------------------------------------------------------------------===*\
|* Tensors                                                                    *|
\*===----------------------------------------------------------------------===*/

/* Kinds of device, numbered as in DLPack (DLDeviceType). */
enum { GYRE_DEVICE_CPU = 1, GYRE_DEVICE_CUDA = 2 };

/* DLPack's DLDevice. The id of a CPU is ignored. */
typedef struct gyre_device {
  int32_t type;
  int32_t id;
} gyre_device;

/* DLPack's DLDataType: class of type, bits of one lane, number of lanes (Gyre
   takes 1 lane only). */
typedef struct gyre_data_type {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} gyre_data_type;

/* The element types of Gyre, as code | bits << 8 of their gyre_data_type. An i1
   is one byte, 0 or 1 (kDLBool). */
typedef enum gyre_dtype {
  GYRE_DTYPE_I8 = 0x0800,
  GYRE_DTYPE_I16 = 0x1000,
  GYRE_DTYPE_I32 = 0x2000,
  GYRE_DTYPE_I64 = 0x4000,
  GYRE_DTYPE_F16 = 0x1002,
  GYRE_DTYPE_F32 = 0x2002,
  GYRE_DTYPE_F64 = 0x4002,
  GYRE_DTYPE_BF16 = 0x1004,
  GYRE_DTYPE_I1 = 0x0806
} gyre_dtype;

/* The gyre_data_type of an element type. No errors. */
static inline gyre_data_type gyre_data_type_of(gyre_dtype dtype) {
  gyre_data_type type;
  type.code = (uint8_t)((unsigned)dtype & 0xffu);
  type.bits = (uint8_t)((unsigned)dtype >> 8);
  type.lanes = 1;
  return type;
}

/* A view of somebody's array; the layout is that of DLPack's DLTensor, so a
   DLTensor pointer may be cast.

   The first element is at data + byte_offset and must be aligned to the size of
   an element. `shape` has `ndim` sizes >= 0 (NULL is fine if ndim is 0).
   `strides` has `ndim` strides in elements, or is NULL for a compact row-major
   array. Strides must be >= 0; those of a size of 0 or 1, or of a tensor
   without elements, are ignored. Arguments may have stride 0 (broadcast);
   results may not. `data` may be NULL only if there are no elements. */
typedef struct gyre_tensor {
  void *data;
  gyre_device device;
  int32_t ndim;
  gyre_data_type dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} gyre_tensor;

/*===----------------------------------------------------------------------===*\
|* Calling a kernel                                                           *|
\*===----------------------------------------------------------------------===*/

/* Flags of a context. */
enum {
  /* Check that every map is as gyre_map_build left it, all of its arrays and
     counts, before the kernel runs (GYRE_ERROR_INDEX). Takes time in proportion
     to the entries. */
  GYRE_CHECK_MAPS = 1u
};

/* What a call may use. Start from a zeroed struct. A kernel takes a NULL
   context where its workspace has 0 bytes. The workspace may be used by one
   call at a time and has no meaning between calls. */
typedef struct gyre_context {
  /* At least NAME_workspace() bytes, aligned to GYRE_ALIGNMENT, on the device
     of the kernel, apart from every argument and result. */
  void *workspace;
  int64_t workspace_bytes;
  /* The CUstream of a GPU kernel, NULL for the default stream of the thread's
     current CUDA context; CPU kernels ignore it. The kernel runs on it after
     the call has returned: operands and workspace must live until then. */
  void *stream;
  /* GYRE_CHECK_MAPS or 0; other bits are refused. 0 for GPU kernels. */
  uint64_t flags;
} gyre_context;

/*===----------------------------------------------------------------------===*\
|* Index maps                                                                 *|
\*===----------------------------------------------------------------------===*/

/* The most entries, and the most target nodes, of a map. */
#define GYRE_MAP_LIMIT INT64_C(2147483647)

/* "GMAP" and the version of the struct below. */
#define GYRE_MAP_MAGIC 0x50414d47u
#define GYRE_MAP_VERSION 1u

/* The chunk length that gyre_map_build takes for 0. */
#define GYRE_MAP_CHUNK_LENGTH INT64_C(256)

/* References from the positions of an array (edges, neighbour slots) to
   `target` nodes, with their transpose. Made once per graph by gyre_map_build;
   read-only from then on; any number of kernels and threads may use it at once.
   A copy of the struct is the same map. All pointers point into `memory`, which
   must outlive the map; gyre_map_to_cuda makes one whose arrays are on a GPU,
   gyre_map_of_cuda one of arrays that are there already.

   Positions are numbered row-major over the shape, from 0. A position of a
   padded map may refer to nothing: it is a pad. */
typedef struct gyre_map {
  uint32_t magic;   /* GYRE_MAP_MAGIC */
  uint32_t version; /* GYRE_MAP_VERSION */
  gyre_device device;
  int32_t padded;       /* 1 if pads are allowed, else 0 */
  int32_t rank;         /* number of axes, >= 1 */
  const int64_t *shape; /* [rank]; host memory */
  int64_t entries;      /* product of the shape */
  int64_t valid;        /* entries that are no pads */
  int64_t target;       /* number of nodes that can be referred to */

  const int32_t *index; /* [entries] node of each position; pads: `target` */
  /* [entries] all positions: first those of node 0, in ascending order, then
     those of node 1, and so on; the pads, ascending, last. */
  const int32_t *order;
  const int32_t *ptr; /* [target + 1] order[ptr[n]..ptr[n+1]) refer to node n */

  /* Nodes with more than chunk_length references, in ascending order, cut into
     chunks of chunk_length references (the last of a node may be shorter), so
     that many threads can share a node: sum each chunk, then the sums of a node
     in the order of its chunks. The cut depends on the map alone, hence so do
     the sums. At most 2 * entries / (chunk_length + 1) chunks. */
  int64_t chunk_length;
  int64_t heavy_nodes;
  int64_t chunks;
  const int32_t
      *heavy; /* [heavy_nodes][3] node, its first chunk, end of them */
  const int32_t *chunk; /* [chunks][3] node, begin and end in `order` */

  const void *memory; /* what gyre_map_build was given; NULL of arrays */
  int64_t bytes;      /* what gyre_map_bytes said; 0 of arrays */
} gyre_map;

/* Writes to *bytes the memory that gyre_map_build needs for a map with the
   shape of `index` to `target` nodes. Of `index` only shape and ndim matter;
   its data may be missing. The bytes depend on the product and the number of
   its sizes, on `target` and on `chunk_length`, nothing else. Errors: those of
   gyre_map_build that concern these arguments. */
GYRE_API gyre_status gyre_map_bytes(const gyre_tensor *index, int64_t target,
                                    int64_t chunk_length, int64_t *bytes);

/* clang-format off */
/* Builds a map in `memory`, in time O(entries + target), on this thread.

   index          i32 or i64 tensor on the CPU, rank >= 1, any strides >= 0
   target         number of nodes, 0 to GYRE_MAP_LIMIT
   padded         0: every index must be in [0, target). Not 0: an index >=
                  target is a pad, and only negative ones are refused
   chunk_length   references per chunk of a node of high degree, >= 1; 0 for
                  GYRE_MAP_CHUNK_LENGTH
   memory, bytes  at least gyre_map_bytes() bytes aligned to GYRE_ALIGNMENT,
                  apart from the index; stays the caller's, and must outlive
                  the map
   map            where the handle goes

   Errors: GYRE_ERROR_INDEX names the first position with a bad index and its
   value; GYRE_ERROR_LIMIT for more than GYRE_MAP_LIMIT entries or nodes;
   GYRE_ERROR_WORKSPACE for the memory; GYRE_ERROR_DTYPE, _DEVICE, _SHAPE,
   _INVALID_ARGUMENT for the rest. Neither memory nor map is written then. */
/* clang-format on */
GYRE_API gyre_status gyre_map_build(const gyre_tensor *index, int64_t target,
                                    int32_t padded, int64_t chunk_length,
                                    void *memory, int64_t bytes, gyre_map *map);

/* clang-format off */
/* Copies a map to a GPU, for kernels there: one copy of its memory, enqueued on
   a stream. Do it once per graph, as the build.

   map            a map that gyre_map_build made. Its memory must live as long as
                  the new map (the shape stays there), and, being read when the
                  stream comes to the copy, be unchanged
   device_id      number of the CUDA device (its ordinal)
   memory, bytes  at least map->bytes bytes of that device (a CUdeviceptr),
                  aligned to GYRE_ALIGNMENT; stays the caller's
   stream         CUstream, or NULL for the default one; the copy may be
                  captured in a CUDA graph only if the map's memory is pinned
   copy           where the new handle goes

   Errors: GYRE_ERROR_WORKSPACE for the memory, GYRE_ERROR_DRIVER for what the
   driver says; GYRE_ERROR_DEVICE, _INVALID_ARGUMENT, _VERSION for the map. */
/* clang-format on */
GYRE_API gyre_status gyre_map_to_cuda(const gyre_map *map, int32_t device_id,
                                      void *memory, int64_t bytes, void *stream,
                                      gyre_map *copy);

/* clang-format off */
/* Makes a map of arrays that are on a GPU: of an index that is there, sorted
   there by what the program has for that (CUB, thrust, PyTorch). Nothing is
   read, written or copied, and no stream waited for.

   index          compact i32 tensor of the GPU, rank >= 1: the node of each
                  position; pads are `target`. Its shape must outlive the map,
                  as its data and those of the next two
   order, ptr     compact i32 tensors of the same GPU, [entries] and
                  [target + 1], as gyre_map has them. All three are aligned to
                  GYRE_ALIGNMENT
   target         number of nodes, 0 to GYRE_MAP_LIMIT
   padded         not 0 if pads are allowed
   valid          number of entries that are no pads: what ptr ends with
   map            where the handle goes. No node of it is cut into chunks: its
                  chunk_length is the number of entries

   What the arrays hold is the caller's to check, an index that refers to no
   node above all. Errors: GYRE_ERROR_DEVICE, _DTYPE, _SHAPE, _LIMIT,
   _INVALID_ARGUMENT. */
/* clang-format on */
GYRE_API gyre_status gyre_map_of_cuda(const gyre_tensor *index,
                                      const gyre_tensor *order,
                                      const gyre_tensor *ptr, int64_t target,
                                      int32_t padded, int64_t valid,
                                      gyre_map *map);

/*===----------------------------------------------------------------------===*\
|* Parallel loops on the CPU                                                  *|
\*===----------------------------------------------------------------------===*/

/* Work on the half-open range [begin, end) of a loop. */
typedef void (*gyre_range_function)(void *data, int64_t begin, int64_t end);

/* Work on one block. */
typedef void (*gyre_block_function)(void *task, int64_t block);

/* How to run blocks in parallel: `run` calls block(task, i) once for each i in
   [0, blocks), in any order and on any threads, and returns when all calls have
   returned. It is called from many threads at once if kernels are. */
typedef struct gyre_parallel_for_hook {
  void (*run)(void *data, int64_t blocks, gyre_block_function block,
              void *task);
  void *data;
} gyre_parallel_for_hook;

/* Makes CPU kernels run their loops with `hook`, or with the runtime's own way
   for NULL. Takes effect for loops that start afterwards; the struct is not
   copied and must stay alive and unchanged while a kernel may use it.
   Errors: GYRE_ERROR_INVALID_ARGUMENT for a hook without `run`.

   The runtime's own way starts threads for each loop of more than one block and
   joins them at its end (or uses OpenMP, if built with GYRE_RUNTIME_OPENMP);
   loops inside such a block run on the thread they are in. */
GYRE_API gyre_status gyre_set_parallel_for(const gyre_parallel_for_hook *hook);

/* Calls body(data, begin, end) on [i * grain, min((i + 1) * grain, count)) for
   each i, in parallel by the hook. The cut depends on count and grain alone,
   never on the number of threads. Generated code calls this; others may.
   Errors: GYRE_ERROR_INVALID_ARGUMENT for a NULL body, count < 0, grain < 1. */
GYRE_API gyre_status gyre_parallel_for(int64_t count, int64_t grain,
                                       gyre_range_function body, void *data);

/*===----------------------------------------------------------------------===*\
|* For generated code                                                         *|
\*===----------------------------------------------------------------------===*/

/* Checks a call against the signature in `table` and `names` (their layout is
   in gyre/Runtime/EntryTable.h) and fills `frame` (ditto). `args` are pointers
   to a gyre_tensor or gyre_map for each argument, then to a gyre_tensor for
   each result. Returns a gyre_status; on an error the frame has no meaning, and
   no memory but the frame has been written. */
GYRE_API int32_t gyre_rt_enter(const int64_t *table, const char *names,
                               void *const *args, const gyre_context *ctx,
                               int64_t *frame);

/* Which level of x86-64 this processor has: 4 or 3 for x86-64-v4 or -v3 of the
   psABI, 1 for less, and on other processors. Generated code has a version for
   each. No errors. */
GYRE_API int32_t gyre_rt_cpu_level(void);

/* Writes to *bytes the workspace of the kernel for runtime sizes in the order
   of the table. `sizes` may be NULL if there are none. Returns a gyre_status.
 */
GYRE_API int32_t gyre_rt_workspace(const int64_t *table, const char *names,
                                   const int64_t *sizes, int64_t *bytes);

/* Machine code, or PTX, of kernels for one architecture. */
typedef struct gyre_rt_image {
  const char *arch; /* "sm_90a": a cubin; "compute_80": PTX, with its NUL */
  const void *data;
} gyre_rt_image;

/* The kernels of a library. Every image has all of them. */
typedef struct gyre_rt_device_code {
  int64_t images;
  const gyre_rt_image *image; /* [images] */
  int64_t kernels;
  const char *const *kernel; /* [kernels] names */
  /* [kernels * (images + 1)] zeros, for the runtime to keep handles in. */
  int64_t *state;
} gyre_rt_device_code;

/* clang-format off */
/* Launches a kernel on a stream, in the stream's context (the current one for
   NULL), with the image for that device: a cubin of its architecture (any minor
   version of the same major one that is not newer; sm_XXa for exactly that
   device), else PTX. Returns `status` if that is no success already, so that
   calls can be chained; a grid of size 0 launches nothing.

   The first launch of a code on an architecture loads it (do it before a CUDA
   graph is captured); later ones take no lock, allocate nothing and wait for
   nothing. `params` are pointers to the kernel's arguments, `shared_bytes`
   counts the dynamic shared memory. Returns a gyre_status. */
/* clang-format on */
GYRE_API int32_t gyre_rt_launch(int32_t status, const gyre_rt_device_code *code,
                                int64_t kernel, int64_t grid_x, int64_t grid_y,
                                int64_t grid_z, int64_t block_x,
                                int64_t block_y, int64_t block_z,
                                int64_t shared_bytes, void *stream,
                                void *const *params);

#ifdef __cplusplus
}
#endif

#endif /* GYRE_RUNTIME_H */
