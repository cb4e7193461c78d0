/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gstqpu.pipelines.media.I420Picture;
import org.junit.jupiter.api.Test;

class SampleSceneTest {
    @Test
    void drawsTheSameAgain() {
        I420Picture first = new I420Picture(160, 90);
        I420Picture second = new I420Picture(160, 90);
        new SampleScene(160, 90).draw(5, first);
        new SampleScene(160, 90).draw(5, second);
        for (int plane = 0; plane < 3; plane++) {
            assertArrayEquals(first.plane(plane), second.plane(plane));
        }
    }

    @Test
    void isLivelyAndKeepsToTheVideoRange() {
        SampleScene scene = new SampleScene(161, 91);
        I420Picture start = new I420Picture(161, 91);
        I420Picture end = new I420Picture(161, 91);
        scene.draw(0, start);
        scene.draw(249, end);
        boolean[] seen = new boolean[256];
        int moved = 0;
        for (int y = 0; y < 91; y++) {
            for (int x = 0; x < 161; x++) {
                int luma = start.sample(0, x, y);
                assertTrue(luma >= 16 && luma <= 235, "luma " + luma);
                seen[luma] = true;
                moved += luma == end.sample(0, x, y) ? 0 : 1;
            }
        }
        int values = 0;
        for (boolean value : seen) {
            values += value ? 1 : 0;
        }
        assertTrue(values > 100, "values of luma: " + values);
        assertTrue(moved > 161 * 91 / 2, "samples that changed: " + moved);
    }

    @Test
    void refusesFramesAndSizesThatItHasNot() {
        SampleScene scene = new SampleScene(16, 16);
        I420Picture picture = new I420Picture(16, 16);
        assertThrows(IllegalArgumentException.class, () -> scene.draw(250, picture));
        assertThrows(IllegalArgumentException.class, () -> scene.draw(-1, picture));
        assertThrows(IllegalArgumentException.class, () -> scene.draw(0, new I420Picture(16, 17)));
    }
}
