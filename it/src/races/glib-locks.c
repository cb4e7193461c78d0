/*
 * Tells ThreadSanitizer of GLib's locks. They are futexes inside of GLib, which is not instrumented: without this, everything that
 * they guard would be reported.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dlfcn.h>
#include <glib.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* The function of GLib that the function of the same name here stands before. */
#define REAL(name) \
  static __typeof__ (&name) real; \
  if (__atomic_load_n (&real, __ATOMIC_ACQUIRE) == NULL) \
  __atomic_store_n (&real, (__typeof__ (&name)) dlsym (RTLD_NEXT, #name), \
      __ATOMIC_RELEASE)

void
g_mutex_lock (GMutex *mutex)
{
  REAL (g_mutex_lock);
  real (mutex);
  __tsan_acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  REAL (g_mutex_trylock);
  gboolean locked = real (mutex);

  if (locked)
    __tsan_acquire (mutex);
  return locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  REAL (g_mutex_unlock);
  __tsan_release (mutex);
  real (mutex);
}

void
g_cond_wait (GCond *condition, GMutex *mutex)
{
  REAL (g_cond_wait);
  __tsan_release (mutex);
  real (condition, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *condition, GMutex *mutex, gint64 end)
{
  REAL (g_cond_wait_until);
  __tsan_release (mutex);
  gboolean signalled = real (condition, mutex, end);

  __tsan_acquire (mutex);
  return signalled;
}

#undef g_once_init_enter
gboolean
g_once_init_enter (volatile void *location)
{
  REAL (g_once_init_enter);
  gboolean first = real (location);

  __tsan_acquire ((void *) location);
  return first;
}

#undef g_once_init_leave
void
g_once_init_leave (volatile void *location, gsize result)
{
  REAL (g_once_init_leave);
  __tsan_release ((void *) location);
  real (location, result);
}
