/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The loop filters of whole pictures for decoders in C or C++: what a decoder writes into which buffer, and the dispatches of a picture
 * in their order. Vulkan is the decoder's own: nothing here calls it, allocates, or keeps state, and any thread may call any function.
 * The structures and constants of the shaders come from qpu-filters.h and qpu-blocks.h, which the build makes of the shaders themselves.
 *
 * All shaders have the entry point "main", one descriptor set of QPU_BINDINGS storage buffers, and at most QPU_PUSH_BYTES bytes of push
 * constants for the compute stage. Every binding needs a buffer, also one that a shader does not use. Words are of 32 bits, little-endian.
 *
 *              deblocking                            CDEF
 * binding 0    the picture before                    the picture before
 *         1    the picture after                     the picture after, another one
 *         2    QpuDeblockThresholds: 0 in all words  QpuCdefStrengthTable: strengths, damping, mapAt = 1
 *         3    counters: 0 before the first picture  scratch: qpu_cdef_blocks_bytes
 *         4    scratch: qpu_deblock_handed_bytes     the block map
 *         5    the edge map                          scratch: qpu_cdef_staged_bytes
 *         6    anything                              anything
 *
 * One buffer of pictures holds all planes. Pictures in flight at a time need counters and scratch each for themselves. */
#ifndef QPU_KERNELS_H
#define QPU_KERNELS_H

#include <string.h>

#include "qpu-blocks.h"
#include "qpu-filters.h"

#define QPU_BINDINGS 7
#define QPU_PUSH_BYTES 128

/* The edge map: for each macroblock of 16x16 in raster order QPU_EDGE_MAP_MACROBLOCK_WORDS words, for each edge in it
 * QPU_EDGE_MAP_EDGE_WORDS. 0 in both: the edge is not filtered. */
#define QPU_EDGE_MAP_MACROBLOCK_WORDS 32
#define QPU_EDGE_MAP_EDGE_WORDS 2
/* In an edge's first word: bS is 4. Cb and Cr agree in it. */
#define QPU_EDGE_STRONG (1u << 16)

/* Widest and highest picture. */
#define QPU_MAX_SIDE 16384

typedef struct QpuPlane
{
  /* In bytes, multiples of 4. The bytes of a row's last word that are no samples stay as they are in the picture after. */
  uint32_t source_offset;
  uint32_t source_stride;
  uint32_t destination_offset;
  uint32_t destination_stride;
} QpuPlane;

typedef struct QpuPicture
{
  /* Of luma, in samples. */
  uint32_t width;
  uint32_t height;
  /* 1: luma alone; 2: chroma is interleaved, as in NV12; 3: as in I420. */
  uint32_t planes;
  /* Luma samples for each chroma sample, across and down: 2 2 in 4:2:0, 2 1 in 4:2:2, 1 1 in 4:4:4. */
  uint32_t sub_width;
  uint32_t sub_height;
  /* 1, or 2 for samples of 10 bits in 16. */
  uint32_t sample_bytes;
  /* Zero bits below a sample of 10 bits: 6 in P010, otherwise 0. */
  uint32_t sample_shift;
  QpuPlane plane[3];
} QpuPicture;

/* What decides between forms that give the same result. */
typedef struct QpuDevice
{
  /* Not VK_PHYSICAL_DEVICE_TYPE_CPU. */
  int gpu;
  /* VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU. */
  int discrete;
  /* VkPhysicalDeviceSubgroupProperties: subgroupSize, and whether compute shaders have votes and shuffles. */
  uint32_t subgroup;
  int exchanges;
  /* Calls by the block alone: storageBuffer16BitAccess is enabled. */
  int storage_16_bit;
} QpuDevice;

/* A dispatch. The pointers are valid during the call that gives them. */
typedef struct QpuStep
{
  /* Names the file, without ".spv". */
  const char *kernel;
  /* Specialisation constant n lies at byte 4n. */
  const void *constants;
  uint32_t constants_bytes;
  const void *push;
  uint32_t push_bytes;
  uint32_t groups_x;
  uint32_t groups_y;
  uint32_t groups_z;
  /* Not 0: before this dispatch comes a barrier from what shaders wrote to what they read and write. */
  int after_barrier;
} QpuStep;

/* Records a step. Returns 0, or any other number to end the recording. */
typedef int (*QpuRecord) (void *data, const QpuStep *step);

