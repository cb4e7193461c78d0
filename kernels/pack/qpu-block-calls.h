/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls by the block for decoders in C or C++: one dispatch runs any number of blocks, or of edges. As in qpu-kernels.h, nothing here calls
 * Vulkan, allocates, or keeps state, and pipelines and descriptor sets are those of the filters.
 *
 *              CDEF directions  CDEF filter  edges           VP9 IDCT      VP9 motion   shrinkage
 * binding 0    picture          source       anything        coefficients  source       blocks
 *         1    results          destination  picture         picture       destination  removed
 *         2    QpuRunCount: how many blocks or edges run, at least 1 and at most as many as the call was recorded for
 *         3    the records, in any order
 *         4    anything         directions,  anything        anything      weights of   weights of
 *                               or anything                                the filters  the blocks
 *       5, 6   anything
 *
 * qpu-blocks.h has the records as structures; what is in their words stands at each call, the lowest bits first. Offsets are in bytes from
 * the beginning of the buffer to the block's first sample, or to the first one on an edge's far side (right of it, or below), and multiples
 * of 4, as strides are. A block of which something lies outside of its buffer is moved inside.
 *
 * Blocks of a run must not touch one another's words, since none of them waits for another. What a run reads of an earlier one needs a
 * barrier before it: the step says so by after_barrier, which these calls always set. */
#ifndef QPU_BLOCK_CALLS_H
#define QPU_BLOCK_CALLS_H

#include "qpu-kernels.h"

/* Bytes of the weights of VP9's filters. */
#define QPU_VP9_WEIGHTS_BYTES (4 * 16 * 8 * 2)

/* A plane in a buffer, for the checks of what lies outside. */
typedef struct QpuBlockBuffer
{
  uint32_t stride;
  uint32_t bytes;
} QpuBlockBuffer;

/* The shaders of these calls with exchanges in subgroups need storageBuffer16BitAccess as well. */
static inline int
qpu_block_exchanges (const QpuDevice *d)
{
  return d->exchanges && d->storage_16_bit;
}

/* Invocations that go on in lockstep without a barrier, or 0. */
static inline uint32_t
qpu_block_lockstep (const QpuDevice *d)
{
  return !d->gpu && d->subgroup >= 4 && d->subgroup % 4 == 0 && d->subgroup <= 256 ? d->subgroup : 0;
}

static inline QpuStep
qpu_block_step (const char *kernel, const void *constants, size_t constants_bytes, const void *push, size_t push_bytes,
    uint32_t groups)
{
  QpuStep step = { kernel, constants, (uint32_t) constants_bytes, push, (uint32_t) push_bytes, groups, 1, 1, 1 };
  return step;
}

/* AV1, 7.15.2: direction and variance of blocks of 8x8 luma samples, QpuCdefDirectionResult each. QpuCdefDirectionRecord: offset.
 *   most          blocks of a run at most
 *   sample_bytes  1, or 2 for 10 bits */
static inline int
qpu_cdef_block_directions (const QpuDevice *d, uint32_t most, uint32_t sample_bytes, const QpuBlockBuffer *picture,
    QpuRecord record, void *data)
{
  QpuCdefBlockDirectionConstants constants = QPU_CDEF_BLOCK_DIRECTION_CONSTANTS;
  QpuCdefBlockDirectionCall push;
  QpuStep step;
  (void) d;
  constants.localSizeX = 64;
  constants.sampleBytes = sample_bytes;
  push.stride = picture->stride / 4;
  push.lastOffset = picture->bytes - (7 * picture->stride + 8 * sample_bytes);
  step = qpu_block_step ("cdef/block_direction", &constants, sizeof constants, &push, sizeof push, qpu_groups (most, 64));
  return record (data, &step);
}

/* AV1, 7.15.3: CDEF of square blocks, from one buffer to another. QpuCdefFilterRecord: sourceOffset; destinationOffset; strengths, 16 bits
 * each of primary and secondary, scaled to the bit depth; parameters, 8 bits each: edges beyond which samples may be read (1 left, 2 right,
 * 4 top, 8 bottom), direction 0 to 7, damping scaled to the bit depth and one less for chroma, 0.
 *   size      samples a side: 8, or 4 for chroma of 4:2:0
 *   searched  binding 4 has results of qpu_cdef_block_directions: the direction in the record does not count
 *   adjusted  the variance there adjusts the primary strength, as of luma */
