/*
 * What a decoder of H.264 hands over of each picture: its samples before the
 * loop filter, what the filter uses, and its samples after the filter. The
 * functions are called from one thread. Without an output they do nothing.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_QPU_HOOK_H
#define GST_QPU_HOOK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct QpuHookPicture
{
  uint8_t *const *planes; /* of the frame, also if a field is decoded */
  const int *strides; /* bytes a row of the frame */
  int columns; /* macroblocks in a row */
  int frame_rows; /* rows of macroblocks of the frame */
  int structure; /* 1 top field, 2 bottom field, 3 frame */
  int mbaff; /* frame and field macroblocks in one picture */
  int bit_depth; /* of luma */
  int chroma_bit_depth;
  int chroma_format; /* chroma_format_idc: 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4 */
  int cb_offset; /* chroma_qp_index_offset */
  int cr_offset; /* second_chroma_qp_index_offset */
} QpuHookPicture;

typedef struct QpuHookMacroblock
{
  int column;
  int row; /* counted in the frame: 2 apart in a field */
  int qp;
  int transform8x8;
  int slice; /* any number that the next slice does not have */
  int alpha_offset; /* FilterOffsetA, -12..12 */
  int beta_offset; /* FilterOffsetB, -12..12 */
  int disabled; /* disable_deblocking_filter_idc */
} QpuHookMacroblock;

/* Pictures numbered first to last, in decoding order from 0, go to a file. */
void qpu_hook_output (FILE *file, const char *origin, long first, long last);

/* A macroblock has been decoded, and no edge of it has been filtered. The
 * picture begins if none has begun. */
void qpu_hook_macroblock (const QpuHookPicture *picture,
    const QpuHookMacroblock *macroblock);

/* The filter comes to an edge. Direction: 0 vertical, 1 horizontal. The first
 * sample on the edge's far side, bS of its parts, and tC0 by bS. */
void qpu_hook_edge (const uint8_t *sample, int direction, int strong,
    const int16_t bs[4], int alpha, int beta, const uint8_t tc0[4]);

/* The picture is decoded and filtered. */
void qpu_hook_end (void);

#endif
