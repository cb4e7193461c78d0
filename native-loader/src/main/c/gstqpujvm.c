/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpujvm.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gstqpuarchive.h"
#include "gstqpudebug.h"
#include "gstqpuexit.h"
#include "gstqpufiles.h"
#include "gstqpujvmhome.h"
#include "gstqpujvmtrial.h"
#include "gstqpusignals.h"
#include "gstqpuvectors.h"

/* From this version on, Java warns when an unnamed module (JNA, LWJGL) calls native code, unless an option allows it. */
#define NATIVE_ACCESS_VERSION 24

/* The last version that is known to allow JNI and sun.misc.Unsafe without a warning, given the options below. */
#define PLAIN_LWJGL_VERSION_MAX 25

/* How many files Java, the first pictures and the rest of a pipeline open at the same time, with some to spare. */
#define SPARE_FILES 20

/* The heap's first size. */
#define FIRST_HEAP_BYTES (32 << 20)

/* How many threads Java's start (up to 14) and the first pictures start, with some to spare. */
#define SPARE_THREADS 24

/* Enough for a thread that does nothing, also in programs with much thread-local storage. */
#define PROBE_STACK_BYTES (256 << 10)

/* The folder of the stages' packages, as the JVM's compiler names it. */
#define STAGES "org/gstqpu/kernels/internal/stage/"

/* The methods of the kernels that C2 compiles on their own. The kernels look for the last two among the JVM's options: without
 * them 10 bit is deblocked without vectors. */
static const gchar *const steps[] = { "cdef/CdefBlockFilter.filter",
  "cdef/CdefDirection.search", "cdef/CdefTile.read", "cdef/CdefTile.write",
  "deblock/PlainDeblockKernel.chroma", "deblock/PlainDeblockKernel.component",
  "deblock/PlainDeblockKernel.luma", "deblock/VectorByteEdgeFilter.*",
  "cdef/VectorCdefKernel.addAcross", "cdef/VectorCdefKernel.begin",
  "cdef/VectorCdefKernel.decide", "cdef/VectorCdefKernel.eightTerms",
  "cdef/VectorCdefKernel.filter*", "cdef/VectorCdefKernel.fourTerms",
  "cdef/VectorCdefKernel.gather", "cdef/VectorCdefKernel.narrow",
  "cdef/VectorCdefKernel.pair", "cdef/VectorCdefKernel.sumAlong",
  "cdef/VectorCdefKernel.widen", "deblock/VectorDeblockKernel.chroma*",
  "deblock/VectorDeblockKernel.luma*", "deblock/VectorDeblockKernel.pack*",
  "deblock/VectorDeblockKernel.read*", "deblock/VectorDeblockKernel.turn*",
  "deblock/VectorDeblockKernel.unpack*", "deblock/VectorDeblockKernel.write*",
  "deblock/VectorEdgeFilter.*", "deblock/VectorWideDeblockKernel.*" };

typedef jint (JNICALL *GetCreatedJavaVMs) (JavaVM **, jsize, jsize *);
typedef jint (JNICALL *CreateJavaVM) (JavaVM **, void **, void *);

/* Guards messages: the JVM may print from any of its threads. */
static GMutex messages_lock;
/* What the JVM prints while it is being created; NULL at other times. Guarded by messages_lock. */
static GString *messages;

/* The JVM's vfprintf hook. Also prints the text: after some failures (no memory for the heap) the JVM exits the process, and the
 * user sees nothing but what was printed. */
static jint JNICALL
print_message (FILE *stream, const char *format, va_list arguments)
{
  va_list copy;
  jint length;

  g_mutex_lock (&messages_lock);
  if (messages != NULL) {
    va_copy (copy, arguments);
    g_string_append_vprintf (messages, format, copy);
    va_end (copy);
  }
  g_mutex_unlock (&messages_lock);
  length = vfprintf (stream, format, arguments);
  fflush (stream);
  return length;
}

