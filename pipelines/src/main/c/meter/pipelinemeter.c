/*
 * Measures a pipeline in its steady state, for `qpu bench`: how many pictures arrive in which time, and how much CPU time the
 * process spends on them.
 *
 * usage: pipelinemeter [OPTION]... ELEMENT...     (the pipeline as gst-launch-1.0 takes it)
 *        pipelinemeter --scan PLUGIN-FILE
 * Elements are recognised by their names. Those that begin with "source" must be appsrcs; they send the pictures in a loop.
 * Pictures that arrive at elements whose names begin with "sink" are counted. The property stats of the element "filter" is
 * printed.
 *   --caps CAPS           caps of the sources
 *   --pictures FILE       pictures of the sources, one after the other, in the layout of the caps
 *   --memory MEMORY       memory for these pictures: system, or dmabuf (made with /dev/udmabuf)
 *   --warm-up SECONDS     time before the measurement; up to four times as long if the speed still grows
 *   --measure SECONDS     length of the measurement
 *   --least N             measure at least N pictures per sink, however long that takes
 *   --each N              instead of the measurement, take the time of each of the first N pictures in the element "filter"
 *   --first FILE,N        write the first N pictures of the sink named "sink" to FILE, without padding
 *   --last FILE           write the last measured picture of that sink to FILE
 * Prints one line each for: pictures (number of measured pictures), wall-ns, cpu-ns (of the process), thread-cpu-ns (of the
 * thread on which the pictures arrive; 0 if there are several sinks), last (number of the picture in --last, from 0),
 * stats-begin and stats-end (stats at the beginning and the end of the measurement).
 * With --each it prints: first-ns (from PLAYING until the first picture leaves the filter), each (the N times in nanoseconds,
 * separated by commas), last and stats-end.
 * --scan loads a plugin file, as a scan for the registry does, and prints the wall-ns and cpu-ns of that.
 * Exit status: 0; 1 after an error of the pipeline, printed as a line `error ...`; 2 for wrong usage.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <gst/allocators/gstdmabuf.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#define FRAME_DURATION (GST_SECOND / 30)
#define MAX_PICTURES 64
/* During warm-up, the rate of pictures is computed over intervals of this length. */
#define SETTLING_NS (1000 * G_GINT64_CONSTANT (1000000))
/* Warm-up goes on while the rate of an interval is more than this times that of the interval before. */
#define SETTLING_GAIN 1.1
/* Warm-up ends after this times --warm-up at the latest. */
#define LONGEST_WARM_UP 4

typedef struct
{
  gint64 wall_ns;
  gint64 cpu_ns;
  gint64 thread_ns;
  guint64 pictures;
  gchar *stats;
} Reading;

/* A source. Only the thread of the source uses this. */
typedef struct
{
  guint64 pushed;
} Source;

/* A sink. Guarded by the meter's lock. */
typedef struct
{
  guint64 arrived;
  gboolean main;
} Sink;

typedef struct
{
  GMainLoop *loop;
  GstElement *filter;
  GstVideoInfo info;
  GstMemory *memories[MAX_PICTURES];
  guint picture_count;
  guint sink_count;

  GMutex lock;
  guint64 arrived;
  gint64 started_ns;
  /* The beginning of the current interval of warm-up, and the pictures that had arrived then. */
  gint64 settling_ns;
  guint64 settling_arrived;
  /* The rate of the interval before the current one; 0 before the second interval has ended. */
  gdouble settling_rate;
  /* Whether stats were read once. The filter counts its Java allocations from then on. */
  gboolean counting;
  gboolean begun;
  gboolean ended;
  Reading begin;
  Reading end;
  guint64 last;
  FILE *first_file;
  FILE *last_file;

  /* Of --each; only the thread of the filter uses these until the loop ends. */
  gint64 playing_ns;
  gint64 entered_ns;
  gint64 first_ns;
  gint64 *times_ns;
  gint timed;

  gchar *pictures;
  gchar *caps;
  gchar *memory;
  gchar *first;
  gchar *last_name;
  gchar *scan;
  gdouble warm_up;
  gdouble measure;
  gint least;
  gint each;
  gint first_count;
} Meter;

static G_NORETURN void
fail (const gchar *what, const gchar *detail)
{
  printf ("error %s: %s\n", what, detail);
  exit (1);
}