#define QPU_FNV_1A_BEGIN 0xcbf29ce484222325ull
#define QPU_FNV_1A_PRIME 0x100000001b3ull

/* The ABI check: 1 if these bytes are the shader of that name that this header belongs to, else 0. */
static inline int
qpu_is_kernel (const char *kernel, const void *spirv, size_t bytes)
{
  static const struct
  {
    const char *name;
    size_t bytes;
    uint64_t digest;
  } known[] = {
#define QPU_KERNEL(name, bytes, digest) { name, bytes, digest },
    QPU_FILTERS_KERNELS (QPU_KERNEL) QPU_BLOCKS_KERNELS (QPU_KERNEL)
#undef QPU_KERNEL
  };
  uint64_t digest = QPU_FNV_1A_BEGIN;
  size_t i;
  for (i = 0; i < bytes; i++)
    digest = (digest ^ ((const uint8_t *) spirv)[i]) * QPU_FNV_1A_PRIME;
  for (i = 0; i < sizeof (known) / sizeof (known[0]); i++)
    if (strcmp (known[i].name, kernel) == 0)
      return known[i].bytes == bytes && known[i].digest == digest;
  return 0;
}

static inline uint32_t
qpu_groups (uint32_t invocations, uint32_t of_group)
{
  return (invocations + of_group - 1) / of_group;
}

/* Columns, or rows, of blocks of a size. */
#define qpu_blocks(samples, size) qpu_groups (samples, size)

static inline uint32_t
qpu_plane_width (const QpuPicture *p, uint32_t plane)
{
  return plane == 0 ? p->width : qpu_groups (p->width, p->sub_width);
}

static inline uint32_t
qpu_plane_height (const QpuPicture *p, uint32_t plane)
{
  return plane == 0 ? p->height : qpu_groups (p->height, p->sub_height);
}

/* Bytes of samples in a row of a plane. */
static inline uint32_t
qpu_row_bytes (const QpuPicture *p, uint32_t plane)
{
  uint32_t step = plane > 0 && p->planes == 2 ? 2 : 1;
  return qpu_plane_width (p, plane) * step * p->sample_bytes;
}

static inline uint32_t
qpu_row_words (const QpuPicture *p, uint32_t plane)
{
  return (qpu_row_bytes (p, plane) + 3) / 4;
}

/* The bits of a row's last word that are samples. */
static inline uint32_t
qpu_row_tail (const QpuPicture *p, uint32_t plane)
{
  uint32_t bytes = qpu_row_bytes (p, plane) % 4;
  return bytes == 0 ? 0xffffffffu : (1u << (8 * bytes)) - 1;
}

/* What is wrong with a picture, in words, or NULL. The buffers must hold the planes, which only the caller can check. */
static inline const char *
qpu_picture_fault (const QpuPicture *p)
{
  uint32_t i;
  if (p->width - 1 >= QPU_MAX_SIDE || p->height - 1 >= QPU_MAX_SIDE)
    return "width and height must be 1 to 16384";
  if (p->planes - 1 > 2 || p->sub_width - 1 > 1 || p->sub_height - 1 > 1 || p->sub_height > p->sub_width)
    return "planes must be 1 to 3, of 4:2:0, 4:2:2 or 4:4:4";
  if (p->sample_bytes - 1 > 1 || p->sample_shift > 6 * (p->sample_bytes - 1))
    return "samples must have 1 byte, or 2 with 0 to 6 bits below them";
  for (i = 0; i < p->planes; i++) {
    const QpuPlane *plane = &p->plane[i];
    uint32_t row = qpu_row_words (p, i) * 4;
    if ((plane->source_offset | plane->source_stride | plane->destination_offset | plane->destination_stride) % 4)
      return "offsets and strides must be multiples of 4";
    if (plane->source_stride < row || plane->destination_stride < row)
      return "a stride is shorter than a row";
  }
  return NULL;
}

/* Deblocking, ITU-T H.264, 8.7. */

/* Bytes of the edge map. */
static inline size_t
qpu_edge_map_bytes (const QpuPicture *p)
{
  return (size_t) 4 * QPU_EDGE_MAP_MACROBLOCK_WORDS * qpu_blocks (p->width, 16) * qpu_blocks (p->height, 16);
}

/* Index of an edge's first word in the map. The edge begins at a sample of its component that lies right of it, or below it.
 *   component   0 luma, 1 the chroma component that is stored first, 2 the other
 *   horizontal  0 for a vertical edge
 *   x, y        of luma multiples of 4 across the edge and of 16 along it, of chroma of 4 and of 8 */