/* A reference to the libjvm.so that the process has loaded; NULL if there is none. */
static void *
loaded_libjvm (void)
{
  return dlopen ("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
}

void
gst_qpu_jvm_trim (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

JavaVM *
gst_qpu_jvm_running (void)
{
  void *library = loaded_libjvm ();
  JavaVM *vm = NULL;

  if (library != NULL) {
    GetCreatedJavaVMs get =
        (GetCreatedJavaVMs) dlsym (library, "JNI_GetCreatedJavaVMs");
    jsize count = 0;

    if (get == NULL || get (&vm, 1, &count) != JNI_OK || count == 0)
      vm = NULL;
    dlclose (library); /* releases only the reference of loaded_libjvm */
  }
  return vm;
}

static const gchar *
create_failure (jint result)
{
  switch (result) {
    case JNI_EVERSION:
      return "it does not know JNI 10";
    case JNI_ENOMEM:
      return "not enough memory";
    case JNI_EEXIST:
      return "there is one already";
    case JNI_EINVAL:
      return "invalid options";
    default:
      return "it gives no reason";
  }
}

/* The first line of what the JVM printed; freed with g_free. */
static gchar *
first_line (GString *text)
{
  gsize end = strcspn (text->str, "\r\n");

  return g_strstrip (g_utf8_make_valid (text->str, (gssize) end));
}

/* env: on success this thread's. */
static JavaVM *
create (CreateJavaVM function, GPtrArray *options, const gchar *home,
    JNIEnv **env, GError **error)
{
  g_autofree JavaVMOption *vm_options = g_new0 (JavaVMOption, options->len + 1);
  JavaVMInitArgs arguments = {
    .version = JNI_VERSION_10,
    .nOptions = (jint) options->len + 1,
    .options = vm_options,
    .ignoreUnrecognized = JNI_FALSE,
  };
  g_autoptr (GString) printed = NULL;
  JavaVM *vm = NULL;
  jint result;

  vm_options[0].optionString = (char *) "vfprintf";
  vm_options[0].extraInfo = (void *) print_message;
  for (guint i = 0; i < options->len; i++) {
    vm_options[i + 1].optionString = g_ptr_array_index (options, i);
    GST_DEBUG ("JVM option %s", vm_options[i + 1].optionString);
  }

  g_mutex_lock (&messages_lock);
  messages = g_string_new (NULL);
  g_mutex_unlock (&messages_lock);

  gst_qpu_signals_before_jvm ();
  result = function (&vm, (void **) env, &arguments);
  gst_qpu_signals_after_jvm (result == JNI_OK);

  g_mutex_lock (&messages_lock);
  printed = messages;
  messages = NULL;
  g_mutex_unlock (&messages_lock);

  if (result != JNI_OK) {
    g_autofree gchar *line = first_line (printed);

    vm = NULL;
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The JVM of %s could not be created (%d: %s): check GST_QPU_JVM_OPTIONS and JAVA_TOOL_OPTIONS, or reinstall Java",
        home, result, *line != '\0' ? line : create_failure (result));
  }
  return vm;
}

/* Adds options with which the JVM's compiler comes to the vector kernels sooner and spends less time there. The Vector API's own
 * classes are compiled by C2 only where they are inlined into a kernel: on their own, a node limit stops C2 at once. They are slow
 * anyway, and there are some 170. A step of a kernel is compiled once, not again in each of its callers. docs/notebook/START.md has
 * what each option gains. Names that do not exist have no effect, but a test compares them with the kernels. */
static void
add_compiler_options (GPtrArray *options)
{
  static const gchar *const commands[] = { "quiet",
    "MaxNodeLimit,jdk/incubator/vector/*.*,200",
    "MaxNodeLimit,jdk/internal/vm/vector/*.*,200",
    "CompileThresholdScaling," STAGES "cdef/Vector*.*,0.3",
    "CompileThresholdScaling," STAGES "deblock/Vector*.*,0.3",
    "CompileThresholdScaling," STAGES "shrinkage/Vector*.*,0.3" };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_ptr_array_add (options,
        g_strconcat ("-XX:CompileCommand=", commands[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    g_ptr_array_add (options,
        g_strconcat ("-XX:CompileCommand=dontinline," STAGES, steps[i], NULL));
  /* On fewer than four processors there is one thread of C2 by default. */
  if (g_get_num_processors () > 1 && g_get_num_processors () < 4)
    g_ptr_array_add (options, g_strdup ("-XX:CICompilerCount=3"));
}

/* The option for the heap's first size: as a share of the memory, of which a JVM takes no more than a user's -Xmx. */
static gchar *
first_heap_size (void)
{
  gdouble memory =
      (gdouble) sysconf (_SC_PHYS_PAGES) * (gdouble) sysconf (_SC_PAGESIZE);
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.4f",
      MIN (100.0 * FIRST_HEAP_BYTES / memory, 100.0));
  return g_strconcat ("-XX:InitialRAMPercentage=", number, NULL);
}

/* The options of the JVM; NULL and error if GST_QPU_JVM_OPTIONS cannot be parsed. home: NULL if the process has loaded a
 * libjvm.so, whose version is not known. */
static GPtrArray *
jvm_options (const gchar *class_path, const gchar *natives,
    const GstQpuJvmHome *home, GError **error)
{
  gint version = home != NULL ? home->version : 0;
  const gchar *extra = g_getenv ("GST_QPU_JVM_OPTIONS");
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);
  Dl_info gstreamer;

  /* The application handles SIGINT, SIGTERM and SIGHUP itself: gst-launch-1.0 -e completes its files on them. */
  g_ptr_array_add (options, g_strdup ("-Xrs"));
  /* A crash of the application looks like one: without a message on its standard output and a file in its folder. */
  g_ptr_array_add (options, g_strdup (GST_QPU_JVM_SILENT_OPTION));
  /* No frame allocates Java memory, so a small heap and the collector with the fewest threads are enough. No -Xms: the JVM would
   * exit the process if it were above the -Xmx of a user. */
  g_ptr_array_add (options, g_strdup ("-Xmx512m"));
  if (!gst_qpu_jvm_environment_chooses_collector ())
    g_ptr_array_add (options, g_strdup ("-XX:+UseSerialGC"));
  /* Each start of an element makes new objects, which are collected only once the young generation is full. Its default size
   * grows with the machine's memory, and left 190 MB resident after 2000 starts; 16 MB leave 100 MB. */
  g_ptr_array_add (options, g_strdup ("-XX:MaxNewSize=16m"));
  /* After many elements the heap becomes small again (MemoryGiver), at once, and down to its first size. That is a 64th of the machine's
   * memory by default. */
  g_ptr_array_add (options, g_strdup ("-XX:-ShrinkHeapInSteps"));
  /* For programs that monitor JVMs, a JVM makes a file in /tmp and deletes it when it is destroyed, which this JVM may never be. */
  g_ptr_array_add (options, g_strdup ("-XX:-UsePerfData"));
  if (version >= NATIVE_ACCESS_VERSION) {
    g_ptr_array_add (options, g_strdup ("--enable-native-access=ALL-UNNAMED"));
    if (version <= PLAIN_LWJGL_VERSION_MAX) {
      /* LWJGL's classes for new versions of Java generate code at the first call of each native function, which delays the first
       * picture by a second. Its other classes use the deprecated sun.misc.Unsafe, which Java warns of unless it is allowed. */
      g_ptr_array_add (options,
          g_strdup ("-Djdk.util.jar.enableMultiRelease=false"));
      g_ptr_array_add (options,
          g_strdup ("--sun-misc-unsafe-memory-access=allow"));
    } else {
      /* With this export, LWJGL does not use sun.misc.Unsafe. */
      g_ptr_array_add (options,
          g_strdup ("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
    }
  }
  /* Only if the runtime has the module: the JVM would exit the process if it were asked for one that is missing. */
  if (home != NULL && home->vectors) {
    gst_qpu_vectors_add_option (options, version);
    /* The default, 100 traps per compiled method, is too few for vector kernels: methods with some fifty vectors. Past the limit,
     * the JVM's compiler may leave vectors on the heap. */
    g_ptr_array_add (options, g_strdup ("-XX:PerMethodTrapLimit=1000"));
#ifdef __aarch64__
    /* With SVE, JDK 17 leaves every vector on the heap, and JDK 21 makes more instructions of the same vectors of 128 bits. */
    g_ptr_array_add (options, g_strdup ("-XX:UseSVE=0"));
#endif
    add_compiler_options (options);
  }
  g_ptr_array_add (options,
      g_strconcat ("-Djava.class.path=", class_path, NULL));
  if (natives != NULL) {
    g_ptr_array_add (options,
        g_strconcat ("-Djna.boot.library.path=", natives, NULL));
    /* Without this, JNA looks for a folder in which it could unpack what it does not unpack, and prints a stack trace where there is
     * none. */
    g_ptr_array_add (options, g_strdup ("-Djna.nounpack=true"));
    g_ptr_array_add (options,
        g_strconcat ("-Dorg.lwjgl.librarypath=", natives, NULL));
  }
  /* With this path, JNA finds the GStreamer that this process has loaded, and does not run ldconfig to find one. */
  if (dladdr ((void *) gst_init, &gstreamer) != 0) {
    g_autofree gchar *dir = g_path_get_dirname (gstreamer.dli_fname);

    g_ptr_array_add (options,
        g_strconcat ("-Djna.platform.library.path=", dir, NULL));
  }
  if (home != NULL)
    gst_qpu_archive_add_options (options, home->libjvm, version, class_path,
        natives);
  /* After those of the archive, which fits whatever memory the machine has. */
  g_ptr_array_add (options, first_heap_size ());

  if (extra != NULL && *extra != '\0') {
    g_autoptr (GError) cause = NULL;
    g_auto (GStrv) arguments = NULL;

    if (g_shell_parse_argv (extra, NULL, &arguments, &cause)) {
      for (gchar **argument = arguments; *argument != NULL; argument++)
        g_ptr_array_add (options, g_strdup (*argument));
    } else if (!g_error_matches (cause, G_SHELL_ERROR,
                   G_SHELL_ERROR_EMPTY_STRING)) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
          "GST_QPU_JVM_OPTIONS cannot be read (%s): quote it as for a shell",
          cause->message);
      g_clear_pointer (&options, g_ptr_array_unref);
    }
  }
  return options;
}

/* A JVM that cannot open its files exits the process, and GLib aborts it. */
static gboolean
enough_files_can_be_opened (GError **error)
{
  if (!gst_qpu_files_can_be_opened (SPARE_FILES)) {
    g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "Too few files can be opened for Java: raise the limit of open files (ulimit -n)");
    return FALSE;
  }
  return TRUE;
}

/* Waits for whoever holds the mutex. */
static void *
wait_for (void *mutex)
{
  g_mutex_lock (mutex);
  g_mutex_unlock (mutex);
  return NULL;
}

/* A JVM that cannot start its threads exits the process. What limits them (ulimit -u, a cgroup's pids.max, the system) is best
 * known by starting as many: none ends before the last one has begun. */
static gboolean
enough_threads_can_be_started (GError **error)
{
  pthread_t threads[SPARE_THREADS];
  guint started = 0;
  int result = 0;
  pthread_attr_t attributes;
  GMutex held;

  if (pthread_attr_init (&attributes) != 0)
    return TRUE;
  pthread_attr_setstacksize (&attributes, PROBE_STACK_BYTES);
  g_mutex_init (&held);
  g_mutex_lock (&held);
  while (started < SPARE_THREADS && result == 0) {
    result = pthread_create (&threads[started], &attributes, wait_for, &held);
    if (result == 0)
      started++;
  }
  g_mutex_unlock (&held);
  for (guint i = 0; i < started; i++)
    pthread_join (threads[i], NULL);
  g_mutex_clear (&held);
  pthread_attr_destroy (&attributes);
  if (result == EAGAIN) {
    g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "Too few threads can be started for Java: raise the limit of processes (ulimit -u, or TasksMax of systemd)");
    return FALSE;
  }
  return TRUE;
}

