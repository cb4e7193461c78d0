/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The Java side of the module that builds libgstqpu.so: {@link org.gstqpu.nativeloader.QpuPlugin}, which registers the plugin in a
 * Java application, {@link org.gstqpu.nativeloader.QpuParams}, which hands it side information, and the generator that the build
 * runs. The library itself is written in C, in {@code src/main/c}.
 */
package org.gstqpu.nativeloader;
