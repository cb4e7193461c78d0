/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bus-printer.h"

#include <stdio.h>

void
bus_printer_print (GstMessage *message)
{
  GError *error = NULL;
  gint quality;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      printf ("error %s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      printf ("warning %s: %s\n", GST_MESSAGE_SRC_NAME (message),
          error->message);
      break;
    case GST_MESSAGE_QOS:
      gst_message_parse_qos_values (message, NULL, NULL, &quality);
      printf ("qos %s quality=%d\n", GST_MESSAGE_SRC_NAME (message), quality);
      break;
    case GST_MESSAGE_EOS:
      printf ("eos\n");
      break;
    default:
      break;
  }
  g_clear_error (&error);
}

void
bus_printer_print_all (GstBus *bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop (bus)) != NULL) {
    bus_printer_print (message);
    gst_message_unref (message);
  }
}

void
bus_printer_print_stats (GstElement *element)
{
  GstStructure *stats = NULL;
  gchar *text;

  g_object_get (element, "stats", &stats, NULL);
  text = stats == NULL ? g_strdup ("none") : gst_structure_to_string (stats);
  printf ("stats %s\n", text);
  g_free (text);
  g_clear_pointer (&stats, gst_structure_free);
}
