/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuqueue.h"

#include "gstqpuruntime.h"

/* Planes of a picture. */
#define MAX_MEMORIES 4

typedef struct
{
  GstBuffer *input;
  /* NULL where it was handed over. */
  GstBuffer *output;
  /* Of the output that was handed over: Java's imports end with it. */
  GstMemory *memories[MAX_MEMORIES];
  /* Java has nothing to finish. */
  gboolean finished;
} Picture;

void
gst_qpu_queue_init (GstQpuQueue * queue)
{
  g_queue_init (&queue->pictures);
}

guint
gst_qpu_queue_length (GstQpuQueue * queue)
{
  return g_queue_get_length (&queue->pictures);
}

void
gst_qpu_queue_push (GstQpuQueue * queue, GstBuffer * input, GstBuffer * output,
    gint32 result)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->input = input;
  picture->finished = result == GST_QPU_FILTERED;
  if (result == GST_QPU_HANDED_OVER) {
    guint count = MIN (gst_buffer_n_memory (output), MAX_MEMORIES);

    for (guint i = 0; i < count; i++)
      picture->memories[i] = gst_buffer_get_memory (output, i);
  } else {
    picture->output = output;
  }
  g_queue_push_tail (&queue->pictures, picture);
}

gboolean
gst_qpu_queue_first_is_handed_over (GstQpuQueue * queue)
{
  const Picture *first = g_queue_peek_head (&queue->pictures);

  return first != NULL && first->output == NULL;
}

GstFlowReturn
gst_qpu_queue_finish (GstQpuQueue * queue, gint32 handle, gboolean wait,
    GstBuffer ** output)
{
  Picture *first = g_queue_peek_head (&queue->pictures);
  gint32 result = first->finished ? GST_QPU_FILTERED :
      gst_qpu_runtime_callbacks ()->finish (handle, wait);

  *output = NULL;
  if (result == GST_QPU_PENDING)
    return GST_FLOW_CUSTOM_SUCCESS;
  g_queue_pop_head (&queue->pictures);
  if (result == GST_QPU_FILTERED)
    *output = first->output;
  else
    gst_clear_buffer (&first->output);
  gst_buffer_unref (first->input);
  for (guint i = 0; i < MAX_MEMORIES; i++) {
    if (first->memories[i] != NULL)
      gst_memory_unref (first->memories[i]);
  }
  g_free (first);
  /* 0: Java could not be called; its standard error says why. */
  return result == GST_QPU_FILTERED ? GST_FLOW_OK : result == 0 ?
      GST_FLOW_ERROR : (GstFlowReturn) result;
}
