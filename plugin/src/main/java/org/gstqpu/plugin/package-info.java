/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The Java side of the GStreamer element {@code qpuloopfilter}: what its properties mean, how its frames are mapped, and
 * which filters run. libgstqpu.so registers the element and calls {@link org.gstqpu.plugin.ElementRuntime}. There is no other
 * entry.
 *
 * <p>Three enums declare what pipelines and programs rely on. {@link org.gstqpu.plugin.ElementProperty} declares the element's
 * properties. {@link org.gstqpu.plugin.ElementCounter} declares the fields of the property {@code stats}. {@link
 * org.gstqpu.plugin.FilterParam} declares the fields of {@code qpu-filter-params}, the meta by which a decoder tells how a frame
 * was coded.
 */
package org.gstqpu.plugin;
