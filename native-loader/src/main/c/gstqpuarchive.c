/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuarchive.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "gstqpudebug.h"
#include "gstqpujni.h"

/* From this version on, the JVM logs some messages about archives with the tag aot instead of cds. */
#define AOT_TAG_VERSION 24

/* More than an entry of the system's list of users or groups takes, unless the group is a large one. */
#define NAMES_BYTES 65536

/* The last bytes of a complete file. A JVM checks only the beginning of an archive, and may crash if the rest is missing. */
typedef struct
{
  gchar magic[8];
  gint64 size; /* bytes before the trailer; in this machine's byte order */
} Trailer;

#define TRAILER_MAGIC "gst-qpu"

/* The archive to be made at exit; NULL if none is. Written once, by the thread that creates the JVM. */
static gchar *wanted;

static const gchar *
folder_to_make_in (void)
{
  const gchar *folder = g_getenv ("GST_QPU_MAKE_ARCHIVE");

  return folder != NULL && *folder != '\0' ? folder : NULL;
}

static void
digest_text (GChecksum *digest, const gchar *text)
{
  /* The terminating zero separates texts, so that two lists of texts never give the same bytes. */
  g_checksum_update (digest, (const guchar *) text, (gssize) strlen (text) + 1);
}

/* Adds what an update of the file changes: size and time. */
static void
digest_file (GChecksum *digest, const gchar *path)
{
  GStatBuf status;

  digest_text (digest, path);
  if (g_stat (path, &status) == 0) {
    gint64 facts[] = { status.st_size, status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec };

    g_checksum_update (digest, (const guchar *) facts, sizeof facts);
  }
}

static gchar *
file_name (GPtrArray *options, const gchar *libjvm, gint version,
    const gchar *class_path)
{
  g_autoptr (GChecksum) digest = g_checksum_new (G_CHECKSUM_SHA256);
  g_auto (GStrv) jars = g_strsplit (class_path, ":", -1);

  digest_text (digest, GST_QPU_VERSION);
  digest_file (digest, libjvm);
  for (gchar **jar = jars; *jar != NULL; jar++)
    digest_file (digest, *jar);
  for (guint i = 0; i < options->len; i++)
    digest_text (digest, g_ptr_array_index (options, i));
  return g_strdup_printf ("classes-java%d-%.16s.jsa", version,
      g_checksum_get_string (digest));
}

/* Whether the group is this user's own: many systems give each user a group of the same name, in which nobody else is. */
static gboolean
is_own_group (gid_t id)
{
  g_autofree gchar *user_text = g_malloc (NAMES_BYTES);
  g_autofree gchar *group_text = g_malloc (NAMES_BYTES);
  struct passwd user, *found_user = NULL;
  struct group group, *found_group = NULL;
  gboolean own =
      getpwuid_r (geteuid (), &user, user_text, NAMES_BYTES, &found_user) == 0
      && found_user != NULL && user.pw_gid == id
      && getgrgid_r (id, &group, group_text, NAMES_BYTES, &found_group) == 0
      && found_group != NULL && g_str_equal (group.gr_name, user.pw_name);

  for (gchar **member = own ? group.gr_mem : NULL; own && *member != NULL;
      member++)
    own = g_str_equal (*member, user.pw_name);
  return own;
}

/* The JVM runs what an archive holds. So nobody but this user and root may have made or may replace the file, and it is a regular
 * one: to open a pipe would wait for somebody who writes to it. */
static gboolean
is_safe (const gchar *path, mode_t kind)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && (status.st_mode & S_IFMT) == kind
      && (status.st_uid == geteuid () || status.st_uid == 0)
      && (status.st_mode & S_IWOTH) == 0
      && ((status.st_mode & S_IWGRP) == 0 || is_own_group (status.st_gid));
}

static gboolean
is_whole (const gchar *path)
{
  FILE *file = fopen (path, "rbe");
  Trailer trailer;
  gboolean whole;

  if (file == NULL)
    return FALSE;
  whole = fseek (file, -(long) sizeof trailer, SEEK_END) == 0
      && fread (&trailer, sizeof trailer, 1, file) == 1
      && memcmp (trailer.magic, TRAILER_MAGIC, sizeof trailer.magic) == 0
      && ftell (file) == trailer.size + (gint64) sizeof trailer;
  fclose (file);
  return whole;
}

