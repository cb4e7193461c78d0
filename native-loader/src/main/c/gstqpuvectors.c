/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuvectors.h"

#include "gstqpudebug.h"
#include "gstqpujni.h"
#include "gstqpujvmhome.h"

/* Local references that are made at a time, at most. */
#define REFERENCES 64

static gboolean
is_added_later (gint version)
{
  return version >= GST_QPU_JAVA_VERSION_MIN
      && version <= GST_QPU_JAVA_VERSION_TESTED;
}

void
gst_qpu_vectors_add_option (GPtrArray *options, gint version)
{
  if (!is_added_later (version))
    g_ptr_array_add (options,
        g_strdup ("--add-modules=" GST_QPU_JAVA_VECTOR_MODULE));
}

/* ModuleLayer.boot().defineModules(...) with the module alone. Not Modules.loadModule, which also looks for providers of services
 * among all modules, and takes twice as long. The loader has to be Java's own, or the JVM's compiler would not know the classes. */
static jobject
define (JNIEnv *env)
{
  jobject boot = gst_qpu_jni_call (env, NULL, "java/lang/ModuleLayer", "boot",
      "()Ljava/lang/ModuleLayer;");
  jobject system = gst_qpu_jni_call (env, NULL, "java/lang/module/ModuleFinder",
      "ofSystem", "()Ljava/lang/module/ModuleFinder;");
  jobject none =
      gst_qpu_jni_call (env, NULL, "java/lang/module/ModuleFinder", "compose",
          "([Ljava/lang/module/ModuleFinder;)Ljava/lang/module/ModuleFinder;",
          gst_qpu_jni_array (env, "java/lang/module/ModuleFinder"));
  jobject roots = gst_qpu_jni_call (env, NULL, "java/util/Set", "of",
      "(Ljava/lang/Object;)Ljava/util/Set;",
      gst_qpu_jni_string (env, GST_QPU_JAVA_VECTOR_MODULE));
  jobject resolved = gst_qpu_jni_call (env,
      gst_qpu_jni_call (env, boot, "java/lang/ModuleLayer", "configuration",
          "()Ljava/lang/module/Configuration;"),
      "java/lang/module/Configuration", "resolve",
      "(Ljava/lang/module/ModuleFinder;Ljava/lang/module/ModuleFinder;Ljava/util/Collection;)Ljava/lang/module/Configuration;",
      none, system, roots);
  jobject loaders = gst_qpu_jni_call (env, NULL,
      "jdk/internal/module/ModuleLoaderMap", "mappingFunction",
      "(Ljava/lang/module/Configuration;)Ljava/util/function/Function;",
      resolved);
  jobject layer = gst_qpu_jni_call (env, boot, "java/lang/ModuleLayer",
      "defineModules",
      "(Ljava/lang/module/Configuration;Ljava/util/function/Function;)Ljava/lang/ModuleLayer;",
      resolved, loaders);
  jobject found = gst_qpu_jni_call (env, layer, "java/lang/ModuleLayer",
      "findModule", "(Ljava/lang/String;)Ljava/util/Optional;",
      gst_qpu_jni_string (env, GST_QPU_JAVA_VECTOR_MODULE));

  return gst_qpu_jni_call (env, found, "java/util/Optional", "orElseThrow",
      "()Ljava/lang/Object;");
}

/* Exports to a module the packages that java.base's descriptor exports to a module of its name. Java does so only for the modules
 * that it starts with. */
static void
export_to (JNIEnv *env, jobject module)
{
  jstring name = gst_qpu_jni_string (env, GST_QPU_JAVA_VECTOR_MODULE);
  jobject base =
      gst_qpu_jni_call (env, (*env)->FindClass (env, "java/lang/Object"),
          "java/lang/Class", "getModule", "()Ljava/lang/Module;");
  jobject descriptor = gst_qpu_jni_call (env, base, "java/lang/Module",
      "getDescriptor", "()Ljava/lang/module/ModuleDescriptor;");
  jobject set = gst_qpu_jni_call (env, descriptor,
      "java/lang/module/ModuleDescriptor", "exports", "()Ljava/util/Set;");
  jobjectArray exports = gst_qpu_jni_call (env, set, "java/util/Set", "toArray",
      "()[Ljava/lang/Object;");
  jsize count = exports != NULL ? (*env)->GetArrayLength (env, exports) : 0;

  for (jsize i = 0; i < count && !(*env)->ExceptionCheck (env)
      && (*env)->PushLocalFrame (env, REFERENCES) == JNI_OK;
      i++) {
    jobject export = (*env)->GetObjectArrayElement (env, exports, i);
    jobject targets = gst_qpu_jni_call (env, export,
        "java/lang/module/ModuleDescriptor$Exports", "targets",
        "()Ljava/util/Set;");

    if (gst_qpu_jni_contains (env, targets, name))
      gst_qpu_jni_call (env, NULL, "jdk/internal/module/Modules", "addExports",
          "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V", base,
          gst_qpu_jni_call (env, export,
              "java/lang/module/ModuleDescriptor$Exports", "source",
              "()Ljava/lang/String;"),
          module);
    (*env)->PopLocalFrame (env, NULL);
  }
}

void
gst_qpu_vectors_add (JNIEnv *env, gint version)
{
  gboolean framed;

  if (!is_added_later (version))
    return;
  framed = (*env)->PushLocalFrame (env, REFERENCES) == JNI_OK;
  if (framed)
    export_to (env, define (env));
  if ((*env)->ExceptionCheck (env)) {
    g_autofree gchar *cause = gst_qpu_jni_take_exception (env);

    GST_WARNING ("the CPU filters without vectors: %s", cause);
  } else {
    GST_INFO ("the JVM has " GST_QPU_JAVA_VECTOR_MODULE);
  }
  if (framed)
    (*env)->PopLocalFrame (env, NULL);
}
