/*
 * Pushes buffers through gstqpupictures.c, in an element of its own and with callbacks of its own in place of Java's, and prints
 * one line "ok NAME" or "FAILED NAME" for each thing that must hold.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpupictures.h"

#include <stdio.h>

#include "gstqpudebug.h"
#include "gstqpuruntime.h"

#define HANDLE 7
#define MAX_PICTURES 16

GST_DEBUG_CATEGORY (gst_qpu_loop_filter_debug);

static gint failures;

static void
check (const gchar *name, gboolean ok)
{
  printf ("%s %s\n", ok ? "ok" : "FAILED", name);
  failures += !ok;
}

/* In place of Java */

/* What begin does with a picture, and what happened to it. */
typedef struct
{
  gint32 result; /* of begin */
  gboolean under_way; /* whether the device works on it after begin */
  gint32 place; /* by which finish knows it */
  gint64 running_time;
  gboolean done; /* whether finish need not wait */
  gboolean input_freed, output_freed, memory_freed;
  gboolean kept; /* whether all buffers were there when finish was called */
  gint
      order; /* the place among the pictures that were finished, from 1; 0 before */
} FakePicture;

static FakePicture fakes[MAX_PICTURES];
static guint begun;
static gint finished;
static gint empty_places;

static void
set_flag (gpointer flag, GstMiniObject *object)
{
  (void) object;
  *(gboolean *) flag = TRUE;
}

static gint32
fake_begin (gint32 handle, gint32 place, gint64 in_buffer, gint64 out_buffer,
    gint64 running_time)
{
  FakePicture *fake = &fakes[begun++];
  GstBuffer *output = GST_BUFFER ((gpointer) (gintptr) out_buffer);

  g_assert (handle == HANDLE);
  fake->running_time = running_time;
  gst_mini_object_weak_ref (GST_MINI_OBJECT ((gpointer) (gintptr) in_buffer),
      set_flag, &fake->input_freed);
  gst_mini_object_weak_ref (GST_MINI_OBJECT (output), set_flag,
      &fake->output_freed);
  gst_mini_object_weak_ref (
      GST_MINI_OBJECT (gst_buffer_peek_memory (output, 0)), set_flag,
      &fake->memory_freed);
  for (guint i = 0; i + 1 < begun; i++)
    g_assert (
        !fakes[i].under_way || fakes[i].order > 0 || fakes[i].place != place);
  fake->place = place;
  return fake->result;
}

static gint32
fake_finish (gint32 handle, gint32 place, gint32 wait)
{
  g_assert (handle == HANDLE);
  for (guint i = 0; i < begun; i++) {
    FakePicture *fake = &fakes[i];

    if (fake->under_way && fake->place == place && fake->order == 0) {
      if (!fake->done && !wait)
        return GST_QPU_PENDING;
      fake->kept = !fake->input_freed && !fake->memory_freed
          && (fake->result == GST_QPU_HANDED_OVER || !fake->output_freed);
      fake->order = ++finished;
      return GST_QPU_FILTERED;
    }
  }
  empty_places++;
  return GST_FLOW_ERROR;
}

const GstQpuCallbacks *
gst_qpu_runtime_callbacks (void)
{
  static const GstQpuCallbacks callbacks = { .begin = fake_begin,
    .finish = fake_finish };

  return &callbacks;
}

void
gst_qpu_runtime_post_uncalled (GstElement *element, const gchar *name)
{
  GST_ELEMENT_ERROR (element, LIBRARY, FAILED, ("%s was not called", name),
      (NULL));
}

/* The element */

typedef struct
{
  GstBaseTransform parent;
  GstQpuPictures *pictures;
} TestFilter;

typedef struct
{
  GstBaseTransformClass parent;
} TestFilterClass;

static GType test_filter_get_type (void);
G_DEFINE_TYPE (TestFilter, test_filter, GST_TYPE_BASE_TRANSFORM);