static inline int
qpu_cdef_block_filter (const QpuDevice *d, uint32_t most, uint32_t sample_bytes, uint32_t size, int searched, int adjusted,
    const QpuBlockBuffer *source, const QpuBlockBuffer *destination, QpuRecord record, void *data)
{
  QpuCdefBlockFilterConstants constants = QPU_CDEF_BLOCK_FILTER_CONSTANTS;
  QpuCdefBlockFilterCall push;
  QpuStep step;
  uint32_t rows = d->gpu && !d->discrete && d->subgroup <= 16 ? size : 1;
  uint32_t invocations = size * sample_bytes / 4 * (size / rows);
  constants.localSizeX = 256;
  constants.sampleBytes = sample_bytes;
  constants.blockSamples = size;
  constants.searched = searched != 0;
  constants.adjusted = adjusted != 0;
  constants.rows = rows;
  push.sourceStride = source->stride / 4;
  push.lastSourceOffset = source->bytes - ((size - 1) * source->stride + size * sample_bytes);
  push.lastSourceWord = source->bytes / 4 - 1;
  push.destinationStride = destination->stride / 4;
  push.lastDestinationOffset = destination->bytes - ((size - 1) * destination->stride + size * sample_bytes);
  step = qpu_block_step (d->exchanges ? "cdef/block_filter" : "cdef/block_filter_plain", &constants, sizeof constants, &push,
      sizeof push, qpu_groups (most, 256 / invocations));
  return record (data, &step);
}

static inline QpuEdgeCall
qpu_edge_call (const QpuBlockBuffer *picture)
{
  QpuEdgeCall push;
  memset (&push, 0, sizeof push);
  push.sizeBytes = picture->bytes;
  push.strideBytes[0] = picture->stride;
  return push;
}

/* Orders edges that a decoder filters one after the other: the number of the run, from 0 on, that an edge belongs into. Runs one after the
 * other, in each its edges in any order, give what the edges give in theirs. Call it for each edge in that order.
 *   runs     a number for each 4x4 samples of the plane, in rows of so many columns: 0 in all before a picture's first edge
 *   x, y     the first sample on the edge's far side; x is a multiple of 4
 *   reach    samples on either side of it: 4; 2 of a horizontal edge of H.264's chroma; 8 where VP9's filter is 16 wide
 *   length   of the edge: 16 or 8 */
static inline uint32_t
qpu_edge_run (uint32_t *runs, uint32_t columns, int horizontal, uint32_t x, uint32_t y, uint32_t reach, uint32_t length)
{
  uint32_t left = (horizontal ? x : x - reach) / 4, right = (x + (horizontal ? length : reach) - 1) / 4;
  uint32_t top = (horizontal ? y - reach : y) / 4, bottom = (y + (horizontal ? reach : length) - 1) / 4;
  uint32_t run = 0, i, j;
  for (j = top; j <= bottom; j++)
    for (i = left; i <= right; i++)
      if (runs[j * columns + i] > run)
        run = runs[j * columns + i];
  for (j = top; j <= bottom; j++)
    for (i = left; i <= right; i++)
      runs[j * columns + i] = run + 1;
  return run;
}

/* ITU-T H.264, 8.7.2, 8 bits: edges of 16 luma samples, or of 8 chroma samples of 4:2:0. Edges that share a word, and edges of which one
 * needs the other's result, belong into runs of their own: qpu_edge_run. QpuH264EdgeRecord: offset; parameters, 8 bits each: alpha, beta, 0, and 1 for
 * bS 4 plus 128 for a horizontal edge; tc, 8 bits for each quarter of the edge: tC0, of chroma too, or -1 where bS is 0. */
