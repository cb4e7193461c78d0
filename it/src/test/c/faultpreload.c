/*
 * A library for LD_PRELOAD. It makes calls fail that a process makes of its system and of GStreamer: those that open file
 * descriptors, those that map memory, and those that map a GstMemory. A test names a kind of calls and a number; the call of that
 * number, counted from then on, fails once. The library also counts the calls of each kind.
 *
 * Only calls that the plugin is responsible for are counted and failed: those that open descriptors or map memory where they come
 * from the plugin, from Java, from Vulkan or its driver; those that map a GstMemory in a thread that the test has marked. Calls from
 * GStreamer, from the program and from the JVM's own library are made: a JVM that finds no memory for itself ends the process.
 *
 * A test looks the fault_preload_ functions up. Any thread may call them.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gst/gst.h>

#define EXPORT __attribute__ ((visibility ("default")))

enum kind
{
  DESCRIPTORS,
  MMAP,
  MEMORY_MAP,
  KINDS
};

static const char *const kind_names[KINDS] = { "descriptors", "mmap",
  "memory-map" };

static atomic_long counts[KINDS];

/* How many calls of a kind are made until one of them fails, that call included; 0 where none is to fail. */
static atomic_long until_failure[KINDS];

/* The call that failed last, and the library that made it. */
static char failed_call[512];

/* True while this thread looks for the caller: what that opens or maps counts as nobody's. */
static _Thread_local int looking;

/* Counts the runs, so that a mark ends with its run: GStreamer takes the thread for other work then. */
static atomic_int current_run = 1;

/* The run in which this thread runs elements under test, and nothing else; 0 for none. */
static _Thread_local int marked;

/* The names of libraries whose calls are not the plugin's begin with these. */
static const char *const others[] = { "libjvm.", "libglib-", "libgobject-",
  "libgio-", "libgst", "fault-host" };

static int
is_of_others (const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;

  if (strncmp (name, "libgstqpu.", strlen ("libgstqpu.")) == 0) {
    return 0;
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (strncmp (name, others[i], strlen (others[i])) == 0) {
      return 1;
    }
  }
  return 0;
}

/* Counts a call. Returns true where it is to fail. */
static int
fails (enum kind kind, const char *call, const void *caller)
{
  Dl_info info;
  int counts_here = kind != MEMORY_MAP || marked == atomic_load (&current_run);

  if (looking || !counts_here) {
    return 0;
  }
  looking = 1;
  if (dladdr (caller, &info) == 0) {
    /* Code that the JVM has compiled. */
    info.dli_fname = "Java";
  }
  if (kind != MEMORY_MAP && is_of_others (info.dli_fname)) {
    counts_here = 0;
  } else {
    atomic_fetch_add (&counts[kind], 1);
    counts_here = atomic_load (&until_failure[kind]) > 0
        && atomic_fetch_sub (&until_failure[kind], 1) == 1;
  }
  if (counts_here) {
    snprintf (failed_call, sizeof failed_call, "%s of %s", call,
        info.dli_fname);
  }
  looking = 0;
  return counts_here;
}

/* Once a thread looks the next function up, the loader may map memory. */
#define NEXT(name) \
  static __typeof__ (&name) next; \
  if (next == NULL) { \
    next = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name); \
  }

#define FAIL_DESCRIPTOR(name) \
  if (fails (DESCRIPTORS, #name, __builtin_return_address (0))) { \
    errno = EMFILE; \
    return -1; \
  }

#define MODE(flags, mode) \
  unsigned mode = 0; \
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list list; \
    va_start (list, flags); \
    mode = va_arg (list, unsigned); \
    va_end (list); \
  }

EXPORT int
open (const char *path, int flags, ...)
{
  NEXT (open);
  MODE (flags, mode);
  FAIL_DESCRIPTOR (open);
  return next (path, flags, mode);
}

EXPORT int
open64 (const char *path, int flags, ...)
{
  NEXT (open64);
  MODE (flags, mode);
  FAIL_DESCRIPTOR (open64);
  return next (path, flags, mode);
}

EXPORT int
openat (int folder, const char *path, int flags, ...)
{
  NEXT (openat);
  MODE (flags, mode);
  FAIL_DESCRIPTOR (openat);
  return next (folder, path, flags, mode);
}

EXPORT FILE *
fopen (const char *path, const char *mode)
{
  NEXT (fopen);
  if (fails (DESCRIPTORS, "fopen", __builtin_return_address (0))) {
    errno = EMFILE;
    return NULL;
  }
  return next (path, mode);
}

EXPORT int
dup (int descriptor)
{
  NEXT (dup);
  FAIL_DESCRIPTOR (dup);
  return next (descriptor);
}

