/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class VectorUseTest {
    @Test
    void aJvmWithoutVectorsIsToldOnceWhichOptionsOfferThem() {
        Logger logger = Logger.getLogger(VectorUse.class.getName());
        Level level = logger.getLevel();
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        try (VectorUse first = VectorUse.onceWarm(false);
                VectorUse second = VectorUse.onceWarm(false)) {
            assertFalse(first.isOffered());
            assertFalse(second.isOffered());
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(level);
        }
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).contains("--add-modules=" + VectorUse.MODULE), lines.get(0));
    }

    @Test
    void aJvmThatMakesSveCodeIsToldTheOptionAgainstIt() {
        assertTrue(ScalableVectors.advice("1").orElseThrow().contains("-XX:UseSVE=0"));
        assertTrue(ScalableVectors.advice("0").isEmpty());
    }
}