static inline int
qpu_h264_edges (const QpuDevice *d, uint32_t most, int chroma, const QpuBlockBuffer *picture, QpuRecord record, void *data)
{
  QpuH264EdgeConstants constants = QPU_H264_EDGE_CONSTANTS;
  QpuEdgeCall push = qpu_edge_call (picture);
  QpuStep step;
  constants.localSizeX = 256;
  constants.workgroupBarriers = qpu_block_lockstep (d) == 0;
  constants.chroma = chroma != 0;
  step = qpu_block_step ("h264/edge", &constants, sizeof constants, &push, sizeof push, qpu_groups (most, chroma ? 128 : 64));
  return record (data, &step);
}

/* VP9, 8.8, 8 bits: edges of 8 samples; likewise. QpuVp9EdgeRecord: offset; parameters, 8 bits each: limit of the edge sum, limit of
 * neighbouring differences, high-variance threshold, and 4, 8 or 16 for the filter's width plus 128 for a horizontal edge. */
static inline int
qpu_vp9_edges (const QpuDevice *d, uint32_t most, const QpuBlockBuffer *picture, QpuRecord record, void *data)
{
  QpuVp9LpfConstants constants = QPU_VP9_LPF_CONSTANTS;
  QpuEdgeCall push = qpu_edge_call (picture);
  QpuStep step;
  constants.localSizeX = 256;
  constants.workgroupBarriers = qpu_block_lockstep (d) == 0;
  step = qpu_block_step (qpu_block_exchanges (d) ? "vp9/lpf" : "vp9/lpf_plain", &constants, sizeof constants, &push,
      sizeof push, qpu_groups (most, 32));
  return record (data, &step);
}

/* VP9, 8.7.2 with DCT_DCT, 8 bits: the inverse transform of i16[64] a block, [v * 8 + u], added to the picture. QpuVp9IdctRecord:
 * offset. Every intermediate value must fit 16 bits signed, as in conforming streams. */
static inline int
qpu_vp9_idct8x8 (const QpuDevice *d, uint32_t most, const QpuBlockBuffer *picture, QpuRecord record, void *data)
{
  QpuVp9Idct8x8Constants constants = QPU_VP9_IDCT8X8_CONSTANTS;
  QpuVp9IdctCall push;
  QpuStep step;
  constants.localSizeX = 256;
  constants.workgroupBarriers = qpu_block_lockstep (d) == 0;
  push.stride = picture->stride / (qpu_block_exchanges (d) ? 2 : 4);
  push.lastOffset = picture->bytes - (7 * picture->stride + 8);
  step = qpu_block_step (qpu_block_exchanges (d) ? "vp9/idct8x8" : "vp9/idct8x8_plain", &constants, sizeof constants, &push,
      sizeof push, qpu_groups (most, 64));
  return record (data, &step);
}

/* A weight in units of 1/128 as f16, which holds it exactly. */
static inline uint16_t
qpu_f16_of_128ths (int weight)
{
  uint32_t magnitude = (uint32_t) (weight < 0 ? -weight : weight);
  uint32_t exponent = 0;
  if (magnitude == 0)
    return 0;
  while (magnitude >> (exponent + 1) != 0)
    exponent++;
  return (uint16_t) ((weight < 0 ? 0x8000u : 0) | (exponent + 8) << 10 | (magnitude << (10 - exponent) & 0x3ffu));
}

