/*
 * Side information of a frame: the custom GstMeta qpu-filter-params, whose fields org.gstqpu.plugin.FilterParam lists.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuforjava.h"

G_BEGIN_DECLS

/* What a field holds, as org.gstqpu.plugin.FilterParam.Type. */
typedef enum
{
  GST_QPU_PARAM_INT,            /* a gint or guint */
  GST_QPU_PARAM_CHOICE,         /* a string, one of a few */
  GST_QPU_PARAM_BYTES           /* a GBytes or GstBuffer */
} GstQpuParamType;

/* One constant of FilterParam. */
typedef struct
{
  const gchar *name;
  GstQpuParamType type;
  const gchar *const *choices;  /* NULL-terminated, of a GST_QPU_PARAM_CHOICE */
} GstQpuParamSpec;

/* A field as Java reads it. */
typedef struct
{
  gint64 value;                 /* the number, the place among the choices, or the address of the bytes */
  gint64 size;                  /* of the bytes, else 0; -1 where the field is not there */
} GstQpuParam;

typedef struct _GstQpuParams GstQpuParams;

/* Registers the meta for the process, unless somebody has; any thread, once the plugin is loaded. */
void gst_qpu_params_register (void);

/* The meta's API type. */
GType gst_qpu_params_api (void);

/* Room for the fields of one frame after the other; begins with a GstQpuParam for each FilterParam. */
GST_QPU_FOR_JAVA GstQpuParams *gst_qpu_params_new (void);
GST_QPU_FOR_JAVA void gst_qpu_params_free (GstQpuParams * params);

/* Reads the fields of a GstBuffer's meta: 1; 0 where it has none; -1 where they make no sense. What bytes there are stay until
 * gst_qpu_params_release, which has to come before the next, and as long as the buffer. */
GST_QPU_FOR_JAVA gint32 gst_qpu_params_read (GstQpuParams * params,
    gint64 buffer);
GST_QPU_FOR_JAVA void gst_qpu_params_release (GstQpuParams * params);

/* What made no sense: the same for the same fault in every frame, and part of a line. Owned by params. */
GST_QPU_FOR_JAVA const gchar *gst_qpu_params_cause (GstQpuParams * params);
GST_QPU_FOR_JAVA const gchar *gst_qpu_params_problem (GstQpuParams * params);

G_END_DECLS
