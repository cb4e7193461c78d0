/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstqpuproperties.h"

static GParamFlags
param_flags (const GstQpuPropertySpec *spec)
{
  switch (spec->access) {
    case GST_QPU_ACCESS_READ_ONLY:
      return G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
    case GST_QPU_ACCESS_READY:
      return G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_READY;
    case GST_QPU_ACCESS_CONTROLLABLE:
      return G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE;
  }
  g_assert_not_reached ();
}

static GParamSpec *
param_spec (const GstQpuPropertySpec *spec)
{
  GParamFlags flags = param_flags (spec);

  switch (spec->type) {
    case GST_QPU_TYPE_BOOLEAN:
      return g_param_spec_boolean (spec->name, spec->nick, spec->blurb,
          spec->default_value, flags);
    case GST_QPU_TYPE_INT:
      return g_param_spec_int (spec->name, spec->nick, spec->blurb,
          spec->minimum, spec->maximum, spec->default_value, flags);
    case GST_QPU_TYPE_DOUBLE:
      return g_param_spec_double (spec->name, spec->nick, spec->blurb,
          (gdouble) spec->minimum / spec->parts,
          (gdouble) spec->maximum / spec->parts,
          (gdouble) spec->default_value / spec->parts, flags);
    case GST_QPU_TYPE_ENUM: {
      GType type = g_enum_register_static (spec->enum_name, spec->enum_values);

      gst_type_mark_as_plugin_api (type, 0);
      return g_param_spec_enum (spec->name, spec->nick, spec->blurb, type,
          spec->default_value, flags);
    }
    case GST_QPU_TYPE_STRING:
      return g_param_spec_string (spec->name, spec->nick, spec->blurb, NULL,
          flags);
    case GST_QPU_TYPE_STRUCTURE:
      return g_param_spec_boxed (spec->name, spec->nick, spec->blurb,
          GST_TYPE_STRUCTURE, flags);
  }
  g_assert_not_reached ();
}

void
gst_qpu_properties_install (GObjectClass *klass)
{
  for (guint i = 0; i < GST_QPU_PROPERTY_COUNT; i++)
    g_object_class_install_property (klass, GST_QPU_PROPERTY_ID (i),
        param_spec (&gst_qpu_property_specs[i]));
}
