/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuforjava.h"

#include "gstqpudebug.h"
#include "gstqpuexit.h"

/* Where Java's messages and log lines come from, as the debug log names it. */
#define SOURCE_FILE "ElementRuntime.java"
#define SOURCE_CLASS "org.gstqpu.plugin.ElementRuntime"

/* Where memory begins that takes the place of other memory, in bytes. */
#define MEMORY_ALIGNMENT 64

static gpointer
to_pointer (gint64 address)
{
  return (gpointer) (gintptr) address;
}

static void
post_message (gint64 element, GstMessageType type, gint32 domain, gint32 code,
    const gchar *text, const gchar *debug)
{
  const GQuark domains[] = { GST_CORE_ERROR, GST_LIBRARY_ERROR,
    GST_RESOURCE_ERROR, GST_STREAM_ERROR };

  g_return_if_fail (domain >= 0 && domain < (gint32) G_N_ELEMENTS (domains));
  gst_element_message_full (GST_ELEMENT (to_pointer (element)), type,
      domains[domain], code, g_strdup (text), g_strdup (debug), SOURCE_FILE,
      SOURCE_CLASS, 0);
}

void
gst_qpu_element_error (gint64 element, gint32 domain, gint32 code,
    const gchar *text, const gchar *debug)
{
  post_message (element, GST_MESSAGE_ERROR, domain, code, text, debug);
}

void
gst_qpu_element_warning (gint64 element, gint32 domain, gint32 code,
    const gchar *text, const gchar *debug)
{
  post_message (element, GST_MESSAGE_WARNING, domain, code, text, debug);
}

void
gst_qpu_element_info (gint64 element, gint32 domain, gint32 code,
    const gchar *text)
{
  post_message (element, GST_MESSAGE_INFO, domain, code, text, NULL);
}

void
gst_qpu_log (gint64 element, gint32 level, const gchar *line)
{
  gst_debug_log (GST_CAT_DEFAULT, (GstDebugLevel) level, SOURCE_FILE,
      SOURCE_CLASS, 0, to_pointer (element), "%s", line);
}

gint32
gst_qpu_log_threshold (void)
{
  return gst_debug_category_get_threshold (GST_CAT_DEFAULT);
}

gint32
gst_qpu_replace_memory_leaking (gint64 buffer)
{
  GstBuffer *left = to_pointer (buffer);
  GstAllocationParams params;
  GstMemory *fresh;

  gst_allocation_params_init (&params);
  params.align = MEMORY_ALIGNMENT - 1;
  fresh = gst_allocator_alloc (NULL, gst_buffer_get_size (left), &params);
  if (fresh == NULL)
    return FALSE;
  /* These references are never given back. */
  for (guint i = 0; i < gst_buffer_n_memory (left); i++)
    gst_memory_ref (gst_buffer_peek_memory (left, i));
  gst_buffer_replace_all_memory (left, fresh);
  return TRUE;
}

static void
memory_freed (gpointer freed, GstMiniObject *memory)
{
  if (!gst_qpu_exit_enter ())
    return;
  ((void (*) (gint64, gint64)) freed) (0, (gint64) (gintptr) memory);
  gst_qpu_exit_leave ();
}

void
gst_qpu_watch_memory (gint64 memory, void (*freed) (gint64, gint64))
{
  gst_mini_object_weak_ref ((gpointer) (gintptr) memory, memory_freed,
      (gpointer) freed);
}