static inline size_t
qpu_edge_at (const QpuPicture *p, uint32_t component, int horizontal, uint32_t x, uint32_t y)
{
  uint32_t size = component == 0 ? 16 : 8;
  uint32_t edge = (horizontal ? y : x) % size / 4;
  size_t macroblock = (size_t) (y / size) * qpu_blocks (p->width, 16) + x / size;
  uint32_t first = component == 0 ? (horizontal ? 4 : 0) : 4 + component * 4 + (horizontal ? 2 : 0);
  return macroblock * QPU_EDGE_MAP_MACROBLOCK_WORDS + (first + edge) * QPU_EDGE_MAP_EDGE_WORDS;
}

/* Writes an edge.
 *   alpha, beta  of tables 8-16, for the mean QP of both sides and the offsets of the slice
 *   strong       bS is 4: tc0 does not count
 *   tc0          tC0 of each quarter of the edge from its begin on; -1 where bS is 0. Chroma's, too: the shader adds 1 */
static inline void
qpu_set_edge (uint32_t *edge, uint32_t alpha, uint32_t beta, int strong, const int8_t tc0[4])
{
  uint32_t i;
  edge[0] = alpha | beta << 8 | (strong ? QPU_EDGE_STRONG : 0);
  edge[1] = 0;
  for (i = 0; i < 4; i++)
    edge[1] |= (uint32_t) (strong ? 1 : tc0[i] + 1) << (8 * i);
}

/* Invocations of a workgroup and of a row of macroblocks where a picture is one dispatch; 0 where it is a row of them. */
static inline uint32_t
qpu_chase_invocations (const QpuDevice *d)
{
  if (!d->gpu || d->subgroup < 4 || d->subgroup > 256 || d->subgroup % 4)
    return 0;
  return d->discrete && d->exchanges && d->subgroup < 128 ? 128 : d->subgroup;
}

static inline uint32_t
qpu_chase_row (const QpuDevice *d)
{
  return d->discrete && d->exchanges ? 8 : 4;
}

/* Workgroups that follow one another: rows of macroblocks of luma and of chroma. */
static inline uint32_t
qpu_chasers (const QpuDevice *d, const QpuPicture *p)
{
  uint32_t invocations = qpu_chase_invocations (d);
  if (invocations == 0)
    return 0;
  return (p->planes > 1 ? 2 : 1) * qpu_groups (qpu_blocks (p->height, 16), invocations / qpu_chase_row (d));
}

/* Bytes of the counters. They must be 0 before the first picture, and each picture leaves them 0. */
static inline size_t
qpu_deblock_counters_bytes (const QpuDevice *d, const QpuPicture *p)
{
  return offsetof (QpuChaseCounters, progress) + (size_t) 4 * (qpu_chasers (d, p) + 1);
}

/* Bytes of the lines that workgroups hand on. */
static inline size_t
qpu_deblock_handed_bytes (const QpuDevice *d, const QpuPicture *p)
{
  return (size_t) 64 * (qpu_chasers (d, p) + 1) * qpu_blocks (p->width, 16);
}

/* What is wrong with a picture that is to be deblocked by an edge map, or NULL. */
static inline const char *
qpu_deblock_fault (const QpuPicture *p)
{
  const char *fault = qpu_picture_fault (p);
  if (fault == NULL && (p->sample_bytes != 1 || (p->planes > 1 && p->sub_width * p->sub_height != 4)))
    fault = "edge maps are for 8 bits of 4:2:0, or luma alone";
  return fault;
}

static inline QpuDeblockPlanes
qpu_deblock_planes (const QpuPicture *p)
{
  QpuDeblockPlanes planes;
  uint32_t i;
  memset (&planes, 0, sizeof planes);
  for (i = 0; i < 3; i++) {
    const QpuPlane *plane = &p->plane[i < p->planes ? i : p->planes - 1];
    planes.sourceOffset[i] = plane->source_offset / 4;
    planes.sourceStride[i] = plane->source_stride / 4;
    planes.destinationOffset[i] = plane->destination_offset / 4;
    planes.destinationStride[i] = plane->destination_stride / 4;
  }
  planes.lumaWidth = p->width;
  planes.lumaHeight = p->height;
  planes.lumaWords = qpu_row_words (p, 0);
  planes.lumaTail = qpu_row_tail (p, 0);
  if (p->planes > 1) {
    planes.chromaWidth = qpu_plane_width (p, 1);
    planes.chromaHeight = qpu_plane_height (p, 1);
    planes.chromaWords = qpu_row_words (p, 1);
    planes.chromaTail = qpu_row_tail (p, 1);
  }
  return planes;
}

