/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The last stage of `qpu bench overhead` in C. It uses the Vulkan objects of the loop in Java, runs in the same thread and
 * takes turns with it, so the two differ only in the language.
 */
#include "dispatchloop.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "vp9idct.h"

#define COEFFICIENTS (GST_QPU_BLOCKS * 64)
/* Dispatches use several inputs in turn: if one does not run, the result of an earlier one is not the expected one. */
#define INPUTS 16
#define TIMEOUT_NANOS UINT64_C (60000000000)

typedef struct
{
  int16_t coefficients[COEFFICIENTS];
  uint8_t prediction[GST_QPU_PICTURE_BYTES];
  uint8_t expected[GST_QPU_PICTURE_BYTES];
} Input;

static Input inputs[INPUTS];
static const uint32_t block_count[GST_QPU_COUNT_BYTES / 4] = { GST_QPU_BLOCKS };
static uint32_t records[GST_QPU_BLOCKS];
static pthread_once_t inputs_made = PTHREAD_ONCE_INIT;

/* xorshift64 */
static uint64_t
next_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Coefficients are within +-255, so that every intermediate value of the transform fits 16 bits. */
static void
make_inputs (void)
{
  uint64_t state = 1;

  for (uint32_t block = 0; block < GST_QPU_BLOCKS; block++)
    records[block] = block * 8;
  for (uint32_t i = 0; i < INPUTS; i++) {
    Input *input = &inputs[i];

    for (uint32_t c = 0; c < COEFFICIENTS; c++)
      input->coefficients[c] =
          (int16_t) ((int) (next_random (&state) % 511) - 255);
    for (uint32_t p = 0; p < GST_QPU_PICTURE_BYTES; p++)
      input->prediction[p] = (uint8_t) (next_random (&state) >> 32);
    memcpy (input->expected, input->prediction, GST_QPU_PICTURE_BYTES);
    for (uint32_t block = 0; block < GST_QPU_BLOCKS; block++)
      vp9_idct8x8_add (input->coefficients + block * 64,
          input->expected + block * 8, GST_QPU_STRIDE_BYTES);
  }
}

static uint64_t
now_nanos (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * UINT64_C (1000000000)
      + (uint64_t) time.tv_nsec;
}

/* The part that is timed. */
static VkResult
dispatch (const GstQpuDispatchLoop *loop, const Input *input)
{
  const VkSubmitInfo submit = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &loop->commands,
  };
  VkResult result;

  memcpy (loop->coefficients, input->coefficients, sizeof input->coefficients);
  memcpy (loop->block_count, block_count, sizeof block_count);
  memcpy (loop->records, records, sizeof records);
  if (loop->picture != NULL)
    memcpy (loop->picture, loop->destination, GST_QPU_PICTURE_BYTES);
  result = vkQueueSubmit (loop->queue, 1, &submit, loop->fence);
  if (result == VK_SUCCESS)
    result =
        vkWaitForFences (loop->device, 1, &loop->fence, VK_TRUE, TIMEOUT_NANOS);
  if (result == VK_SUCCESS)
    result = vkResetFences (loop->device, 1, &loop->fence);
  if (result == VK_SUCCESS && loop->picture != NULL)
    memcpy (loop->destination, loop->picture, GST_QPU_PICTURE_BYTES);
  return result;
}

int32_t
gst_qpu_dispatch_loop (GstQpuDispatchLoop *loop)
{
  pthread_once (&inputs_made, make_inputs);
  for (uint64_t i = 0; i < loop->count; i++) {
    const Input *input = &inputs[(loop->first + i) % INPUTS];
    uint64_t begin;
    VkResult result;

    memcpy (loop->destination, input->prediction, GST_QPU_PICTURE_BYTES);
    begin = now_nanos ();
    result = dispatch (loop, input);
    loop->nanos[i] = now_nanos () - begin;
    if (result != VK_SUCCESS)
      return result;
    if (memcmp (loop->destination, input->expected, GST_QPU_PICTURE_BYTES)
        != 0) {
      loop->failed = loop->first + i;
      return GST_QPU_WRONG_RESULT;
    }
  }
  return VK_SUCCESS;
}
