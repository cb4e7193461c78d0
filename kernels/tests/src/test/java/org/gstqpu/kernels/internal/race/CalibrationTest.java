/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
    private static final Calibration.Scope SCOPE =
            new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.1", "a JVM, 4 processors", 4);
    private static final SubstrateTimes SMALL = SubstrateTimes.of("vp9_lpf_8bit", 8, 400, 90_000);
    private static final SubstrateTimes LARGE = SubstrateTimes.of("vp9_lpf_8bit", 4096, 300_000, 200_000);

    @TempDir
    private Path folder;

    private Calibration open(Calibration.Scope scope) {
        return new Calibration(scope, Optional.of(new CacheFile(folder, SCOPE.fileName("calibration"))));
    }

    private Path file() {
        return folder.resolve(SCOPE.fileName("calibration"));
    }

    @Test
    void whatOneProcessMeasuredTheNextOneFinds() {
        assertEquals(Optional.empty(), open(SCOPE).find("vp9_lpf_8bit", 8));
        open(SCOPE).add(List.of(SMALL, LARGE));
        Calibration next = open(SCOPE);
        assertEquals(Optional.of(SMALL), next.find("vp9_lpf_8bit", 8));
        assertEquals(Optional.of(LARGE), next.find("vp9_lpf_8bit", 4096));
        assertEquals(Optional.empty(), next.find("vp9_lpf_8bit", 64));
        assertEquals(Optional.empty(), next.find("vp9_mc8x8_8bit", 8));
    }

    @Test
    void aFaultReplacesNoResultAndAResultAnyFault() {
        Calibration calibration = open(SCOPE);
        SubstrateTimes fault = SubstrateTimes.lost(SMALL.work(), SMALL.blocks(), "it hangs");
        calibration.add(fault);
        assertEquals(Optional.of(fault), calibration.find(SMALL.work(), SMALL.blocks()));
        calibration.add(SMALL);
        calibration.add(fault);
        assertEquals(Optional.of(SMALL), calibration.find(SMALL.work(), SMALL.blocks()));
        assertEquals(Optional.of(SMALL), open(SCOPE).find(SMALL.work(), SMALL.blocks()));
    }

    @Test
    void processesAddToWhatOthersMeasured() {
        Calibration one = open(SCOPE);
        Calibration other = open(SCOPE);
        one.add(List.of(SMALL));
        other.add(List.of(LARGE));
        assertEquals(Optional.of(SMALL), other.find("vp9_lpf_8bit", 8));
        Calibration next = open(SCOPE);
        assertEquals(Optional.of(SMALL), next.find("vp9_lpf_8bit", 8));
        assertEquals(Optional.of(LARGE), next.find("vp9_lpf_8bit", 4096));
    }

    @Test
    void anotherDriverVersionJavaOrNumberOfThreadsMeasuresAnew() {
        open(SCOPE).add(List.of(SMALL));
        for (Calibration.Scope other : List.of(
                new Calibration.Scope("V3D 4.2, 1-2", "Mesa 25", "0.1", "a JVM, 4 processors", 4),
                new Calibration.Scope("V3D 7.1, 1-2", "Mesa 26", "0.1", "a JVM, 4 processors", 4),
                new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.2", "a JVM, 4 processors", 4),
                new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.1", "a JVM, 2 processors", 4),
                new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.1", "a JVM, 4 processors", 40))) {
            assertEquals(Optional.empty(), open(other).find("vp9_lpf_8bit", 8), other::toString);
        }
        assertTrue(open(SCOPE).find("vp9_lpf_8bit", 8).isPresent());
    }

    @Test
    void devicesThreadsAndJavaHaveFilesOfTheirOwn() {
        String name = SCOPE.fileName("calibration");
        assertTrue(name.matches("[A-Za-z0-9.-]+"), name);
        assertFalse(name.equals(new Calibration.Scope("V3D 4.2, 1-2", "Mesa 25", "0.1", "a JVM, 4 processors", 4)
                .fileName("calibration")));
        assertFalse(name.equals(new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.1", "a JVM, 4 processors", 1)
                .fileName("calibration")));
        assertFalse(name.equals(
                new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.1", "another JVM", 4).fileName("calibration")));
    }

    @Test
    void aDamagedFileIsMeasuredOver() throws Exception {
        open(SCOPE).add(List.of(SMALL));
        byte[] good = Files.readAllBytes(file());
        for (int i = 0; i < good.length; i += 7) {
            byte[] bad = good.clone();
            bad[i] ^= 1;
            Files.write(file(), bad);
            assertEquals(Optional.empty(), open(SCOPE).find("vp9_lpf_8bit", 8), "byte " + i + " changed");
        }
        for (String line : List.of("vp9_lpf_8bit\t8\t400", "vp9_lpf_8bit\t8\t400\tx", "vp9_lpf_8bit\t8\t0\t9")) {
            new CacheFile(folder, SCOPE.fileName("calibration"))
                    .write((SCOPE.header() + line + "\n").getBytes(StandardCharsets.UTF_8));
            assertEquals(Optional.empty(), open(SCOPE).find("vp9_lpf_8bit", 8), line);
        }
        open(SCOPE).add(List.of(LARGE));
        assertEquals(Optional.of(LARGE), open(SCOPE).find("vp9_lpf_8bit", 4096));
    }

    @Test
    void whatADeviceDidWrongEndsWithTheProcess() {
        Calibration calibration = open(SCOPE);
        calibration.add(List.of(SubstrateTimes.lost("vp9_lpf_8bit", 8, "it burns"), LARGE));
        assertEquals(
                Optional.of("it burns"),
                calibration.find("vp9_lpf_8bit", 8).orElseThrow().fault());
        assertEquals(Optional.empty(), open(SCOPE).find("vp9_lpf_8bit", 8));
        assertEquals(Optional.of(LARGE), open(SCOPE).find("vp9_lpf_8bit", 4096));
    }

    @Test
    void theFasterOneIsTheOneWithLessTimeThatDidNothingWrong() {
        assertEquals(Substrate.CPU, SMALL.faster());
        assertEquals(Substrate.QPU, LARGE.faster());
        assertEquals(Substrate.CPU, SubstrateTimes.lost("w", 1, "wrong").faster());
        assertEquals("vp9_lpf_8bit, 8 a call: CPU 50 ns, QPU 11.3 µs each", SMALL.explanation());
        assertEquals(
                "w: CPU 2.50 ms, QPU 20.0 µs",
                SubstrateTimes.of("w", 1, 2_500_000, 20_000).explanation());
        assertEquals("wrong", SubstrateTimes.lost("w", 1, "wrong").explanation());
    }
}