/* Appends the trailer; FALSE and errno on failure. */
static gboolean
finish (const gchar *path)
{
  Trailer trailer = { .magic = TRAILER_MAGIC };
  FILE *file;
  gboolean written;

  /* Some versions of Java write a read-only file. */
  if (g_chmod (path, 0644) != 0 || (file = fopen (path, "abe")) == NULL)
    return FALSE;
  written = fseek (file, 0, SEEK_END) == 0 && (trailer.size = ftell (file)) > 0
      && fwrite (&trailer, sizeof trailer, 1, file) == 1;
  return fclose (file) == 0 && written;
}

/* The complete and safe archive of that name in the first folder that has one, or NULL. */
static gchar *
find (const gchar *name, const gchar *natives)
{
  g_autofree gchar *cache =
      g_build_filename (g_get_user_cache_dir (), "gst-qpu", NULL);
  const gchar *folders[] = { natives, GST_QPU_CACHE_DIR, cache };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree gchar *found = NULL;

    if (folders[i] == NULL)
      continue;
    found = g_build_filename (folders[i], name, NULL);
    if (is_safe (folders[i], S_IFDIR) && is_safe (found, S_IFREG)
        && is_whole (found))
      return g_steal_pointer (&found);
  }
  return NULL;
}

void
gst_qpu_archive_add_options (GPtrArray *options, const gchar *libjvm,
    gint version, const gchar *class_path, const gchar *natives)
{
  const gchar *folder = folder_to_make_in ();
  g_autofree gchar *name = file_name (options, libjvm, version, class_path);
  g_autofree gchar *found = NULL;

  if (folder != NULL) {
    wanted = g_build_filename (folder, name, NULL);
    g_ptr_array_add (options, g_strdup ("-XX:+RecordDynamicDumpInfo"));
  } else if ((found = find (name, natives)) != NULL) {
    g_ptr_array_add (options,
        g_strconcat ("-XX:SharedArchiveFile=", found, NULL));
  } else {
    GST_INFO ("no class archive %s: starting Java takes longer", name);
    return;
  }
  /* Not for users: an archive that does not fit, which only costs time, and classes that cannot be archived. */
  g_ptr_array_add (options,
      g_strdup (version >= AOT_TAG_VERSION ? "-Xlog:cds*=off,aot*=off"
                                           : "-Xlog:cds*=off"));
}

/* Writes the archive; returns NULL, or the cause of a failure. The JVM's own way is to write the archive when it is destroyed,
 * but that would stop the process's threads. This is the method that jcmd calls. */
static gchar *
dump (JNIEnv *env, const gchar *path)
{
  /* Newer versions of Java return the path, older ones nothing. */
  const gchar *signatures[] = { "(ZLjava/lang/String;)Ljava/lang/String;",
    "(ZLjava/lang/String;)V" };

  for (guint i = 0; i < G_N_ELEMENTS (signatures); i++) {
    (*env)->ExceptionClear (env);
    gst_qpu_jni_call (env, NULL, "jdk/internal/misc/CDS", "dumpSharedArchive",
        signatures[i], JNI_FALSE, gst_qpu_jni_string (env, path));
    if (!gst_qpu_jni_thrown_is (env, "java/lang/NoSuchMethodError"))
      break;
  }
  return (*env)->ExceptionCheck (env) ? gst_qpu_jni_take_exception (env) : NULL;
}

void
gst_qpu_archive_make (JavaVM *vm)
{
  g_autofree gchar *folder = NULL;
  g_autofree gchar *written = NULL;
  g_autofree gchar *cause = NULL;
  void *env = NULL;

  if (wanted == NULL)
    return;
  folder = g_path_get_dirname (wanted);
  written = g_strdup_printf ("%s.%d", wanted, (gint) getpid ());
  if (g_mkdir_with_parents (folder, 0755) != 0)
    cause = g_strdup_printf ("%s: %s", folder, g_strerror (errno));
  else if ((*vm)->AttachCurrentThreadAsDaemon (vm, &env, NULL) != JNI_OK)
    cause = g_strdup ("the JVM takes no thread");
  else
    cause = dump (env, written);

  /* Only a complete archive gets the name, for other processes may be starting. */
  if (cause == NULL && (!finish (written) || g_rename (written, wanted) != 0))
    cause = g_strdup_printf ("%s: %s", wanted, g_strerror (errno));
  if (cause == NULL) {
    g_print ("class archive %s\n", wanted);
  } else {
    g_printerr ("The class archive could not be made (%s): check the folder "
                "GST_QPU_MAKE_ARCHIVE, or do without\n",
        cause);
    g_unlink (written);
  }
}
