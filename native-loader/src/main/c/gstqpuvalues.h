/*
 * The values of one element's properties, by ordinal of org.gstqpu.plugin.ElementProperty. Any thread; the element's object lock
 * is not held.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GstQpuValues GstQpuValues;

/* The defaults, for an element that is not referenced and outlives them. Freed with gst_qpu_values_free. */
GstQpuValues *gst_qpu_values_new (GstElement *element);
void gst_qpu_values_free (GstQpuValues *self);

/* Sets a property that may be written. Returns whether an open element has to adopt a new value. */
gboolean gst_qpu_values_set (GstQpuValues *self, guint ordinal,
    const GValue *value);

/* Reads a property of any type but GST_QPU_TYPE_STRUCTURE. */
void gst_qpu_values_get (GstQpuValues *self, guint ordinal, GValue *value);

/* A copy of a string property's value, NULL if it is not set; freed with g_free. */
gchar *gst_qpu_values_dup_string (GstQpuValues *self, guint ordinal);

/* A property whose values are stored in a gint32. */
gint32 gst_qpu_values_number (GstQpuValues *self, guint ordinal);

/* All such values by ordinal, which Java reads without the lock, each atomically. Owned by self. */
const gint32 *gst_qpu_values_numbers (GstQpuValues *self);

/* The element is about to open with these values. */
void gst_qpu_values_opened (GstQpuValues *self);

/* Whether a property that open reads has changed since the element opened. */
gboolean gst_qpu_values_stale (GstQpuValues *self);

G_END_DECLS
