/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchReportTest {
    private record Case(String name, Long gpuP50Nanos, double perSecond, List<Double> each) {}

    private record Scan(double millis) {}

    private record Report(String device, int pairs, String missing, Scan scan, List<Case> cases, List<Case> none) {}

    private static final Report REPORT = new Report(
            "a device",
            40,
            null,
            new Scan(1 / 3.0),
            List.of(new Case("one", 1_234_567L, 12.34567, List.of(1.0)), new Case("two", null, 1e6 / 7, List.of())),
            List.of());

    private static String print(boolean json) {
        StringWriter said = new StringWriter();
        BenchReport.print(new PrintWriter(said), json, REPORT);
        return said.toString();
    }

    @Test
    void listsAreTablesAndTheRestIsLines() {
        assertEquals("""
                device: a device
                pairs: 40

                scan
                millis: 0.3333

                cases
                name  gpu p50 ms  per second
                one        1.235       12.35
                two            -      142900
                """, print(false));
    }

    @Test
    void jsonHasTheComponentsAsTheyAre() {
        assertEquals(
                1_234_567,
                JsonParser.parseString(print(true))
                        .getAsJsonObject()
                        .getAsJsonArray("cases")
                        .get(0)
                        .getAsJsonObject()
                        .get("gpuP50Nanos")
                        .getAsLong());
    }
}
