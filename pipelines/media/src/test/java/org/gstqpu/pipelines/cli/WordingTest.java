/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WordingTest {
    @Test
    void oneThingHasNoPlural() {
        assertEquals("1 picture", Wording.counted(1, "picture"));
        assertEquals("0 pictures", Wording.counted(0, "picture"));
        assertEquals("2 pictures", Wording.counted(2, "picture"));
    }

    @Test
    void whatFollowsALibrarysSentenceFollowsNoStop() {
        assertEquals("cannot demultiplex the stream", Wording.unstopped("cannot demultiplex the stream. "));
        assertEquals("version 1.2", Wording.unstopped("version 1.2"));
        assertEquals("wait ...", Wording.unstopped("wait ..."));
    }

    @Test
    void linesAreJoinedAsOneSentence() {
        assertEquals("first line; second line.", Wording.oneLine("first line.\n  second line.\n"));
        assertEquals("a film.mp4; b", Wording.oneLine("a film.mp4\r\nb"));
        assertEquals("the folder ..; b", Wording.oneLine("the folder ..\nb"));
        assertEquals("best; ?[2J?\t.", Wording.oneLine("best\u0085\u001b[2J\u009b\t."));
    }
}
