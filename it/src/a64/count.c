/*
 * A plugin of qemu-user that counts the instructions that the emulated program executes while a file exists.
 *
 * Arguments: mark=FILE, the file to look for; out=FILE, which gets the number of instructions when the mark goes. The counter is
 * not atomic, so only one thread of the program may work meanwhile.
 *
 * What is used of qemu's plugin interface, version 1, is declared here: Debian has no package with its header.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOK_EVERY_US 10000

typedef uint64_t PluginId;
typedef struct qemu_plugin_tb PluginBlock;
typedef void (*BlockCallback) (PluginId, PluginBlock *);

extern size_t qemu_plugin_tb_n_insns (const PluginBlock *);
extern void qemu_plugin_register_vcpu_tb_trans_cb (PluginId, BlockCallback);
extern void qemu_plugin_register_vcpu_tb_exec_inline (PluginBlock *,
    int add_u64, void *, uint64_t);

int qemu_plugin_version = 1;

static volatile uint64_t instructions;
static char mark[4096];
static char result[4096];

static void
translated (PluginId id, PluginBlock *block)
{
  (void) id;
  qemu_plugin_register_vcpu_tb_exec_inline (block, 0, (void *) &instructions,
      qemu_plugin_tb_n_insns (block));
}

static void *
watch (void *unused)
{
  uint64_t before = 0;
  int marked = 0;

  for (;;) {
    int exists = access (mark, F_OK) == 0;

    if (exists && !marked) {
      before = instructions;
    } else if (!exists && marked) {
      FILE *file = fopen (result, "w");

      if (file) {
        fprintf (file, "%lu\n", (unsigned long) (instructions - before));
        fclose (file);
      }
    }
    marked = exists;
    usleep (LOOK_EVERY_US);
  }
  return unused;
}

int
qemu_plugin_install (PluginId id, const void *info, int argc, char **argv)
{
  pthread_t thread;

  for (int i = 0; i < argc; i++) {
    if (strncmp (argv[i], "mark=", 5) == 0 && strlen (argv[i]) < sizeof mark)
      strcpy (mark, argv[i] + 5);
    else if (strncmp (argv[i], "out=", 4) == 0
        && strlen (argv[i]) < sizeof result)
      strcpy (result, argv[i] + 4);
  }
  if (!info || !mark[0] || !result[0])
    return 1;
  qemu_plugin_register_vcpu_tb_trans_cb (id, translated);
  return pthread_create (&thread, NULL, watch, NULL);
}
