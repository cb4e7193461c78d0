/*
 * The pictures of one element on their way through Java: they begin there, may be under way there while the streaming thread
 * goes on, and are finished by their places. Each keeps its buffers until Java is done with it.
 *
 * All functions belong to the element's streaming thread, or to the thread that starts and stops the element while there is no
 * streaming thread, except where a comment says otherwise.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _GstQpuPictures GstQpuPictures;

/* Pictures of an element, which is not referenced and outlives them. Freed with gst_qpu_pictures_free, while none is under
 * way. */
GstQpuPictures *gst_qpu_pictures_new (GstBaseTransform *element);
void gst_qpu_pictures_free (GstQpuPictures *self);

/* A stream begins. handle: Java's number of the element; depth: the most pictures that may be under way, at least 1; ahead: how
 * many of these only wait for the pictures after them. */
void gst_qpu_pictures_start (GstQpuPictures *self, gint32 handle, guint depth,
    guint ahead);

/* The same numbers, from the next picture on. If they change, finishes all pictures under way first and pushes them downstream,
 * and posts a message if the latency changes. Returns what gst_qpu_pictures_drain does. */
GstFlowReturn gst_qpu_pictures_set_depth (GstQpuPictures *self, guint depth,
    guint ahead);

/* The stream has new caps, and no picture is under way. hands_over: whether downstream takes dmabufs, and waits for their
 * fences itself. */
void gst_qpu_pictures_set_caps (GstQpuPictures *self, const GstVideoInfo *info,
    gboolean hands_over);

/* The most pictures that may be under way. */
guint gst_qpu_pictures_depth (GstQpuPictures *self);

/* Whether a picture may still be under way when the next one comes. Not in reverse playback: there, later pictures have earlier
 * timestamps, and an event is expected after all pictures that came before it. */
gboolean gst_qpu_pictures_overlap (GstQpuPictures *self);

/* How long a picture waits for those after it. Any thread. */
GstClockTime gst_qpu_pictures_latency (GstQpuPictures *self);

/* GstBaseTransform's transform, for pictures that do not overlap: filters one buffer into another and waits for the result. */
GstFlowReturn gst_qpu_pictures_filter (GstQpuPictures *self, GstBuffer *input,
    GstBuffer *output);

/* GstBaseTransform's submit_input_buffer was called with is_discont, and returned result. Before each generate_output. */
void gst_qpu_pictures_submitted (GstQpuPictures *self, gboolean is_discont,
    GstFlowReturn result);

/* GstBaseTransform's generate_output, for pictures that overlap: begins the queued picture. output: the next buffer to push,
 * which may be an older picture's, or NULL if none is ready to be pushed. */
GstFlowReturn gst_qpu_pictures_generate_output (GstQpuPictures *self,
    GstBuffer **output);

/* Whether the queued picture goes on as it is, as Java decides; it may. Once for each picture. */
gboolean gst_qpu_pictures_passes (GstQpuPictures *self);

/* GstBaseTransform's generate_output, for a picture that goes on as it is, after the pictures under way. */
GstFlowReturn gst_qpu_pictures_pass (GstQpuPictures *self, GstBuffer **output);

/* Finishes all pictures under way and pushes them downstream. Returns the first failure; the pictures after it are dropped. */
GstFlowReturn gst_qpu_pictures_drain (GstQpuPictures *self);

/* Finishes all pictures under way and drops them. */
void gst_qpu_pictures_discard (GstQpuPictures *self);

G_END_DECLS