static gint64
clock_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static gchar *
stats (Meter *meter)
{
  GstStructure *structure = NULL;
  gchar *text;

  if (meter->filter == NULL)
    return NULL;
  g_object_get (meter->filter, "stats", &structure, NULL);
  text = gst_structure_to_string (structure);
  gst_structure_free (structure);
  return text;
}

static void
read_times (Meter *meter, Reading *reading)
{
  reading->wall_ns = clock_ns (CLOCK_MONOTONIC);
  reading->cpu_ns = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
  reading->thread_ns = clock_ns (CLOCK_THREAD_CPUTIME_ID);
  reading->pictures = meter->arrived;
}

/* Writes the samples of a picture without padding. */
static void
write_picture (FILE *file, GstPad *pad, GstBuffer *buffer)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstVideoInfo info;
  GstVideoFrame frame;

  if (caps == NULL || !gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    fail ("no raw video arrives at", GST_PAD_NAME (pad));
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (&frame); p++) {
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, p);
    gsize bytes = 0;
    gint rows = 0;

    for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++) {
      if ((guint) GST_VIDEO_INFO_COMP_PLANE (&info, c) == p) {
        bytes = (gsize) GST_VIDEO_INFO_COMP_WIDTH (&info, c)
            * GST_VIDEO_INFO_COMP_PSTRIDE (&info, c);
        rows = GST_VIDEO_INFO_COMP_HEIGHT (&info, c);
      }
    }
    for (gint y = 0; y < rows; y++) {
      if (fwrite (row, 1, bytes, file) != bytes)
        fail ("a picture cannot be written", strerror (errno));
      row += GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);
    }
  }
  gst_video_frame_unmap (&frame);
  gst_caps_unref (caps);
}

/* Whether warm-up can end: the rate of pictures no longer grows, or the longest warm-up is over. It grows while the JVM
 * compiles, at times of the JVM's choice. */
static gboolean
has_settled (Meter *meter, gdouble seconds)
{
  gint64 now = clock_ns (CLOCK_MONOTONIC);
  gint64 length = now - meter->settling_ns;
  gdouble rate;
  gboolean settled;

  if (seconds >= LONGEST_WARM_UP * meter->warm_up)
    return TRUE;
  if (meter->settling_ns != 0 && length < SETTLING_NS)
    return FALSE;
  rate = (gdouble) (meter->arrived - meter->settling_arrived) / length;
  settled =
      meter->settling_rate > 0 && rate <= SETTLING_GAIN * meter->settling_rate;
  if (meter->settling_ns != 0)
    meter->settling_rate = rate;
  meter->settling_ns = now;
  meter->settling_arrived = meter->arrived;
  return settled;
}

