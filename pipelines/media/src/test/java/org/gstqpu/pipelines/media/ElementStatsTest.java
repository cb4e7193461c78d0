/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElementStatsTest {
    private static final String PREFIX =
            "0:00:01.23 77 0x55 INFO qpuloopfilter gstqpuloopfilter.c:321:gst_qpu_loop_filter_stop:<qpuloopfilter0> ";

    @Test
    void readsTheLastLineOfALog() {
        String log = PREFIX + line("cpu", "\"CPU\\,\\ 2\\ threads\"", 1) + "\n" + PREFIX
                + line("qpu", "\"llvmpipe\\ \\(LLVM\\ 15.0.6\\,\\ 256\\ bits\\)\"", 75) + "\nsomething else\n";
        ElementStats stats = ElementStats.find(log).orElseThrow();
        assertEquals("qpu", stats.substrate());
        assertEquals("llvmpipe (LLVM 15.0.6, 256 bits)", stats.device());
        assertEquals(75, stats.frames());
        assertEquals(76, stats.submits());
        assertEquals(1000, stats.bytesCopied());
        assertEquals(-1, stats.number("java-bytes"));
    }

    @Test
    void saysWhetherPicturesWereFilteredLess() {
        assertEquals(Optional.empty(), withLate(0).lateness());
        assertEquals(
                Optional.of("3 pictures late, 15 filtered less; now step 2 of 4: late by 8 ms"),
                withLate(3).lateness());
    }

    private static ElementStats withLate(int late) {
        return ElementStats.find(line("cpu", "x", 70)
                        .replace(
                                ";",
                                ", frames-late=(guint64)" + late
                                        + ", frames-without-time=(guint64)0, frames-fewer-shifts=(guint64)8, frames-without-shrinkage=(guint64)4,"
                                        + " frames-without-cdef=(guint64)2, frames-without-deblock=(guint64)1,"
                                        + " degrade-step=(guint64)2, degrade-steps=(guint64)4,"
                                        + " degrade-reason=(string)\"late\\ by\\ 8\\ ms\";"))
                .orElseThrow();
    }

    @Test
    void aLogWithoutItOrWithHalfOfItGivesNothing() {
        assertEquals(Optional.empty(), ElementStats.find("no such line"));
        assertEquals(Optional.empty(), ElementStats.find("qpuloopfilter-stats, substrate=(string)cpu;"));
        assertEquals(Optional.empty(), ElementStats.find(line("cpu", "x", 1).replace("(guint64)76", "(guint64)many")));
    }

    private static String line(String substrate, String device, int frames) {
        return "qpuloopfilter-stats, substrate=(string)" + substrate + ", device=(string)" + device
                + ", frames=(guint64)" + frames
                + ", submits=(guint64)76, bytes-copied=(guint64)1000, re-records=(guint64)0, pool-bytes=(guint64)0, java-bytes=(gint64)-1;";
    }
}
