/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.System.Logger;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the owner of a JVM that makes SVE code that the kernels run better without. The kernels' vectors have 128 bits, which NEON
 * has, too. With SVE, JDK 17 leaves each of them on the heap, and JDK 21 makes more instructions. Holds nothing but whether it has
 * told; any thread.
 */
public final class ScalableVectors {
    private static final AtomicBoolean ASKED = new AtomicBoolean();

    private ScalableVectors() {}

    /** Logs the advice, once for each process, if this JVM needs it. */
    public static void tellOnce() {
        String architecture = System.getProperty("os.arch");
        if (architecture.equals("aarch64") && ASKED.compareAndSet(false, true)) {
            HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            if (options != null) {
                advice(options.getVMOption("UseSVE").getValue())
                        .ifPresent(line -> System.getLogger(ScalableVectors.class.getName())
                                .log(Logger.Level.INFO, line));
            }
        }
    }

    /**
     * What to tell.
     *
     * @param useSve value of the JVM's option UseSVE, which is 0 on a machine without SVE
     */
    static Optional<String> advice(String useSve) {
        return useSve.equals("0")
                ? Optional.empty()
                : Optional.of("this JVM makes SVE code (UseSVE=" + useSve
                        + "), with which the CPU kernels are slower: start Java with -XX:UseSVE=0");
    }
}
