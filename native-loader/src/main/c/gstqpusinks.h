/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the sinks that a pad leads to are like. */
#ifndef GST_QPU_SINKS_H
#define GST_QPU_SINKS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Whether a sink downstream of a source pad shows pictures at their time and says how late they come: it has sync and qos. Any
 * thread; sees what is linked now. */
gboolean gst_qpu_sinks_keep_time (GstPad *pad);

G_END_DECLS

#endif
