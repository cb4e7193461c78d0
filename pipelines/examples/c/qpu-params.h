/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Side information for qpuloopfilter, in C and C++: puts the meta "qpu-filter-params" on buffers of pictures, or on buffers that a decoder
 * is about to decode. Needs the flags of gstreamer-1.0. docs/SIDE-INFORMATION.md has the fields, and the decoders that keep the meta. */
#ifndef QPU_PARAMS_H
#define QPU_PARAMS_H

#include <gst/gst.h>

#define QPU_PARAMS_META "qpu-filter-params"

/* Registers the meta, once a process and after gst_init: FALSE if the plugin is not installed. It starts no Java. */
static inline gboolean
qpu_params_load (void)
{
  if (gst_meta_get_info (QPU_PARAMS_META) == NULL) {
    GstPlugin *plugin = gst_plugin_load_by_name ("qpu");

    if (plugin != NULL)
      gst_object_unref (plugin);
  }
  return gst_meta_get_info (QPU_PARAMS_META) != NULL;
}

/* Adds the meta to a buffer that is writable, and returns its fields, none of which is set yet. They are the buffer's. */
static inline GstStructure *
qpu_params_add (GstBuffer *buffer)
{
  return gst_custom_meta_get_structure (
      gst_buffer_add_custom_meta (buffer, QPU_PARAMS_META));
}

/* Sets a field of bytes, such as a map, to a copy of these. */
static inline void
qpu_params_set_bytes (GstStructure *params, const gchar *field,
    gconstpointer bytes, gsize size)
{
  GBytes *copy = g_bytes_new (bytes, size);

  gst_structure_set (params, field, G_TYPE_BYTES, copy, NULL);
  g_bytes_unref (copy);
}

/* Sets the fields of a buffer. Returns FALSE if nothing is known of it: then it gets no meta. */
typedef gboolean (*QpuParamsFill) (const GstBuffer *buffer,
    GstStructure *params, gpointer data);

typedef struct QpuParamsProbe
{
  QpuParamsFill fill;
  gpointer data;
} QpuParamsProbe;

static inline GstPadProbeReturn
qpu_params_probed (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  const QpuParamsProbe *probe = (const QpuParamsProbe *) data;
  GstBuffer *buffer =
      gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GstStructure *params = qpu_params_add (buffer);

  (void) pad;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  if (!probe->fill (buffer, params, probe->data))
    gst_buffer_remove_meta (buffer,
        (GstMeta *) gst_buffer_get_custom_meta (buffer, QPU_PARAMS_META));
  return GST_PAD_PROBE_OK;
}

/* Calls fill for each buffer that comes to a pad: the sink pad of qpuloopfilter, or that of a decoder. Returns the probe's number, or 0 if
 * the plugin is not installed. */
static inline gulong
qpu_params_probe (GstPad *pad, QpuParamsFill fill, gpointer data)
{
  QpuParamsProbe *probe;

  if (!qpu_params_load ())
    return 0;
  probe = g_new (QpuParamsProbe, 1);
  probe->fill = fill;
  probe->data = data;
  return gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, qpu_params_probed,
      probe, g_free);
}

#endif
