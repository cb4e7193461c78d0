/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpusinks.h"

#include <gst/base/gstbasesink.h>

/* More elements in a row than any pipeline has: pads that are linked in a circle end here. */
#define MOST_PADS 200

static gboolean keep_time (GstPad *pad, guint left);

static gboolean
any_keeps_time (GstIterator *pads, guint left)
{
  GValue value = G_VALUE_INIT;
  gboolean found = FALSE, more = TRUE;

  while (more && !found) {
    switch (gst_iterator_next (pads, &value)) {
      case GST_ITERATOR_OK:
        found = keep_time (g_value_get_object (&value), left);
        g_value_reset (&value);
        break;
      case GST_ITERATOR_RESYNC:
        gst_iterator_resync (pads);
        break;
      default:
        more = FALSE;
    }
  }
  g_value_unset (&value);
  return found;
}

/* Ghost pads need no rule of their own: what they lead to are their internal links. */
static gboolean
keep_time (GstPad *pad, guint left)
{
  GstPad *peer = gst_pad_get_peer (pad);
  GstElement *element;
  GstIterator *links = NULL;
  gboolean found = FALSE;

  if (peer == NULL)
    return FALSE;
  element = gst_pad_get_parent_element (peer);
  if (element != NULL && GST_IS_BASE_SINK (element)) {
    found = gst_base_sink_get_sync (GST_BASE_SINK (element))
        && gst_base_sink_is_qos_enabled (GST_BASE_SINK (element));
  } else if (left > 0) {
    links = gst_pad_iterate_internal_links (peer);
    found = links != NULL && any_keeps_time (links, left - 1);
  }
  if (links != NULL)
    gst_iterator_free (links);
  if (element != NULL)
    gst_object_unref (element);
  gst_object_unref (peer);
  return found;
}

gboolean
gst_qpu_sinks_keep_time (GstPad *pad)
{
  return keep_time (pad, MOST_PADS);
}
