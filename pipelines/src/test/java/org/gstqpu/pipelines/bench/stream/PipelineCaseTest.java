/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.bench.Medians;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.Reading;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.gstqpu.pipelines.media.ElementStats;
import org.junit.jupiter.api.Test;

class PipelineCaseTest {
    private static final int PICTURES = 10;

    private static PipelineCase named(String name) {
        return PipelineCase.all("qpuloopfilter name=filter").stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ElementStats stats(String substrate, Map<String, Long> numbers) {
        return new ElementStats(Map.of("substrate", substrate, "device", "a device"), numbers);
    }

    private static Reading reading(String substrate, long submits, long copies, long host, long dmabuf, long pool) {
        return new Reading(
                PICTURES,
                1,
                1,
                0,
                0,
                Optional.of(stats(substrate, Map.of("submits", 100L, "copies", 200L))),
                Optional.of(stats(
                        substrate,
                        Map.of(
                                "submits",
                                100 + submits,
                                "copies",
                                200 + copies,
                                "imports-host",
                                host,
                                "imports-dmabuf",
                                dmabuf,
                                "imports-pool",
                                pool))));
    }

    @Test
    void aSubmissionMoreOrLessIsNoMeasurement() {
        for (long submits : new long[] {0, PICTURES - 1, PICTURES + 1}) {
            Reading reading = reading("qpu", submits, 0, 8, 0, 0);
            String message = assertThrows(
                            WrongResultException.class,
                            () -> named("memory, host import").otherPath(reading))
                    .getMessage();
            assertEquals("memory, host import: " + submits + " submissions for 10 pictures", message);
        }
    }

    @Test
    void whatRanElsewhereIsNoMeasurement() {
        assertThrows(
                WrongResultException.class,
                () -> named("memory, host import").otherPath(reading("cpu", 0, 0, 0, 0, 0)));
        assertThrows(
                WrongResultException.class, () -> named("memory, cpu").otherPath(reading("qpu", PICTURES, 0, 8, 0, 0)));
    }

    @Test
    void everyPathIsKnownByItsStatistics() {
        assertEquals(Optional.empty(), named("memory, cpu").otherPath(reading("cpu", 0, 0, 0, 0, 0)));
        assertEquals(Optional.empty(), named("memory, copies").otherPath(reading("qpu", PICTURES, 20, 0, 0, 0)));
        assertEquals(Optional.empty(), named("memory, host import").otherPath(reading("qpu", PICTURES, 0, 8, 0, 0)));
        assertEquals(Optional.empty(), named("dmabuf in and out").otherPath(reading("qpu", PICTURES, 0, 0, 6, 3)));
        assertEquals(Optional.empty(), named("decoder, our pool").otherPath(reading("qpu", PICTURES, 0, 2, 0, 9)));
    }

    @Test
    void anotherPathSaysWhich() {
        assertReason("8 copies for 10 pictures", "memory, copies", reading("qpu", PICTURES, 8, 0, 0, 0));
        assertReason("imports no memory of the process", "memory, host import", reading("qpu", PICTURES, 20, 0, 0, 0));
        assertReason("does not come again", "decoder, host import", reading("qpu", PICTURES, 10, 8, 0, 0));
        assertReason("dmabufs were used", "decoder, host import", reading("qpu", PICTURES, 0, 0, 0, 9));
        assertReason("imports no dmabufs", "dmabuf in and out", reading("qpu", PICTURES, 20, 0, 0, 0));
        assertReason("no dmabufs", "decoder, our pool", reading("qpu", PICTURES, 0, 8, 0, 0));
    }

    private static void assertReason(String expected, String name, Reading reading) {
        String reason = named(name).otherPath(reading).orElseThrow();
        assertTrue(reason.contains(expected), reason);
    }

    @Test
    void theMedianIsTheValueInTheMiddle() {
        assertEquals(3, Medians.of(List.of(9, 3, 1), Integer::doubleValue));
        assertEquals(2, Medians.of(List.of(3, 1), Integer::doubleValue));
    }
}