EXPORT int
fcntl (int descriptor, int command, ...)
{
  va_list list;
  void *argument;

  NEXT (fcntl);
  va_start (list, command);
  argument = va_arg (list, void *);
  va_end (list);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    FAIL_DESCRIPTOR (fcntl);
  }
  return next (descriptor, command, argument);
}

EXPORT int
fcntl64 (int descriptor, int command, ...)
{
  va_list list;
  void *argument;

  NEXT (fcntl64);
  va_start (list, command);
  argument = va_arg (list, void *);
  va_end (list);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    FAIL_DESCRIPTOR (fcntl64);
  }
  return next (descriptor, command, argument);
}

EXPORT int
memfd_create (const char *name, unsigned flags)
{
  NEXT (memfd_create);
  FAIL_DESCRIPTOR (memfd_create);
  return next (name, flags);
}

EXPORT int
eventfd (unsigned value, int flags)
{
  NEXT (eventfd);
  FAIL_DESCRIPTOR (eventfd);
  return next (value, flags);
}

EXPORT int
pipe (int descriptors[2])
{
  NEXT (pipe);
  FAIL_DESCRIPTOR (pipe);
  return next (descriptors);
}

EXPORT int
pipe2 (int descriptors[2], int flags)
{
  NEXT (pipe2);
  FAIL_DESCRIPTOR (pipe2);
  return next (descriptors, flags);
}

EXPORT int
socketpair (int domain, int type, int protocol, int descriptors[2])
{
  NEXT (socketpair);
  FAIL_DESCRIPTOR (socketpair);
  return next (domain, type, protocol, descriptors);
}

EXPORT void *
mmap (void *address, size_t length, int protection, int flags, int descriptor,
    off_t offset)
{
  NEXT (mmap);
  if (fails (MMAP, "mmap", __builtin_return_address (0))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next (address, length, protection, flags, descriptor, offset);
}

EXPORT void *
mmap64 (void *address, size_t length, int protection, int flags, int descriptor,
    off64_t offset)
{
  NEXT (mmap64);
  if (fails (MMAP, "mmap64", __builtin_return_address (0))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next (address, length, protection, flags, descriptor, offset);
}

EXPORT gboolean
gst_memory_map (GstMemory *memory, GstMapInfo *info, GstMapFlags flags)
{
  NEXT (gst_memory_map);
  if (fails (MEMORY_MAP, "gst_memory_map", __builtin_return_address (0))) {
    return FALSE;
  }
  return next (memory, info, flags);
}

EXPORT gboolean
gst_buffer_map (GstBuffer *buffer, GstMapInfo *info, GstMapFlags flags)
{
  NEXT (gst_buffer_map);
  if (fails (MEMORY_MAP, "gst_buffer_map", __builtin_return_address (0))) {
    return FALSE;
  }
  return next (buffer, info, flags);
}

EXPORT gboolean
gst_buffer_map_range (GstBuffer *buffer, guint first, gint length,
    GstMapInfo *info, GstMapFlags flags)
{
  NEXT (gst_buffer_map_range);
  if (fails (MEMORY_MAP, "gst_buffer_map_range",
          __builtin_return_address (0))) {
    return FALSE;
  }
  return next (buffer, first, length, info, flags);
}

static enum kind
find_kind (const char *name)
{
  int kind = 0;

  while (kind < KINDS && strcmp (kind_names[kind], name) != 0) {
    kind++;
  }
  return (enum kind) kind;
}

/* Says whether this thread runs elements under test, and nothing else, until the next call of
 * this function or of fault_preload_arm. */
EXPORT void
fault_preload_mark (int is_marked)
{
  marked = is_marked ? atomic_load (&current_run) : 0;
}

/* Lets the call of that number fail, counted from 1 for the next call of that kind; none with the number 0. Returns 0 where there
 * is no such kind. */
EXPORT int
fault_preload_arm (const char *name, long number)
{
  enum kind kind = find_kind (name);

  if (kind == KINDS) {
    return 0;
  }
  if (number > 0) {
    failed_call[0] = '\0';
  }
  atomic_fetch_add (&current_run, 1);
  atomic_store (&until_failure[kind], number);
  return 1;
}

/* How many calls of that kind were made since the process began; -1 where there is no such kind. */
EXPORT long
fault_preload_count (const char *name)
{
  enum kind kind = find_kind (name);

  return kind == KINDS ? -1 : atomic_load (&counts[kind]);
}

/* The call that failed since the last fault_preload_arm, and the library that made it; empty where none did. */
EXPORT const char *
fault_preload_failed (void)
{
  return failed_call;
}
