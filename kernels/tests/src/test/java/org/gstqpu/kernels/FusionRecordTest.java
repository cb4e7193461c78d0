/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FusionRecordTest {
    private static final Calibration.Scope SCOPE =
            new Calibration.Scope("V3D 7.1, 1-2", "Mesa 25", "0.1", "a JVM, 4 processors", 1);

    @TempDir
    private Path folder;

    private FusionRecord open(Calibration.Scope scope) {
        return new FusionRecord(scope, Optional.of(new CacheFile(folder, SCOPE.fileName("temporal"))));
    }

    @Test
    void theNearestSizeOfTheFormatCountsAndIsScaled() {
        FusionRecord record = open(SCOPE);
        record.add(PixelFormat.NV12, 1000, new FusionTimes(100, List.of(200L, 300L, 390L)));
        record.add(PixelFormat.NV12, 2000, new FusionTimes(300, List.of()));
        for (FusionRecord next : List.of(record, open(SCOPE))) {
            assertEquals(
                    Optional.of(new FusionTimes(100, List.of(200L, 300L, 390L))), next.find(PixelFormat.NV12, 1000));
            assertEquals(
                    Optional.of(new FusionTimes(140, List.of(280L, 420L, 546L))), next.find(PixelFormat.NV12, 1400));
            assertEquals(Optional.of(new FusionTimes(225, List.of())), next.find(PixelFormat.NV12, 1500));
            assertEquals(Optional.of(new FusionTimes(450, List.of())), next.find(PixelFormat.NV12, 3000));
            assertEquals(Optional.empty(), next.find(PixelFormat.NV12, 3001));
            assertEquals(Optional.empty(), next.find(PixelFormat.NV12, 666));
            assertEquals(Optional.empty(), next.find(PixelFormat.I420, 1000));
        }
    }

    @Test
    void anotherDriverMeasuresAgain() {
        open(SCOPE).add(PixelFormat.NV12, 1000, new FusionTimes(100, List.of(200L)));
        Calibration.Scope other =
                new Calibration.Scope(SCOPE.device(), "Mesa 26", SCOPE.version(), SCOPE.java(), SCOPE.threads());
        assertEquals(Optional.empty(), open(other).find(PixelFormat.NV12, 1000));
    }
}
