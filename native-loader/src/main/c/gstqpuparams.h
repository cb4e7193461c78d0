/*
 * The side information of a frame: the custom GstMeta qpu-filter-params. org.gstqpu.plugin.FilterParam lists its fields.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* The type of a field, as org.gstqpu.plugin.FilterParam.Type. */
typedef enum
{
  GST_QPU_PARAM_INT, /* a gint or guint */
  GST_QPU_PARAM_CHOICE, /* one of a few strings */
  GST_QPU_PARAM_BYTES /* a GBytes or GstBuffer */
} GstQpuParamType;

/* One constant of FilterParam. */
typedef struct
{
  const gchar *name;
  GstQpuParamType type;
  const gchar *const
      *choices; /* NULL-terminated; only for GST_QPU_PARAM_CHOICE */
} GstQpuParamSpec;

/* A field as Java reads it. */
typedef struct
{
  gint64
      value; /* the number, the index of the choice, or the address of the bytes */
  gint64
      size; /* how many bytes; 0 for the other types; -1 if the meta lacks the field */
} GstQpuParam;

typedef struct _GstQpuParams GstQpuParams;

/* Registers the meta for the process, unless it is registered. Any thread, once the plugin is loaded. */
void gst_qpu_params_register (void);

/* The meta's API type. */
GType gst_qpu_params_api (void);

/* Room for the fields of one frame at a time; its first bytes are one GstQpuParam for each FilterParam. */
GST_QPU_FOR_JAVA GstQpuParams *gst_qpu_params_new (void);
GST_QPU_FOR_JAVA void gst_qpu_params_free (GstQpuParams *params);

/* Reads the fields of a GstBuffer's meta. Returns 1; 0 if the buffer has no such meta; -1 if the fields make no sense. The bytes
 * of fields stay mapped until gst_qpu_params_release, which must come before the next read, and before the buffer is freed. */
GST_QPU_FOR_JAVA gint32 gst_qpu_params_read (GstQpuParams *params,
    gint64 buffer);
GST_QPU_FOR_JAVA void gst_qpu_params_release (GstQpuParams *params);

/* What made no sense. The same fault has the same cause in every frame; the problem is a part of a line. Owned by params. */
GST_QPU_FOR_JAVA const gchar *gst_qpu_params_cause (GstQpuParams *params);
GST_QPU_FOR_JAVA const gchar *gst_qpu_params_problem (GstQpuParams *params);

G_END_DECLS
