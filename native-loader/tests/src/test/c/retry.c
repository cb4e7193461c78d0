/*
 * An application whose user mends what was wrong while it runs: opens an element with the environment variable NAME set to
 * WRONG, which must fail with an error message, and then with it unset, which must not. Also opens an element that is
 * already in READY anew with another value of a property that is read at opening.
 *
 * usage: retry NAME WRONG
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <stdio.h>

static gint failures;

static void
check (const gchar *name, gboolean ok)
{
  printf ("%s %s\n", ok ? "ok" : "FAILED", name);
  failures += !ok;
}

static gboolean
has_error (GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  gboolean has = message != NULL;

  if (has) {
    GError *error;

    gst_message_parse_error (message, &error, NULL);
    printf ("%s\n", error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  return has;
}

static gchar *
device_in_use (GstElement *filter)
{
  GstStructure *stats;
  gchar *device;

  g_object_get (filter, "stats", &stats, NULL);
  device = g_strdup (gst_structure_get_string (stats, "device"));
  gst_structure_free (stats);
  return device;
}

int
main (int argc, char **argv)
{
  GstElement *filter;
  GstBus *bus;
  gchar *one, *three;

  gst_init (&argc, &argv);
  filter = gst_element_factory_make ("qpuloopfilter", NULL);
  if (filter == NULL || argc != 3)
    return 2;
  gst_util_set_object_arg (G_OBJECT (filter), "substrate", "cpu");
  g_object_set (filter, "threads", 1, NULL);
  bus = gst_bus_new ();
  gst_element_set_bus (filter, bus);

  g_setenv (argv[1], argv[2], TRUE);
  check ("wrong: does not open",
      gst_element_set_state (filter, GST_STATE_READY)
          == GST_STATE_CHANGE_FAILURE);
  check ("wrong: posts an error", has_error (bus));
  check ("wrong: posts one error", !has_error (bus));
  g_unsetenv (argv[1]);
  check ("mended: opens",
      gst_element_set_state (filter, GST_STATE_READY)
          == GST_STATE_CHANGE_SUCCESS);
  check ("mended: posts no error", !has_error (bus));

  one = device_in_use (filter);
  g_object_set (filter, "threads", 3, NULL);
  check ("starts with another number of threads",
      gst_element_set_state (filter, GST_STATE_PAUSED)
          == GST_STATE_CHANGE_SUCCESS);
  three = device_in_use (filter);
  printf ("%s, then %s\n", one, three);
  check ("a property set in READY takes effect", g_strcmp0 (one, three) != 0);
  g_free (one);
  g_free (three);

  gst_element_set_state (filter, GST_STATE_NULL);
  gst_element_set_bus (filter, NULL);
  gst_object_unref (bus);
  gst_object_unref (filter);
  return failures > 0;
}
