/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.plugin.ElementHost.ErrorCode;

/** Turns an exception of a callback into an element error, because no exception may reach C. Holds no state; any thread. */
final class ElementFailure {
    private ElementFailure() {}

    /** True if an OutOfMemoryError says that a limit of threads is reached, which has nothing to do with Java's heap. */
    private static boolean isOfThreads(String message) {
        return message != null && message.contains("native thread");
    }

    /** Posts the error: one line for the user, and the stack trace as debug info. */
    static void post(ElementHost host, Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        if (failure instanceof ElementException known) {
            host.error(known.code(), known.getMessage(), trace.toString());
        } else if (failure instanceof DeviceException device) {
            host.error(ErrorCode.RESOURCE_FAILED, device.getMessage(), trace.toString());
        } else if (failure instanceof OutOfMemoryError && isOfThreads(failure.getMessage())) {
            host.error(
                    ErrorCode.RESOURCE_FAILED,
                    "Java cannot start a thread (" + failure.getMessage()
                            + "): raise the limit of processes (ulimit -u, or systemd's TasksMax)",
                    trace.toString());
        } else if (failure instanceof OutOfMemoryError) {
            host.error(
                    ErrorCode.RESOURCE_FAILED,
                    "Java is out of memory (" + failure.getMessage()
                            + "): give it more with GST_QPU_JVM_OPTIONS=-Xmx1g",
                    trace.toString());
        } else if (ShortenedMemory.causes(failure)) {
            host.error(
                    ErrorCode.RESOURCE_FAILED,
                    "A picture cannot be filtered: " + ShortenedMemory.PROBLEM,
                    trace.toString());
        } else {
            host.error(
                    ErrorCode.LIBRARY_FAILED,
                    "A fault in qpuloopfilter, please report it with its additional debug info ("
                            + failure.toString().replace('\n', ' ') + ")",
                    trace.toString());
        }
    }
}
