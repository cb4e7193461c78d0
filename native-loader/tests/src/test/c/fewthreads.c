/*
 * A library for LD_PRELOAD that lets a process have no more threads than the environment variable THREADS says, as a limit of the
 * system does (ulimit -u, or TasksMax of systemd): past it, pthread_create fails with EAGAIN.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

typedef int (
    *Create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

static int
count_threads (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  int count = 0;

  if (tasks == NULL)
    return 0;
  for (struct dirent *task; (task = readdir (tasks)) != NULL;)
    count += task->d_name[0] != '.';
  closedir (tasks);
  return count;
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
    void *(*run) (void *), void *argument)
{
  const char *limit = getenv ("THREADS");
  Create create = (Create) dlsym (RTLD_NEXT, "pthread_create");

  if (limit != NULL && count_threads () >= atoi (limit))
    return EAGAIN;
  return create (thread, attributes, run, argument);
}