static GstPadProbeReturn
arrive (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  Meter *meter = data;
  Sink *sink = g_object_get_data (G_OBJECT (pad), "sink");
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  gdouble seconds;

  g_mutex_lock (&meter->lock);
  sink->arrived++;
  meter->arrived++;
  if (sink->main && meter->first_file != NULL
      && sink->arrived <= (guint64) meter->first_count) {
    write_picture (meter->first_file, pad, buffer);
    if (sink->arrived == (guint64) meter->first_count)
      g_clear_pointer (&meter->first_file, fclose);
    /* Warm-up begins after the last of these pictures. */
    meter->started_ns = clock_ns (CLOCK_MONOTONIC);
  } else if (meter->each > 0) {
    /* The probes of the filter take the times. */
    if (sink->main && sink->arrived == (guint64) meter->each) {
      meter->end.stats = stats (meter);
      meter->last = sink->arrived - 1;
      if (meter->last_file != NULL)
        write_picture (meter->last_file, pad, buffer);
      g_main_loop_quit (meter->loop);
    }
  } else if (!meter->begun) {
    seconds = (clock_ns (CLOCK_MONOTONIC) - meter->started_ns) / 1e9;
    if (!meter->counting && seconds >= meter->warm_up / 2) {
      g_free (stats (meter));
      meter->counting = TRUE;
    } else if (seconds >= meter->warm_up && sink->main
        && has_settled (meter, seconds)) {
      meter->begin.stats = stats (meter);
      read_times (meter, &meter->begin);
      meter->begun = TRUE;
    }
  } else if (!meter->ended && sink->main) {
    seconds = (clock_ns (CLOCK_MONOTONIC) - meter->begin.wall_ns) / 1e9;
    if (seconds >= meter->measure
        && meter->arrived - meter->begin.pictures
            >= (guint64) meter->least * meter->sink_count) {
      read_times (meter, &meter->end);
      meter->end.stats = stats (meter);
      meter->ended = TRUE;
      if (meter->last_file != NULL) {
        meter->last = sink->arrived - 1;
        write_picture (meter->last_file, pad, buffer);
      }
      g_main_loop_quit (meter->loop);
    }
  }
  g_mutex_unlock (&meter->lock);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
enter_filter (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  (void) pad;
  (void) probe;
  ((Meter *) data)->entered_ns = clock_ns (CLOCK_MONOTONIC);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
leave_filter (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  Meter *meter = data;
  gint64 now = clock_ns (CLOCK_MONOTONIC);

  (void) pad;
  (void) probe;
  if (meter->timed == 0)
    meter->first_ns = now - meter->playing_ns;
  if (meter->timed < meter->each)
    meter->times_ns[meter->timed++] = now - meter->entered_ns;
  return GST_PAD_PROBE_OK;
}

/* Takes the time of each picture in the filter. */
static void
time_each (Meter *meter)
{
  GstPad *sink, *src;

  if (meter->filter == NULL)
    fail ("--each", "the pipeline has no element \"filter\"");
  meter->times_ns = g_new0 (gint64, (gsize) meter->each);
  sink = gst_element_get_static_pad (meter->filter, "sink");
  src = gst_element_get_static_pad (meter->filter, "src");
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, enter_filter, meter,
      NULL);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, leave_filter, meter, NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
}

static void
need_data (GstAppSrc *element, guint length, gpointer data)
{
  Meter *meter = data;
  Source *source = g_object_get_data (G_OBJECT (element), "source");
  GstBuffer *buffer = gst_buffer_new ();

  (void) length;
  /* The same memories come again, as those of a buffer pool do. */
  gst_buffer_append_memory (buffer,
      gst_memory_ref (meter->memories[source->pushed % meter->picture_count]));
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&meter->info), GST_VIDEO_INFO_WIDTH (&meter->info),
      GST_VIDEO_INFO_HEIGHT (&meter->info),
      GST_VIDEO_INFO_N_PLANES (&meter->info), meter->info.offset,
      meter->info.stride);
  GST_BUFFER_PTS (buffer) = source->pushed * FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = FRAME_DURATION;
  source->pushed++;
  gst_app_src_push_buffer (element, buffer);
}

static gboolean
hear (GstBus *bus, GstMessage *message, gpointer data)
{
  Meter *meter = data;
  GError *error = NULL;

  (void) bus;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    fail (GST_MESSAGE_SRC_NAME (message), error->message);
  }
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    fail ("the pipeline", "it ended before the measurement");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning (message, &error, NULL);
    printf ("warning %s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    g_clear_error (&error);
  }
  (void) meter;
  return TRUE;
}

/* Makes a dmabuf of ordinary memory that contains a picture. */
static GstMemory *
dmabuf_memory (GstAllocator *allocator, const guint8 *picture, gsize size)
{
  /* One page more than needed, because some devices read ahead. */
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC };
  int device = open ("/dev/udmabuf", O_RDWR | O_CLOEXEC);
  int file = memfd_create ("pipelinemeter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  void *mapped;
  int dmabuf;

  create.size = (size + 2 * page - 1) / page * page;
  create.memfd = (guint32) file;
  if (device < 0)
    fail ("/dev/udmabuf", strerror (errno));
  if (file < 0 || ftruncate (file, (off_t) create.size) != 0
      || fcntl (file, F_ADD_SEALS, F_SEAL_SHRINK) != 0
      || (dmabuf = ioctl (device, UDMABUF_CREATE, &create)) < 0
      || (mapped = mmap (NULL, size, PROT_WRITE, MAP_SHARED, dmabuf, 0))
          == MAP_FAILED)
    fail ("a dmabuf cannot be made", strerror (errno));
  memcpy (mapped, picture, size);
  munmap (mapped, size);
  close (file);
  close (device);
  return gst_dmabuf_allocator_alloc (allocator, dmabuf, size);
}