JavaVM *
gst_qpu_jvm_create (const gchar *class_path, const gchar *natives,
    GError **error)
{
  /* A process has at most one libjvm.so. If one is loaded, but has no JVM yet, its version is known once it has one. */
  void *library = loaded_libjvm ();
  g_autoptr (GstQpuJvmHome) home = NULL;
  const gchar *name = "the loaded libjvm.so";
  CreateJavaVM function;
  JavaVM *vm = NULL;
  JNIEnv *env = NULL;

  if (!enough_files_can_be_opened (error)
      || !enough_threads_can_be_started (error)) {
    if (library != NULL)
      dlclose (library);
    return NULL;
  }
  if (library == NULL) {
    home = gst_qpu_jvm_home_find (error);
    if (home == NULL)
      return NULL;
    library = dlopen (home->libjvm, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
          "The Java runtime in %s cannot be loaded (%s): reinstall it",
          home->home, dlerror ());
      return NULL;
    }
    name = home->home;
  }

  function = (CreateJavaVM) dlsym (library, "JNI_CreateJavaVM");
  if (function == NULL) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        "The libjvm.so of %s has no JNI_CreateJavaVM: reinstall Java", name);
  } else {
    g_autoptr (GPtrArray) options =
        jvm_options (class_path, natives, home, error);

    if (options != NULL
        && (home == NULL || gst_qpu_jvm_trial (home, options, error)))
      vm = create (function, options, name, &env, error);
    if (vm != NULL && home != NULL && home->vectors)
      gst_qpu_vectors_add (env, home->version);
    if (vm != NULL)
      gst_qpu_exit_end (vm);
  }
  if (vm == NULL)
    dlclose (library);
  return vm;
}