static GstFlowReturn
prepare_output_buffer (GstBaseTransform *trans, GstBuffer *input,
    GstBuffer **output)
{
  (void) trans;
  *output = gst_buffer_new_allocate (NULL, 16, NULL);
  gst_buffer_copy_into (*output, input,
      GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  return GST_FLOW_OK;
}

static GstFlowReturn
transform (GstBaseTransform *trans, GstBuffer *input, GstBuffer *output)
{
  return gst_qpu_pictures_filter (((TestFilter *) trans)->pictures, input,
      output);
}

/* The next buffer is dropped as one that would come too late is. */
static gboolean too_late;

static GstFlowReturn
submit_input_buffer (GstBaseTransform *trans, gboolean is_discont,
    GstBuffer *input)
{
  GstFlowReturn result = GST_BASE_TRANSFORM_FLOW_DROPPED;

  if (too_late)
    gst_buffer_unref (input);
  else
    result = GST_BASE_TRANSFORM_CLASS (test_filter_parent_class)
                 ->submit_input_buffer (trans, is_discont, input);
  too_late = FALSE;
  gst_qpu_pictures_submitted (((TestFilter *) trans)->pictures, is_discont,
      result);
  return result;
}

static GstFlowReturn
generate_output (GstBaseTransform *trans, GstBuffer **output)
{
  GstQpuPictures *pictures = ((TestFilter *) trans)->pictures;

  return gst_qpu_pictures_overlap (pictures)
      ? gst_qpu_pictures_generate_output (pictures, output)
      : GST_BASE_TRANSFORM_CLASS (test_filter_parent_class)
            ->generate_output (trans, output);
}

static void
test_filter_finalize (GObject *object)
{
  gst_qpu_pictures_free (((TestFilter *) object)->pictures);
  G_OBJECT_CLASS (test_filter_parent_class)->finalize (object);
}

static void
test_filter_class_init (TestFilterClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = test_filter_finalize;
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
          GST_CAPS_ANY));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_CAPS_ANY));
  gst_element_class_set_static_metadata (element_class, "test", "test", "test",
      "test");
  trans_class->prepare_output_buffer = prepare_output_buffer;
  trans_class->transform = transform;
  trans_class->submit_input_buffer = submit_input_buffer;
  trans_class->generate_output = generate_output;
}

static void
test_filter_init (TestFilter *self)
{
  self->pictures = gst_qpu_pictures_new (GST_BASE_TRANSFORM (self));
}

/* A stream */

static GString *received;

static GstFlowReturn
sink_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  g_string_append_printf (received, "%d%s ", (gint) GST_BUFFER_PTS (buffer),
      GST_BUFFER_IS_DISCONT (buffer) ? "!" : "");
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

typedef struct
{
  TestFilter *filter;
  GstPad *src, *sink;
  GstBus *bus;
} Stream;

static Stream
stream_new (guint depth, gboolean hands_over)
{
  Stream stream;
  GstCaps *caps = gst_caps_from_string (
      "video/x-raw,format=GRAY8,width=4,height=4,framerate=25/1");
  GstVideoInfo info;
  GstSegment segment;
  GstPad *pad;

  memset (fakes, 0, sizeof fakes);
  begun = 0;
  finished = 0;
  empty_places = 0;
  g_string_truncate (received, 0);

  stream.filter = g_object_new (test_filter_get_type (), NULL);
  gst_object_ref_sink (stream.filter);
  stream.bus = gst_bus_new ();
  gst_element_set_bus (GST_ELEMENT (stream.filter), stream.bus);
  stream.src = gst_pad_new ("src", GST_PAD_SRC);
  stream.sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (stream.sink, sink_chain);
  gst_pad_set_active (stream.src, TRUE);
  gst_pad_set_active (stream.sink, TRUE);
  pad = gst_element_get_static_pad (GST_ELEMENT (stream.filter), "sink");
  g_assert (gst_pad_link (stream.src, pad) == GST_PAD_LINK_OK);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (GST_ELEMENT (stream.filter), "src");
  g_assert (gst_pad_link (pad, stream.sink) == GST_PAD_LINK_OK);
  gst_object_unref (pad);
  g_assert (
      gst_element_set_state (GST_ELEMENT (stream.filter), GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);

  gst_pad_push_event (stream.src, gst_event_new_stream_start ("test"));
  gst_pad_push_event (stream.src, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (stream.src, gst_event_new_segment (&segment));
  gst_qpu_pictures_start (stream.filter->pictures, HANDLE, depth, 0);
  g_assert (gst_video_info_from_caps (&info, caps));
  gst_qpu_pictures_set_caps (stream.filter->pictures, &info, hands_over);
  gst_caps_unref (caps);
  return stream;
}

/* The next picture, of which begin is to return result, after which the device works on it or does
 * not. */
static GstFlowReturn
push_flagged (Stream *stream, gint32 result, gboolean under_way,
    GstBufferFlags flags)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);

  GST_BUFFER_FLAG_SET (buffer, flags);
  GST_BUFFER_PTS (buffer) = begun;
  fakes[begun].result = result;
  fakes[begun].under_way = under_way;
  return gst_pad_push (stream->src, buffer);
}

static GstFlowReturn
push (Stream *stream, gint32 result, gboolean under_way)
{
  return push_flagged (stream, result, under_way, 0);
}

static gboolean
has_received (const gchar *pictures)
{
  return g_strcmp0 (received->str, pictures) == 0;
}

static gboolean
has_error (Stream *stream)
{
  GstMessage *message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ERROR);
  gboolean found = message != NULL;

  if (found)
    gst_message_unref (message);
  return found;
}