/* Records deblocking of a picture without faults: one step on a GPU, two for each diagonal of macroblocks elsewhere. */
static inline int
qpu_deblock (const QpuDevice *d, const QpuPicture *p, QpuRecord record, void *data)
{
  /* The shaders' values of "planes". */
  enum
  {
    ALL,
    LUMA
  };
  uint32_t columns = qpu_blocks (p->width, 16);
  uint32_t rows = qpu_blocks (p->height, 16);
  uint32_t planes = p->planes == 1 ? LUMA : ALL;
  uint32_t tails = qpu_row_tail (p, 0) != 0xffffffffu || (p->planes > 1 && qpu_row_tail (p, 1) != 0xffffffffu);
  uint32_t diagonal;
  QpuH264DeblockConstants vertical = QPU_H264_DEBLOCK_CONSTANTS;
  QpuH264DeblockConstants horizontal;
  QpuDiagonalGeometry geometry;

  if (qpu_chase_invocations (d) != 0) {
    QpuH264DeblockChaseConstants constants = QPU_H264_DEBLOCK_CHASE_CONSTANTS;
    QpuChaseGeometry push;
    QpuStep step = { "h264/deblock_chase", &constants, sizeof constants, &push, sizeof push, qpu_chasers (d, p), 1, 1, 0 };
    if (qpu_chase_row (d) == 8)
      step.kernel = "h264/deblock_chase_wide";
    constants.localSizeX = qpu_chase_invocations (d);
    constants.workgroupBarriers = 1;
    constants.planes = planes;
    constants.interleaved = p->planes == 2;
    constants.tails = tails;
    constants.edgeMap = 1;
    memset (&push, 0, sizeof push);
    push.planes = qpu_deblock_planes (p);
    push.columns = columns;
    push.rows = rows;
    return record (data, &step);
  }

  vertical.localSizeX = 64;
  vertical.planes = planes;
  vertical.interleaved = p->planes == 2;
  vertical.tails = tails;
  vertical.edgeMap = 1;
  horizontal = vertical;
  horizontal.horizontalEdges = 1;
  memset (&geometry, 0, sizeof geometry);
  geometry.planes = qpu_deblock_planes (p);
  for (diagonal = 0; diagonal < columns + rows - 1; diagonal++) {
    QpuStep step = { "h264/deblock", &vertical, sizeof vertical, &geometry, sizeof geometry, 0, 1, 1, diagonal > 0 };
    uint32_t first = diagonal < columns ? 0 : diagonal - columns + 1;
    uint32_t last = diagonal < rows ? diagonal : rows - 1;
    int ended;
    geometry.diagonal = diagonal;
    geometry.firstRow = first;
    geometry.macroblocks = last - first + 1;
    /* Four invocations share a macroblock. */
    geometry.lumaGroups = qpu_groups (geometry.macroblocks, 64 / 4);
    step.groups_x = (p->planes > 1 ? 2 : 1) * geometry.lumaGroups;
    ended = record (data, &step);
    if (ended != 0)
      return ended;
    step.constants = &horizontal;
    step.after_barrier = 1;
    ended = record (data, &step);
    if (ended != 0)
      return ended;
  }
  return 0;
}

/* CDEF, AV1 specification, 7.15. */

/* Bytes of the block map: for each block of 8x8 luma samples in raster order a word, which is 1 + the index of its strengths in
 * QpuCdefStrengthTable, or 0 where cdef_idx is -1 or the whole block is skip coded, so that it is not filtered. */
static inline size_t
qpu_block_map_bytes (const QpuPicture *p)
{
  return (size_t) 4 * qpu_blocks (p->width, 8) * qpu_blocks (p->height, 8);
}

/* Bytes of the scratch memory between the search and the filters. */
static inline size_t
qpu_cdef_blocks_bytes (const QpuPicture *p)
{
  return 2 * qpu_block_map_bytes (p);
}

/* Bytes of the scratch memory of the search. */
static inline size_t
qpu_cdef_staged_bytes (const QpuPicture *p)
{
  return 16 * qpu_block_map_bytes (p);
}