static void
read_pictures (Meter *meter, GstCaps *caps)
{
  gboolean in_dmabufs = g_strcmp0 (meter->memory, "dmabuf") == 0;
  GstAllocator *allocator = in_dmabufs ? gst_dmabuf_allocator_new () : NULL;
  gchar *bytes;
  gsize length, size;
  GError *error = NULL;

  if (!gst_video_info_from_caps (&meter->info, caps))
    fail ("not raw video", meter->caps);
  size = GST_VIDEO_INFO_SIZE (&meter->info);
  if (!g_file_get_contents (meter->pictures, &bytes, &length, &error))
    fail ("--pictures", error->message);
  meter->picture_count = (guint) MIN (length / size, MAX_PICTURES);
  if (meter->picture_count == 0)
    fail ("shorter than a picture", meter->pictures);
  for (guint i = 0; i < meter->picture_count; i++) {
    const guint8 *picture = (const guint8 *) bytes + i * size;
    GstMapInfo map;

    if (in_dmabufs) {
      meter->memories[i] = dmabuf_memory (allocator, picture, size);
    } else {
      meter->memories[i] = gst_allocator_alloc (NULL, size, NULL);
      gst_memory_map (meter->memories[i], &map, GST_MAP_WRITE);
      memcpy (map.data, picture, size);
      gst_memory_unmap (meter->memories[i], &map);
    }
  }
  g_free (bytes);
  gst_clear_object (&allocator);
}

static void
connect (Meter *meter, GstBin *pipeline, GstCaps *caps)
{
  static const GstAppSrcCallbacks callbacks = { .need_data = need_data };
  GstIterator *elements = gst_bin_iterate_elements (pipeline);
  GValue value = G_VALUE_INIT;

  while (gst_iterator_next (elements, &value) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&value);
    const gchar *name = GST_ELEMENT_NAME (element);

    if (g_str_has_prefix (name, "source")) {
      GstAppSrcCallbacks own = callbacks;

      if (!GST_IS_APP_SRC (element) || meter->picture_count == 0)
        fail ("a source is an appsrc, with --caps and --pictures", name);
      g_object_set_data_full (G_OBJECT (element), "source", g_new0 (Source, 1),
          g_free);
      g_object_set (element, "caps", caps, "format", GST_FORMAT_TIME, NULL);
      gst_app_src_set_callbacks (GST_APP_SRC (element), &own, meter, NULL);
    } else if (g_str_has_prefix (name, "sink")) {
      GstPad *pad = gst_element_get_static_pad (element, "sink");
      Sink *sink = g_new0 (Sink, 1);

      sink->main = strcmp (name, "sink") == 0;
      g_object_set_data_full (G_OBJECT (pad), "sink", sink, g_free);
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, arrive, meter, NULL);
      gst_object_unref (pad);
      meter->sink_count++;
    } else if (strcmp (name, "filter") == 0) {
      meter->filter = element;
    }
    g_value_reset (&value);
  }
  gst_iterator_free (elements);
}

static FILE *
create_file (const gchar *name)
{
  FILE *file;

  if (name == NULL)
    return NULL;
  file = fopen (name, "wb");
  if (file == NULL)
    fail (name, strerror (errno));
  return file;
}

static int
scan (const gchar *file)
{
  gint64 wall = clock_ns (CLOCK_MONOTONIC);
  gint64 cpu = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
  GError *error = NULL;

  if (gst_plugin_load_file (file, &error) == NULL)
    fail (file, error->message);
  printf ("wall-ns %" G_GINT64_FORMAT "\n", clock_ns (CLOCK_MONOTONIC) - wall);
  printf ("cpu-ns %" G_GINT64_FORMAT "\n",
      clock_ns (CLOCK_PROCESS_CPUTIME_ID) - cpu);
  return 0;
}

static void
print_each (const Meter *meter)
{
  printf ("first-ns %" G_GINT64_FORMAT "\neach ", meter->first_ns);
  for (gint i = 0; i < meter->timed; i++)
    printf ("%s%" G_GINT64_FORMAT, i > 0 ? "," : "", meter->times_ns[i]);
  printf ("\nlast %" G_GUINT64_FORMAT "\nstats-end %s\n", meter->last,
      meter->end.stats);
}

