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

/* Return value of gst_qpu_dispatch_loop for a wrong result. No VkResult has this value. */
#define GST_QPU_WRONG_RESULT 1000

/*
 * Dispatches of VP9 IDCT 8x8 over GST_QPU_BLOCKS blocks, one beside the other. The caller owns the Vulkan objects, which must
 * be idle. Every field takes 8 bytes: DispatchLoopInC.java has their offsets.
 */
typedef struct
{
  VkDevice device;
  VkQueue queue;
  VkCommandBuffer commands; /* already recorded; submitted for each dispatch */
  VkFence fence; /* unsignalled, before and after */
  void *coefficients; /* mapped: i16[64] per block */
  void *block_count; /* mapped: u32, then GST_QPU_COUNT_BYTES - 4 bytes of 0 */
  void *records; /* mapped: u32 per block */
  void *picture; /* mapped; NULL if the device works on `destination` */
  uint8_t *destination; /* GST_QPU_PICTURE_BYTES, owned by the caller */
  uint64_t first; /* number of the first dispatch, which selects its input */
  uint64_t count; /* number of dispatches to run */
  uint64_t *nanos; /* receives the time of each dispatch */
  uint64_t
      failed; /* receives the number of the dispatch with GST_QPU_WRONG_RESULT */
} GstQpuDispatchLoop;

/*
 * Runs the dispatches one after the other. The time of a dispatch covers copying the input, submitting, waiting, and copying
 * the picture back unless the device works on `destination`. After that, the result is compared with an IDCT on the CPU.
 * Returns VK_SUCCESS, the VkResult of a call that failed, or GST_QPU_WRONG_RESULT.
 */
int32_t gst_qpu_dispatch_loop (GstQpuDispatchLoop *loop);

#endif
