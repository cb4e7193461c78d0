/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuvalues.h"

#include "gstqpudebug.h"
#include "gstqpuproperties.h"

struct _GstQpuValues
{
  GstElement *element;
  /* Written under the element's object lock; Java reads them without it, each atomically. */
  gint32 numbers[GST_QPU_PROPERTY_COUNT];
  /* Values of string properties; guarded by the object lock. */
  gchar *strings[GST_QPU_PROPERTY_COUNT];
  /* The exact values of GST_QPU_TYPE_DOUBLE properties, which numbers holds rounded to parts; guarded by the object lock. */
  gdouble doubles[GST_QPU_PROPERTY_COUNT];
  /* A property that open reads has changed since the last open; guarded by the object lock. */
  gboolean stale;
};

GstQpuValues *
gst_qpu_values_new (GstElement *element)
{
  GstQpuValues *self = g_new0 (GstQpuValues, 1);

  self->element = element;
  for (guint i = 0; i < GST_QPU_PROPERTY_COUNT; i++) {
    self->numbers[i] = gst_qpu_property_specs[i].default_value;
    if (gst_qpu_property_specs[i].type == GST_QPU_TYPE_DOUBLE)
      self->doubles[i] =
          (gdouble) self->numbers[i] / gst_qpu_property_specs[i].parts;
  }
  return self;
}

void
gst_qpu_values_free (GstQpuValues *self)
{
  for (guint i = 0; i < GST_QPU_PROPERTY_COUNT; i++)
    g_free (self->strings[i]);
  g_free (self);
}

gboolean
gst_qpu_values_set (GstQpuValues *self, guint ordinal, const GValue *value)
{
  const GstQpuPropertySpec *spec = &gst_qpu_property_specs[ordinal];
  gboolean changed;

  GST_OBJECT_LOCK (self->element);
  if (spec->type == GST_QPU_TYPE_STRING) {
    const gchar *string = g_value_get_string (value);

    changed = g_strcmp0 (string, self->strings[ordinal]) != 0;
    if (changed) {
      g_free (self->strings[ordinal]);
      self->strings[ordinal] = g_strdup (string);
    }
  } else {
    gint32 number;

    if (spec->type == GST_QPU_TYPE_DOUBLE) {
      gdouble parts = g_value_get_double (value) * spec->parts;

      self->doubles[ordinal] = g_value_get_double (value);
      number = (gint32) (parts < 0 ? parts - 0.5 : parts + 0.5);
    } else {
      number = spec->type == GST_QPU_TYPE_BOOLEAN ? g_value_get_boolean (value)
          : spec->type == GST_QPU_TYPE_ENUM       ? g_value_get_enum (value)
                                                  : g_value_get_int (value);
    }

    changed = number != self->numbers[ordinal];
    g_atomic_int_set (&self->numbers[ordinal], number);
  }
  if (changed && spec->access == GST_QPU_ACCESS_READY) {
    self->stale = TRUE;
    if (GST_STATE (self->element) > GST_STATE_READY)
      GST_WARNING_OBJECT (self->element,
          "%s takes effect when the element next leaves the READY state",
          spec->name);
  }
  GST_OBJECT_UNLOCK (self->element);
  return changed && spec->access == GST_QPU_ACCESS_CONTROLLABLE;
}

void
gst_qpu_values_get (GstQpuValues *self, guint ordinal, GValue *value)
{
  switch (gst_qpu_property_specs[ordinal].type) {
    case GST_QPU_TYPE_BOOLEAN:
      g_value_set_boolean (value, gst_qpu_values_number (self, ordinal));
      break;
    case GST_QPU_TYPE_INT:
      g_value_set_int (value, gst_qpu_values_number (self, ordinal));
      break;
    case GST_QPU_TYPE_DOUBLE:
      GST_OBJECT_LOCK (self->element);
      g_value_set_double (value, self->doubles[ordinal]);
      GST_OBJECT_UNLOCK (self->element);
      break;
    case GST_QPU_TYPE_ENUM:
      g_value_set_enum (value, gst_qpu_values_number (self, ordinal));
      break;
    case GST_QPU_TYPE_STRING:
      g_value_take_string (value, gst_qpu_values_dup_string (self, ordinal));
      break;
    case GST_QPU_TYPE_STRUCTURE:
      g_assert_not_reached ();
  }
}

gchar *
gst_qpu_values_dup_string (GstQpuValues *self, guint ordinal)
{
  gchar *copy;

  g_return_val_if_fail (ordinal < GST_QPU_PROPERTY_COUNT, NULL);
  GST_OBJECT_LOCK (self->element);
  copy = g_strdup (self->strings[ordinal]);
  GST_OBJECT_UNLOCK (self->element);
  return copy;
}

gint32
gst_qpu_values_number (GstQpuValues *self, guint ordinal)
{
  return g_atomic_int_get (&self->numbers[ordinal]);
}

const gint32 *
gst_qpu_values_numbers (GstQpuValues *self)
{
  return self->numbers;
}

void
gst_qpu_values_opened (GstQpuValues *self)
{
  GST_OBJECT_LOCK (self->element);
  self->stale = FALSE;
  GST_OBJECT_UNLOCK (self->element);
}

gboolean
gst_qpu_values_stale (GstQpuValues *self)
{
  gboolean stale;

  GST_OBJECT_LOCK (self->element);
  stale = self->stale;
  GST_OBJECT_UNLOCK (self->element);
  return stale;
}
