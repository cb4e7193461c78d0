/*
 * The element's properties. The build generates a table from the Java enum org.gstqpu.plugin.ElementProperty, and the GParamSpecs
 * are made from that table, so that registering them needs no JVM.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The type of a property. Values of the first four types are stored in a gint32. */
typedef enum
{
  GST_QPU_TYPE_BOOLEAN,
  GST_QPU_TYPE_INT,
  GST_QPU_TYPE_DOUBLE, /* a gdouble, stored as a number of parts */
  GST_QPU_TYPE_ENUM,
  GST_QPU_TYPE_STRING,
  GST_QPU_TYPE_STRUCTURE
} GstQpuPropertyType;

/* When a property may be written, as org.gstqpu.plugin.ElementProperty.Access. */
typedef enum
{
  GST_QPU_ACCESS_READ_ONLY,
  GST_QPU_ACCESS_READY,
  GST_QPU_ACCESS_CONTROLLABLE
} GstQpuAccess;

/* One constant of ElementProperty. Fields that its type does not use are zero. */
typedef struct
{
  const gchar *name;
  const gchar *nick;
  const gchar *blurb;
  GstQpuAccess access;
  GstQpuPropertyType type;
  gint32 minimum;
  gint32 maximum;
  gint32 default_value;
  gint32
      parts; /* of a GST_QPU_TYPE_DOUBLE: the three values before are so many parts of 1 */
  const gchar *enum_name; /* GType name of a GST_QPU_TYPE_ENUM */
  const GEnumValue *enum_values; /* zero-terminated, static */
} GstQpuPropertySpec;

/* One constant of org.gstqpu.plugin.ElementCounter: a number in the property stats of every element, even a closed one. */
typedef struct
{
  const gchar *name;
  gboolean is_signed; /* a gint64, else a guint64 */
} GstQpuCounterSpec;

/* One constant of org.gstqpu.plugin.ElementText: a string that Java gives to the property stats. */
typedef struct
{
  const gchar *name;
} GstQpuTextSpec;

/* This generated file defines GST_QPU_VIDEO_FORMATS, GST_QPU_PROPERTY_... (ordinals), GST_QPU_PROPERTY_COUNT,
 * gst_qpu_property_specs, GST_QPU_TEXT_COUNT, gst_qpu_text_specs, GST_QPU_COUNTER_COUNT and gst_qpu_counter_specs. */
#include "gstqpupropertytable.h"

/* Converts a property's ordinal to its GObject property id, and back. GObject does not allow the id 0. */
#define GST_QPU_PROPERTY_ID(ordinal) ((guint) (ordinal) + 1)
#define GST_QPU_PROPERTY_ORDINAL(id) ((guint) (id) - 1)

/* Installs all properties on the class, and registers their enum types. Called once, when the class is initialised. */
void gst_qpu_properties_install (GObjectClass *klass);

G_END_DECLS