static void
stream_free (Stream *stream)
{
  gboolean all_finished = TRUE, all_freed = TRUE, all_kept = TRUE;
  gint failed = 0; /* before the device had any of the work */

  gst_qpu_pictures_discard (stream->filter->pictures);
  gst_element_set_state (GST_ELEMENT (stream->filter), GST_STATE_NULL);
  for (guint i = 0; i < begun; i++) {
    failed += !fakes[i].under_way && fakes[i].result != GST_QPU_FILTERED;
    all_finished = all_finished && (fakes[i].order > 0) == fakes[i].under_way;
    all_kept = all_kept && (fakes[i].kept || !fakes[i].under_way);
    all_freed = all_freed && fakes[i].input_freed && fakes[i].output_freed
        && fakes[i].memory_freed;
  }
  check (" each picture was finished, once, and each failure was followed",
      all_finished && empty_places == failed);
  check (" buffers were there until their picture was finished", all_kept);
  check (" all buffers are released in the end", all_freed);
  gst_element_set_bus (GST_ELEMENT (stream->filter), NULL);
  gst_object_unref (stream->bus);
  gst_object_unref (stream->filter);
  gst_object_unref (stream->src);
  gst_object_unref (stream->sink);
}

static void
check_one_at_a_time (void)
{
  Stream stream = stream_new (1, FALSE);

  check ("a picture is waited for",
      push (&stream, GST_QPU_PENDING, TRUE) == GST_FLOW_OK
          && fakes[0].order == 1 && has_received ("0 "));
  check ("a picture that is done at once is not finished",
      push (&stream, GST_QPU_FILTERED, FALSE) == GST_FLOW_OK && finished == 1
          && has_received ("0 1 "));
  check ("a picture may be dropped",
      push (&stream, GST_BASE_TRANSFORM_FLOW_DROPPED, FALSE) == GST_FLOW_OK
          && has_received ("0 1 ") && !has_error (&stream));
  check ("a picture that fails after its submission is finished",
      push (&stream, GST_FLOW_ERROR, TRUE) == GST_FLOW_ERROR
          && fakes[3].order == 2 && has_received ("0 1 "));
  check ("a failed picture has its error from Java", !has_error (&stream));
  check ("a failure of the call after the submission is an error",
      push (&stream, 0, TRUE) == GST_FLOW_ERROR && fakes[4].order == 3
          && has_error (&stream));
  check ("a failure of the call before the submission is an error",
      push (&stream, 0, FALSE) == GST_FLOW_ERROR && finished == 3
          && has_error (&stream));
  stream_free (&stream);
}

