/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the user is told of an exception: the cure is that of its cause. */
final class ElementFailureTest {
    private static String told(Throwable failure) {
        List<String> texts = new ArrayList<>();
        ElementHost host = (ElementHost) Proxy.newProxyInstance(
                ElementHost.class.getClassLoader(), new Class<?>[] {ElementHost.class}, (proxy, method, arguments) -> {
                    assertEquals("error", method.getName());
                    assertTrue(((String) arguments[2]).startsWith(failure.toString()), "the debug info is the trace");
                    texts.add((String) arguments[1]);
                    return null;
                });
        ElementFailure.post(host, failure);
        assertEquals(1, texts.size());
        return texts.get(0);
    }

    @Test
    void aThreadThatCannotBeStartedIsNoMatterOfTheHeap() {
        assertEquals(
                "Java cannot start a thread (unable to create native thread: possibly out of memory or process/resource limits"
                        + " reached): raise the limit of processes (ulimit -u, or systemd's TasksMax)",
                told(new OutOfMemoryError(
                        "unable to create native thread: possibly out of memory or process/resource limits reached")));
    }

    @Test
    void aHeapThatIsFullIsToBeLarger() {
        assertEquals(
                "Java is out of memory (Java heap space): give it more with GST_QPU_JVM_OPTIONS=-Xmx1g",
                told(new OutOfMemoryError("Java heap space")));
        assertEquals(
                "Java is out of memory (null): give it more with GST_QPU_JVM_OPTIONS=-Xmx1g",
                told(new OutOfMemoryError()));
    }

    /** As JDK 17 and JDK 25 say it, in the thread that calls and in one of its workers. */
    @Test
    void memoryThatAnotherProgramTookAwayIsNoFaultToReport() {
        String told =
                "A picture cannot be filtered: the memory of its buffer, or of the buffer for the result, ended while it was"
                        + " in use: a program that shares it made its file shorter; look at the elements beside qpuloopfilter";
        assertEquals(
                told,
                told(new InternalError(
                        "a fault occurred in a recent unsafe memory access operation in compiled Java code")));
        assertEquals(
                told,
                told(new IllegalStateException(
                        "a CPU worker failed",
                        new InternalError("a fault occurred in an unsafe memory access operation"))));
    }

    @Test
    void whatNobodyExpectsIsAFaultToReport() {
        assertEquals(
                "A fault in qpuloopfilter, please report it with its additional debug info"
                        + " (java.lang.IllegalStateException: two lines)",
                told(new IllegalStateException("two\nlines")));
        assertEquals(
                "A fault in qpuloopfilter, please report it with its additional debug info (java.lang.InternalError)",
                told(new InternalError()));
    }
}
