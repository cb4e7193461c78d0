/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class SideInformationTest {
    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @Test
    void closingTwiceFreesOnce() {
        int before = FakeHost.fake_freed_params();
        SideInformation information = new SideInformation(false);
        information.close();
        information.close();
        assertEquals(before + 1, FakeHost.fake_freed_params());
    }
}
