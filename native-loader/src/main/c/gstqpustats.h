/*
 * The property stats: a structure that Java fills by these functions, and that C fills while the element is closed.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstqpuexport.h"

G_BEGIN_DECLS

/* A new structure for the property stats, without fields; owned by the caller. */
GST_QPU_FOR_JAVA GstStructure *gst_qpu_stats_new (void);

/* Adds a string to that structure. gst_qpu_text_specs lists the strings that are always there; each is "none" while the element
 * is closed. */
GST_QPU_FOR_JAVA void gst_qpu_stats_add_text (GstStructure *stats,
    const gchar *name, const gchar *text);

/* Adds a number to that structure: a gint64 if is_signed, else a guint64. gst_qpu_counter_specs lists the numbers that are
 * always there. */
GST_QPU_FOR_JAVA void gst_qpu_stats_add (GstStructure *stats, const gchar *name,
    gint64 value, gint32 is_signed);

/* The structure of a closed element. */
GstStructure *gst_qpu_stats_closed (void);

/* Adds the codec that the tags of a pad's stream name, or "none". */
void gst_qpu_stats_add_source_codec (GstStructure *stats, GstPad *pad);

G_END_DECLS
