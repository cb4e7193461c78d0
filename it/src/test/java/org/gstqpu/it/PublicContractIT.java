/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gstqpu.plugin.ElementProperty;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What pipelines rely on, as {@code gst-inspect-1.0} prints it: formats, and the names, ranges and defaults of the properties. They are
 * written down here a second time, so that no change goes unnoticed.
 */
final class PublicContractIT {
    private static String inspection;

    @BeforeAll
    static void inspect() throws IOException {
        inspection = Processes.run(
                        List.of("gst-inspect-1.0", "qpuloopfilter"),
                        GstEnvironment.standard().variables(),
                        Path.of("/dev/null"),
                        Duration.ofMinutes(1))
                .requireSuccess()
                .requireNoComplaint()
                .output();
    }

    /** Name, type with range and default, and when the property may be set. */
    private static final List<List<String>> CONTRACT = Stream.of(
                    "substrate         | Enum \"GstQpuSubstrate\" Default: 0, \"auto\" | NULL or READY",
                    "on-device-failure | Enum \"GstQpuOnDeviceFailure\" Default: 0, \"auto\" | NULL or READY",
                    "device            | String. Default: null                         | NULL or READY",
                    "threads           | Integer. Range: 0 - 256 Default: 0            | NULL or READY",
                    "quality           | Enum \"GstQpuQuality\" Default: 0, \"auto\"   | PLAYING",
                    "strength          | Double. Range:               0 -               2 Default:               1 | PLAYING",
                    "deblock           | Boolean. Default: true                        | PLAYING",
                    "qp                | Integer. Range: -1 - 51 Default: -1           | PLAYING",
                    "grid              | Enum \"GstQpuGrid\" Default: 0, \"auto\"      | PLAYING",
                    "alpha-offset      | Integer. Range: -6 - 6 Default: 0             | PLAYING",
                    "beta-offset       | Integer. Range: -6 - 6 Default: 0             | PLAYING",
                    "chroma-qp-offset  | Integer. Range: -12 - 12 Default: 0           | PLAYING",
                    "cdef              | Boolean. Default: true                        | PLAYING",
                    "cdef-damping      | Integer. Range: -1 - 6 Default: -1            | PLAYING",
                    "cdef-y-primary    | Integer. Range: -1 - 15 Default: -1           | PLAYING",
                    "cdef-uv-primary   | Integer. Range: -1 - 15 Default: -1           | PLAYING",
                    "cdef-y-secondary  | Integer. Range: -1 - 4 Default: -1            | PLAYING",
                    "cdef-uv-secondary | Integer. Range: -1 - 4 Default: -1            | PLAYING",
                    "shrinkage         | Boolean. Default: true                        | PLAYING",
                    "shrinkage-threshold | Integer. Range: -1 - 768 Default: -1        | PLAYING",
                    "shrinkage-shifts  | Integer. Range: -1 - 16 Default: -1           | PLAYING",
                    "shrinkage-bound   | Integer. Range: 0 - 100 Default: 35           | PLAYING",
                    "temporal          | Enum \"GstQpuTemporal\" Default: 4, \"auto\" | PLAYING",
                    "degrade           | Boolean. Default: true                        | PLAYING",
                    "split-view        | Double. Range:               0 -               1 Default:               0 | PLAYING",
                    "queue-depth       | Integer. Range: 1 - 8 Default: 1              | NULL or READY",
                    "require-zero-copy | Boolean. Default: false                       | NULL or READY",
                    "timing            | Boolean. Default: false                       | NULL or READY",
                    "stats             | Boxed pointer of type \"GstStructure\"        | flags: readable")
            .map(row -> List.of(row.split("\\s+\\|\\s+")))
            .toList();

    private static Stream<Arguments> contract() {
        return CONTRACT.stream().map(row -> Arguments.of(row.toArray()));
    }

    @Test
    void everyPropertyIsInTheContract() {
        assertEquals(
                Stream.of(ElementProperty.values())
                        .map(ElementProperty::gstName)
                        .sorted()
                        .toList(),
                CONTRACT.stream().map(row -> row.get(0)).sorted().toList());
    }

    @ParameterizedTest
    @MethodSource("contract")
    void propertiesHaveTheirRangesAndDefaults(String name, String type, String when) {
        String text = property(name);
        assertTrue(text.contains(type), text);
        assertTrue(text.contains(when), text);
        assertEquals(when.equals("PLAYING"), text.contains("controllable"), text);
        assertTrue(text.lines().findFirst().orElseThrow().length() > 40, () -> "no blurb in " + text);
    }

    /** The lines about one property. */
    private static String property(String name) {
        return inspection
                .lines()
                .dropWhile(line -> !line.matches("  " + name + " +: .*"))
                .limit(3)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void bothPadsTakeAllFormatsInSystemMemoryAndInDmabufs() {
        String formats = Arrays.stream(VideoFormat.values())
                .map(format -> "(string)" + format)
                .collect(Collectors.joining(", ", "format: { ", " }"));
        List<String> lines = inspection.lines().map(String::strip).toList();
        for (String caps : List.of("video/x-raw", "video/x-raw(memory:DMABuf)")) {
            long pads = IntStream.range(1, lines.size())
                    .filter(i -> lines.get(i - 1).equals(caps) && lines.get(i).equals(formats))
                    .count();
            assertEquals(2, pads, inspection);
        }
    }
}
