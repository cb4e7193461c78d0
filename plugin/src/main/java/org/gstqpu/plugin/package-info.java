/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The Java side of the GStreamer element {@code qpuloopfilter}: what its properties mean, how its frames are mapped, and
 * which filters run. libgstqpu.so registers the element and calls {@link org.gstqpu.plugin.ElementRuntime}, the only
 * entry.
 *
 * <p>{@link org.gstqpu.plugin.ElementProperty} declares its properties, {@link org.gstqpu.plugin.ElementCounter} the fields of its
 * property {@code stats}, and {@link org.gstqpu.plugin.FilterParam} those of {@code qpu-filter-params}, the meta in which a decoder
 * hands over what it knows of a frame; what pipelines and programs rely on is in these three.
 */
package org.gstqpu.plugin;
