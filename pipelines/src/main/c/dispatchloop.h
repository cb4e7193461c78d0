/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_QPU_DISPATCHLOOP_H
#define GST_QPU_DISPATCHLOOP_H

#include <stdint.h>

#include <vulkan/vulkan.h>

#define GST_QPU_BLOCKS 8
#define GST_QPU_STRIDE_BYTES (GST_QPU_BLOCKS * 8)
#define GST_QPU_COUNT_BYTES 16
#define GST_QPU_PICTURE_BYTES (GST_QPU_STRIDE_BYTES * 8)

/* What gst_qpu_dispatch_loop returns beside a VkResult, which is never positive by these numbers. */
#define GST_QPU_WRONG_RESULT 1000

/*
 * Dispatches to make, on Vulkan objects that are the caller's and idle: VP9 IDCT 8x8 of GST_QPU_BLOCKS blocks that lie in a
 * row. Every field takes 8 bytes.
 */
typedef struct
{
  VkDevice device;
  VkQueue queue;
  VkCommandBuffer commands;     /* recorded, to be submitted again and again */
  VkFence fence;                /* unsignalled, before and after */
  void *coefficients;           /* mapped: i16[64] a block */
  void *block_count;            /* mapped: u32, then GST_QPU_COUNT_BYTES - 4 bytes of 0 */
  void *records;                /* mapped: u32 a block */
  void *picture;                /* mapped; NULL: the device works on `destination` itself */
  uint8_t *destination;         /* GST_QPU_PICTURE_BYTES of the caller's */
  uint64_t first;               /* number of the first dispatch, which chooses its input */
  uint64_t count;               /* dispatches to make */
  uint64_t *nanos;              /* what each took */
  uint64_t failed;              /* set with GST_QPU_WRONG_RESULT: number of the dispatch */
} GstQpuDispatchLoop;

/*
 * Makes the dispatches one after the other: copies the input in, submits, waits, and copies the picture out unless the device
 * works on it itself. That is what is timed; then the result is checked against an IDCT on the CPU. Returns VK_SUCCESS, another
 * VkResult when a call failed, or GST_QPU_WRONG_RESULT.
 */
int32_t gst_qpu_dispatch_loop (GstQpuDispatchLoop * loop);

#endif