static void
print (const Meter *meter)
{
  printf ("pictures %" G_GUINT64_FORMAT "\n",
      meter->end.pictures - meter->begin.pictures);
  printf ("wall-ns %" G_GINT64_FORMAT "\n",
      meter->end.wall_ns - meter->begin.wall_ns);
  printf ("cpu-ns %" G_GINT64_FORMAT "\n",
      meter->end.cpu_ns - meter->begin.cpu_ns);
  printf ("thread-cpu-ns %" G_GINT64_FORMAT "\n",
      meter->sink_count > 1 ? 0
                            : meter->end.thread_ns - meter->begin.thread_ns);
  printf ("last %" G_GUINT64_FORMAT "\n", meter->last);
  if (meter->end.stats != NULL) {
    printf ("stats-begin %s\n", meter->begin.stats);
    printf ("stats-end %s\n", meter->end.stats);
  }
}

static void
parse (Meter *meter, int *argc, char ***argv)
{
  const GOptionEntry entries[] = { { "caps", 0, 0, G_OPTION_ARG_STRING,
                                       &meter->caps, NULL, NULL },
    { "pictures", 0, 0, G_OPTION_ARG_FILENAME, &meter->pictures, NULL, NULL },
    { "memory", 0, 0, G_OPTION_ARG_STRING, &meter->memory, NULL, NULL },
    { "warm-up", 0, 0, G_OPTION_ARG_DOUBLE, &meter->warm_up, NULL, NULL },
    { "measure", 0, 0, G_OPTION_ARG_DOUBLE, &meter->measure, NULL, NULL },
    { "least", 0, 0, G_OPTION_ARG_INT, &meter->least, NULL, NULL },
    { "each", 0, 0, G_OPTION_ARG_INT, &meter->each, NULL, NULL },
    { "first", 0, 0, G_OPTION_ARG_FILENAME, &meter->first, NULL, NULL },
    { "last", 0, 0, G_OPTION_ARG_FILENAME, &meter->last_name, NULL, NULL },
    { "scan", 0, 0, G_OPTION_ARG_FILENAME, &meter->scan, NULL, NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL } };
  GOptionContext *context = g_option_context_new ("ELEMENT...");
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_strict_posix (context, TRUE);
  if (!g_option_context_parse (context, argc, argv, &error)
      || (*argc < 2 && meter->scan == NULL)) {
    fprintf (stderr, "pipelinemeter: %s\n",
        error != NULL ? error->message : "no pipeline");
    exit (2);
  }
  g_option_context_free (context);
}

int
main (int argc, char **argv)
{
  static Meter meter;
  GstElement *pipeline;
  GstCaps *caps = NULL;
  GstBus *bus;
  GError *error = NULL;
  gchar *comma;

  meter.least = 1;
  parse (&meter, &argc, &argv);
  gst_init (NULL, NULL);
  if (meter.scan != NULL)
    return scan (meter.scan);

  if (meter.first != NULL) {
    comma = strrchr (meter.first, ',');
    if (comma == NULL || (meter.first_count = atoi (comma + 1)) < 1)
      fail ("not FILE,N", meter.first);
    *comma = '\0';
  }
  meter.first_file = create_file (meter.first);
  meter.last_file = create_file (meter.last_name);
  if (meter.caps != NULL && meter.pictures != NULL) {
    caps = gst_caps_from_string (meter.caps);
    if (caps == NULL)
      fail ("no caps", meter.caps);
    read_pictures (&meter, caps);
  }
  pipeline = gst_parse_launchv ((const gchar **) argv + 1, &error);
  if (error != NULL)
    fail ("the pipeline", error->message);
  meter.loop = g_main_loop_new (NULL, FALSE);
  connect (&meter, GST_BIN (pipeline), caps);
  if (meter.sink_count == 0)
    fail ("the pipeline", "it has no sink whose name begins with \"sink\"");
  if (meter.each > 0)
    time_each (&meter);
  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, hear, &meter);

  meter.started_ns = clock_ns (CLOCK_MONOTONIC);
  meter.playing_ns = meter.started_ns;
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (meter.loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (meter.last_file != NULL && fclose (meter.last_file) != 0)
    fail (meter.last_name, strerror (errno));
  if (meter.each > 0)
    print_each (&meter);
  else
    print (&meter);

  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_main_loop_unref (meter.loop);
  for (guint i = 0; i < meter.picture_count; i++)
    gst_memory_unref (meter.memories[i]);
  gst_clear_caps (&caps);
  return 0;
}