static inline int
qpu_cdef_filter (const QpuDevice *d, const QpuPicture *p, uint32_t plane, QpuRecord record, void *data)
{
  uint32_t block_samples = plane == 0 ? 8 : 8 / p->sub_width;
  uint32_t block_rows = plane == 0 ? 8 : 8 / p->sub_height;
  uint32_t pixel_step = plane > 0 && p->planes == 2 ? 2 : 1;
  /* Small GPUs keep busy also if each invocation takes all rows of a block. */
  uint32_t rows = d->gpu && !d->discrete && d->subgroup <= 16 ? block_rows : 1;
  uint32_t words = p->sample_bytes == 2 && rows > 1 ? 2 : 1;
  uint32_t invocations = block_samples * pixel_step * p->sample_bytes / (4 * words) * (block_rows / rows);
  uint32_t width = qpu_plane_width (p, plane);
  uint32_t height = qpu_plane_height (p, plane);
  uint32_t i;
  QpuCdefFilterConstants constants = QPU_CDEF_FILTER_CONSTANTS;
  QpuCdefFilterGeometry push;
  QpuStep step = { d->exchanges ? "cdef/filter" : "cdef/filter_plain", &constants, sizeof constants, &push, sizeof push, 0, 0,
    1, plane == 0 };
  constants.localSizeX = 256;
  constants.sampleBytes = p->sample_bytes;
  constants.sampleShift = p->sample_shift;
  constants.pixelStep = pixel_step;
  constants.chroma = plane > 0;
  constants.rows = rows;
  constants.blockSamples = block_samples;
  constants.blockRows = block_rows;
  memset (&push, 0, sizeof push);
  for (i = 0; i < 2; i++) {
    const QpuPlane *of = &p->plane[plane + i < 3 ? plane + i : 2];
    push.sourceOffset[i] = of->source_offset / 4;
    push.sourceStride[i] = of->source_stride / 4;
    push.destinationOffset[i] = of->destination_offset / 4;
    push.destinationStride[i] = of->destination_stride / 4;
  }
  push.width = width;
  push.height = height;
  push.words = qpu_row_words (p, plane);
  push.tail = qpu_row_tail (p, plane);
  push.blockColumns = qpu_blocks (p->width, 8);
  /* A tap lies at most two samples away. */
  push.insideColumns = width < 2 + block_samples ? 0 : (width - 2) / block_samples - 1;
  push.insideRows = height < 2 + block_rows ? 0 : (height - 2) / block_rows - 1;
  step.groups_x = qpu_groups (push.blockColumns * invocations, 256);
  step.groups_y = qpu_blocks (p->height, 8);
  /* Both chroma planes at once. */
  step.groups_z = plane > 0 && p->planes == 3 ? 2 : 1;
  return record (data, &step);
}

/* Records CDEF of a picture without faults: the search, then after a barrier luma, and chroma, which needs none after luma. */
static inline int
qpu_cdef (const QpuDevice *d, const QpuPicture *p, QpuRecord record, void *data)
{
  QpuCdefDirectionConstants constants = QPU_CDEF_DIRECTION_CONSTANTS;
  QpuCdefDirectionGeometry push;
  QpuStep step = { "cdef/direction", &constants, sizeof constants, &push, sizeof push, 0, 0, 1, 0 };
  int ended;
  constants.localSizeX = 64;
  constants.sampleBytes = p->sample_bytes;
  constants.sampleShift = p->sample_shift;
  constants.partial = p->width % 8 != 0;
  constants.halfWidthChroma = p->sub_width == 2 && p->sub_height == 1;
  memset (&push, 0, sizeof push);
  push.sourceOffset = p->plane[0].source_offset / 4;
  push.sourceStride = p->plane[0].source_stride / 4;
  push.width = p->width;
  push.height = p->height;
  push.words = qpu_row_words (p, 0);
  push.blockColumns = qpu_blocks (p->width, 8);
  step.groups_x = qpu_groups (push.blockColumns, 64);
  step.groups_y = qpu_blocks (p->height, 8);
  ended = record (data, &step);
  if (ended == 0)
    ended = qpu_cdef_filter (d, p, 0, record, data);
  if (ended == 0 && p->planes > 1)
    ended = qpu_cdef_filter (d, p, 1, record, data);
  return ended;
}

#endif