static void
check_several (void)
{
  Stream stream = stream_new (3, FALSE);

  check ("the latency is that of two pictures",
      gst_qpu_pictures_latency (stream.filter->pictures) == 80 * GST_MSECOND);
  for (guint i = 0; i < 4; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  check ("pictures come out two pictures later",
      has_received ("0 1 ") && fakes[1].order == 2 && fakes[2].order == 0);
  check ("a picture that fails after its submission fails the stream",
      push (&stream, GST_FLOW_ERROR, TRUE) == GST_FLOW_ERROR);
  check ("it is finished before the older ones",
      fakes[4].order == 3 && fakes[2].order == 0 && fakes[3].order == 0);
  check ("the older ones are pushed when the stream drains",
      gst_qpu_pictures_drain (stream.filter->pictures) == GST_FLOW_OK
          && has_received ("0 1 2 3 ") && fakes[2].order == 4
          && fakes[3].order == 5);
  push (&stream, GST_QPU_PENDING, TRUE);
  check ("after a drain, the first place is taken again", fakes[5].place == 0);
  check ("a picture that is done at once lets an older one out",
      push (&stream, GST_QPU_FILTERED, FALSE) == GST_FLOW_OK
          && has_received ("0 1 2 3 5 "));
  gst_qpu_pictures_discard (stream.filter->pictures);
  check ("what is discarded is not pushed", has_received ("0 1 2 3 5 "));
  stream_free (&stream);
}

static void
check_handed_over (void)
{
  Stream stream = stream_new (2, TRUE);

  check ("what is handed over has no latency",
      gst_qpu_pictures_latency (stream.filter->pictures) == 0);
  push (&stream, GST_QPU_HANDED_OVER, TRUE);
  check ("a picture that is handed over is pushed at once",
      has_received ("0 ") && fakes[0].order == 0 && fakes[0].output_freed);
  check ("its memories are kept",
      !fakes[0].input_freed && !fakes[0].memory_freed);
  fakes[0].done = TRUE;
  push (&stream, GST_QPU_HANDED_OVER, TRUE);
  check ("they are released with the next one, when it is done",
      fakes[0].order == 1 && fakes[0].input_freed && fakes[0].memory_freed);
  push (&stream, GST_QPU_PENDING, TRUE);
  push (&stream, GST_QPU_PENDING, TRUE);
  check ("without a hand-over, pictures come out as the depth has it",
      has_received ("0 1 2 "));
  stream_free (&stream);
}

static void
check_waiting (void)
{
  Stream stream = stream_new (1, TRUE);

  gst_qpu_pictures_set_depth (stream.filter->pictures, 3, 2);
  for (guint i = 0; i < 3; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  check ("a picture that waits for two others comes out with the second one",
      has_received ("0 "));
  check ("what waits is not handed over, and has a latency",
      gst_qpu_pictures_latency (stream.filter->pictures) == 80 * GST_MSECOND);
  check ("when none waits any more, all come out, in their order",
      gst_qpu_pictures_set_depth (stream.filter->pictures, 1, 0) == GST_FLOW_OK
          && has_received ("0 1 2 ")
          && gst_qpu_pictures_latency (stream.filter->pictures) == 0);
  stream_free (&stream);
}

static void
check_hand_over_that_fails (void)
{
  Stream stream = stream_new (1, TRUE);

  push (&stream, GST_QPU_HANDED_OVER, TRUE);
  push (&stream, GST_QPU_PENDING, TRUE);
  check ("a picture that is not handed over comes out with its own buffer",
      has_received ("0 1 "));
  stream_free (&stream);
}

static void
check_discontinuities (void)
{
  Stream stream = stream_new (3, FALSE);

  push_flagged (&stream, GST_QPU_PENDING, TRUE, GST_BUFFER_FLAG_DISCONT);
  for (guint i = 1; i < 5; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  push_flagged (&stream, GST_QPU_PENDING, TRUE, GST_BUFFER_FLAG_DISCONT);
  for (guint i = 6; i < 9; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  check ("a discontinuity comes out on its own picture",
      has_received ("0! 1 2 3 4 5! 6 "));
  gst_qpu_pictures_drain (stream.filter->pictures);
  too_late = TRUE;
  gst_pad_push (stream.src, gst_buffer_new ());
  for (guint i = 9; i < 13; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  check ("the picture after one that was too late is marked",
      has_received ("0! 1 2 3 4 5! 6 7 8 9! 10 "));
  too_late = TRUE;
  gst_pad_push (stream.src, gst_buffer_new ());
  for (guint i = 13; i < 16; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  check ("older pictures are not",
      has_received ("0! 1 2 3 4 5! 6 7 8 9! 10 11 12 13! "));
  stream_free (&stream);
}

static void
check_discontinuity_before_a_drain (void)
{
  Stream stream = stream_new (3, FALSE);

  push_flagged (&stream, GST_QPU_PENDING, TRUE, GST_BUFFER_FLAG_DISCONT);
  gst_qpu_pictures_drain (stream.filter->pictures);
  for (guint i = 1; i < 5; i++)
    push (&stream, GST_QPU_PENDING, TRUE);
  check ("a discontinuity that was drained does not come again",
      has_received ("0! 1 2 "));
  stream_free (&stream);
}

static void
check_running_times (void)
{
  Stream stream = stream_new (1, FALSE);
  GstBaseTransform *element = GST_BASE_TRANSFORM (stream.filter);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.base = 1000;
  gst_pad_push_event (stream.src, gst_event_new_segment (&segment));
  push (&stream, GST_QPU_FILTERED, FALSE);
  check ("without QoS a picture has no running time",
      fakes[0].running_time == GST_QPU_NO_TIME);
  gst_base_transform_set_qos_enabled (element, TRUE);
  push (&stream, GST_QPU_FILTERED, FALSE);
  check ("with QoS it has that of its segment", fakes[1].running_time == 1001);
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  gst_pad_push_event (stream.src, gst_event_new_segment (&segment));
  push (&stream, GST_QPU_FILTERED, FALSE);
  check ("in a stream of bytes it has none",
      fakes[2].running_time == GST_QPU_NO_TIME);
  stream_free (&stream);
}

static void
check_backwards (void)
{
  Stream stream = stream_new (4, FALSE);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = -1;
  segment.stop = GST_SECOND;
  gst_pad_push_event (stream.src, gst_event_new_segment (&segment));
  push (&stream, GST_QPU_PENDING, TRUE);
  check ("in reverse playback a picture comes out before the next event",
      has_received ("0 "));
  push (&stream, GST_QPU_PENDING, TRUE);
  check ("and so does the next", has_received ("0 1 "));
  stream_free (&stream);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  GST_DEBUG_CATEGORY_INIT (gst_qpu_loop_filter_debug, "qpuloopfilter", 0, "");
  received = g_string_new (NULL);
  check_one_at_a_time ();
  check_several ();
  check_handed_over ();
  check_waiting ();
  check_hand_over_that_fails ();
  check_discontinuities ();
  check_discontinuity_before_a_drain ();
  check_running_times ();
  check_backwards ();
  return failures > 0;
}