/* Writes the weights of VP9's filters (subpel_filters), QPU_VP9_WEIGHTS_BYTES, for binding 4 of qpu_vp9_motion. */
static inline void
qpu_vp9_weights (uint16_t *to)
{
  /* Of smooth, regular and sharp the phases 1 to 8. Phase 16 - p is phase p mirrored. */
  static const int8_t phases[3][8][8] = { { { -3, -1, 32, 64, 38, 1, -3, 0 }, { -2, -2, 29, 63, 41, 2, -3, 0 },
                                              { -2, -2, 26, 63, 43, 4, -4, 0 }, { -2, -3, 24, 62, 46, 5, -4, 0 },
                                              { -2, -3, 21, 60, 49, 7, -4, 0 }, { -1, -4, 18, 59, 51, 9, -4, 0 },
                                              { -1, -4, 16, 57, 53, 12, -4, -1 }, { -1, -4, 14, 55, 55, 14, -4, -1 } },
    { { 0, 1, -5, 126, 8, -3, 1, 0 }, { -1, 3, -10, 122, 18, -6, 2, 0 }, { -1, 4, -13, 118, 27, -9, 3, -1 },
        { -1, 4, -16, 112, 37, -11, 4, -1 }, { -1, 5, -18, 105, 48, -14, 4, -1 }, { -1, 5, -19, 97, 58, -16, 5, -1 },
        { -1, 6, -19, 88, 68, -18, 5, -1 }, { -1, 6, -19, 78, 78, -19, 6, -1 } },
    { { -1, 3, -7, 127, 8, -3, 1, 0 }, { -2, 5, -13, 125, 17, -6, 3, -1 }, { -3, 7, -17, 121, 27, -10, 5, -2 },
        { -4, 9, -20, 115, 37, -13, 6, -2 }, { -4, 10, -23, 108, 48, -16, 8, -3 }, { -4, 10, -24, 100, 59, -19, 9, -3 },
        { -4, 11, -24, 90, 70, -21, 10, -4 }, { -4, 11, -23, 80, 80, -23, 11, -4 } } };
  int filter, phase, tap;
  for (filter = 0; filter < 4; filter++)
    for (phase = 0; phase < 16; phase++)
      for (tap = 0; tap < 8; tap++) {
        int weight;
        if (filter == 3 || phase == 0)
          weight = tap == 3 ? 128 - 8 * phase : tap == 4 ? 8 * phase : 0;
        else
          weight = phase <= 8 ? phases[filter][phase - 1][tap] : phases[filter][15 - phase][7 - tap];
        *to++ = qpu_f16_of_128ths (weight);
      }
}

/* VP9, 8.5.2.3, unscaled, 8 bits: blocks of 8x8. Three rows and columns before a block of the source and four after it must lie in its
 * buffer, whatever the phases are; a source offset is of any alignment. QpuVp9MotionRecord: sourceOffset; destinationOffset; parameters, 8 bits each: filter (0
 * smooth, 1 regular, 2 sharp, 3 bilinear), phases 0 to 15 along rows and along columns, and 1 to average with what is there. */
static inline int
qpu_vp9_motion (const QpuDevice *d, uint32_t most, const QpuBlockBuffer *source, const QpuBlockBuffer *destination,
    QpuRecord record, void *data)
{
  QpuVp9Mc8x8Constants constants = QPU_VP9_MC8X8_CONSTANTS;
  QpuVp9MotionCall push;
  QpuStep step;
  constants.localSizeX = 256;
  constants.workgroupBarriers = qpu_block_lockstep (d) == 0;
  constants.rowsAlone = !qpu_block_exchanges (d) && qpu_block_lockstep (d) % 8 != 0;
  push.sourceStrideBytes = source->stride;
  push.firstSourceOffset = 3 * source->stride + 3;
  push.lastSourceOffset = source->bytes - (11 * source->stride + 12);
  push.lastSourceWord = source->bytes / 4 - 1;
  push.destinationStride = destination->stride / 4;
  push.lastDestinationOffset = destination->bytes - (7 * destination->stride + 8);
  step = qpu_block_step (qpu_block_exchanges (d) ? "vp9/mc8x8" : "vp9/mc8x8_plain", &constants, sizeof constants, &push,
      sizeof push, qpu_groups (most, 32));
  return record (data, &step);
}

/* Shrinkage of i16[64] a block: 32 times what is to be taken away, and how much the block counts, a word, where several overlap.
 * QpuShrinkageRecord: threshold in sixteenths of a sample value, 0 to 3072. */
static inline int
qpu_shrinkage_blocks (const QpuDevice *d, uint32_t most, QpuRecord record, void *data)
{
  QpuShrinkageBlockConstants constants = QPU_SHRINKAGE_BLOCK_CONSTANTS;
  QpuStep step;
  constants.localSizeX = 256;
  constants.workgroupBarriers = qpu_block_lockstep (d) == 0;
  step = qpu_block_step (qpu_block_exchanges (d) ? "shrinkage/block" : "shrinkage/block_plain", &constants, sizeof constants,
      NULL, 0, qpu_groups (most, 64));
  return record (data, &step);
}

#endif
