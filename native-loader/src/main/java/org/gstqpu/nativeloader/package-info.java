/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The Java side of libgstqpu.so's module: {@link org.gstqpu.nativeloader.QpuPlugin}, which brings it into a Java application, and what
 * its build needs. The library itself is C, in {@code src/main/c}.
 */
package org.gstqpu.nativeloader;
